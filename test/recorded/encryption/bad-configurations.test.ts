import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ConfigError } from '../../../src/api/errors/config-error.ts';
import { UsageError } from '../../../src/cli/errors.ts';
import { Command } from 'commander';
import { addServeOptions, type FlagTexts, normalizeArguments, serverConfigOf } from '../../../src/cli/serve-options.ts';
import { openEncryption } from '../../../src/server/open-encryption.ts';
import { partContext } from '../../../src/server/part-context.ts';
import { systemClock } from '../../../src/api/time/clock.ts';
import { badConfigurations, key } from '../../encryption/configurations.ts';
import { readResponses } from '../recording.ts';

const recorded = readResponses<{ readonly exitCode: number; readonly message: string }>(
  'encryption',
  'bad-configurations',
);

const folder = await mkdtemp(join(tmpdir(), 'binnacle-encryption-'));
afterAll(() => rm(folder, { recursive: true }));
const path = join(folder, 'encryption.yaml');

/** Where the answer differs, and why. */
const different: { readonly [name: string]: string } = {
  // The reference prints the whole file, with its keys.
  'no version':
    "error while parsing file: error decoding encryption provider configuration file \"$FILE\": Object 'apiVersion' is missing in 'REDACTED'",
};

/** The error of a start with these flags. */
async function refusal(flags: readonly string[]): Promise<unknown> {
  try {
    const args = normalizeArguments(flags);
    const command = addServeOptions(new Command().exitOverride(), args);
    command.parse(args, { from: 'user' });
    const config = serverConfigOf(command.opts<FlagTexts & { readonly dataDir: string }>());
    await using opened = new AsyncDisposableStack();
    await openEncryption(config, partContext({ clock: systemClock, opened, onError: () => undefined }));
    return undefined;
  } catch (error) {
    return error;
  }
}

test.each(badConfigurations)('$name', async ({ name, file, flags = [] }) => {
  await rm(path, { force: true });
  if (file !== undefined) await writeFile(path, file);
  const error = await refusal([`--encryption-provider-config=${path}`, ...flags]);
  // Both end the program with exit code 1.
  expect(error instanceof ConfigError || error instanceof UsageError).toBe(true);
  const reported = (error as Error).message.replaceAll(path, '$FILE');
  const expected = different[name] ?? recorded.get(name)?.message ?? '';
  // The reference shows the keys of a provider that is not valid, and the name of its scheme of kinds.
  const shown = expected.replaceAll(/"Secret":"[^"]*"/g, '"Secret":"REDACTED"');
  expect(reported).toBe(shown);
  expect(reported).not.toContain(key(1));
});

test('every recorded refusal has exit code 1', () => {
  expect(new Set([...recorded.values()].map(({ exitCode }) => exitCode))).toEqual(new Set([1]));
});

test('the kind has another name in early documents', async () => {
  const resources = [{ resources: ['secrets'], providers: [{ identity: {} }] }];
  await writeFile(path, JSON.stringify({ kind: 'EncryptionConfig', apiVersion: 'v1', resources }));
  expect(await refusal([`--encryption-provider-config=${path}`])).toBeUndefined();
});
