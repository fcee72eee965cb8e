// Records how kube-apiserver refuses configurations: node test/encryption/record.ts
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { referenceProgram } from '../reference-server.ts';
import { badConfigurations } from './configurations.ts';

const folder = await mkdtemp(join(tmpdir(), 'binnacle-encryption-'));
const path = join(folder, 'encryption.yaml');
const recorded: Record<string, { readonly exitCode: number; readonly message: string }> = {};
for (const { name, file, flags = [] } of badConfigurations) {
  await rm(path, { force: true });
  if (file !== undefined) await writeFile(path, file);
  const given = [`--encryption-provider-config=${path}`, ...flags];
  const child = spawn(
    referenceProgram,
    [
      ...['--etcd-servers=http://127.0.0.1:1', '--authorization-mode=AlwaysAllow', '--secure-port=1'],
      ...['--service-account-issuer=https://localhost', `--cert-dir=${folder}`],
      ...[`--service-account-key-file=${process.env['ACCOUNT_KEY']}`],
      ...[`--service-account-signing-key-file=${process.env['ACCOUNT_KEY']}`],
      ...given,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let told = '';
  child.stderr.on('data', (chunk: Buffer) => (told += chunk.toString()));
  const limit = setTimeout(() => child.kill('SIGKILL'), 20_000);
  const [exitCode] = (await once(child, 'close')) as [number | null];
  clearTimeout(limit);
  const [, message = ''] = /"command failed" err=("(?:[^"\\]|\\.)*")/.exec(told) ?? [];
  recorded[name] = {
    exitCode: exitCode ?? -1,
    message: (message === '' ? told.slice(-300) : unquoted(message)).replaceAll(path, '$FILE'),
  };
  process.stdout.write(`${name}: ${exitCode}\n`);
}
await rm(folder, { recursive: true });
const target = new URL('testdata/bad-configurations.json', import.meta.url);
await writeFile(target, `${JSON.stringify(recorded, undefined, 2)}\n`);

/** As Go quotes. */
function unquoted(text: string): string {
  return JSON.parse(text) as string; // a string literal
}
