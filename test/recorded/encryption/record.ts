// Records how kube-apiserver refuses configurations: node test/record.ts encryption
import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { referenceProgram } from '../../reference-server.ts';
import { badConfigurations } from '../../encryption/configurations.ts';
import { writeFields } from '../recording.ts';

const folder = await mkdtemp(join(tmpdir(), 'binnacle-encryption-'));
const path = join(folder, 'encryption.yaml');
const accountKey = join(folder, 'account.key');
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
await writeFile(accountKey, privateKey.export({ type: 'pkcs8', format: 'pem' }));
const recorded: Record<string, { readonly exitCode: number; readonly message: string }> = {};
for (const { name, file, flags = [] } of badConfigurations) {
  await rm(path, { force: true });
  if (file !== undefined) await writeFile(path, file);
  const given = [`--encryption-provider-config=${path}`, ...flags];
  const child = spawn(
    referenceProgram,
    [
      '--etcd-servers=http://127.0.0.1:1',
      '--authorization-mode=AlwaysAllow',
      '--secure-port=1',
      '--service-account-issuer=https://localhost',
      `--cert-dir=${folder}`,
      `--service-account-key-file=${accountKey}`,
      `--service-account-signing-key-file=${accountKey}`,
      ...given,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const limit = setTimeout(() => child.kill('SIGKILL'), 20_000);
  const [exitCode] = (await once(child, 'close')) as [number | null];
  clearTimeout(limit);
  recorded[name] = { exitCode: exitCode ?? -1, message: messageIn(output).replaceAll(path, '$FILE') };
  process.stdout.write(`${name}: ${exitCode}\n`);
}
await rm(folder, { recursive: true });
writeFields('encryption', 'bad-configurations', recorded);

/** In quotes, or indented if it has several lines. */
function messageIn(log: string): string {
  const [, quoted] = /"command failed" err=("(?:[^"\\]|\\.)*")/.exec(log) ?? [];
  if (quoted !== undefined) return JSON.parse(quoted) as string; // a string literal
  const [, lines] = /"command failed" err=<\n\t(.*)\n >/s.exec(log) ?? [];
  if (lines === undefined) throw new Error(`no failure in ${log}`);
  return lines.replaceAll('\n\t', '\n');
}
