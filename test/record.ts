// node test/record.ts SUBJECT [ARGUMENTS]: records what the reference does, for the tests that replay it, with a fresh
// kube-apiserver where the recorder is given one. Without a subject it lists them. It needs the programs of the
// reference.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { EtcdProcess } from './etcd-process.ts';
import { type Recorder, recorders } from './recorders.ts';
import { startReference } from './reference-server.ts';

const [subject = '', ...args] = process.argv.slice(2);
const recorder = recorders[subject];
if (recorder === undefined) {
  for (const [name, { records, takes = '' }] of Object.entries(recorders)) {
    console.log(`${`${name} ${takes}`.padEnd(40)} ${records}`);
  }
  process.exitCode = 1;
} else process.exitCode = await record(recorder);

/** The exit code of the recorder. */
async function record({ program, referenceFlags, args: own = [] }: Recorder): Promise<number> {
  if (referenceFlags === undefined) return await run(program, [...own, ...args]);
  await using etcd = await EtcdProcess.start();
  await using reference = await startReference(etcd.url, referenceFlags);
  return await run(program, [reference.url, reference.kubeconfigPath, ...own, ...args]);
}

async function run(program: string, given: readonly string[]): Promise<number> {
  const path = join(import.meta.dirname, '..', program);
  const [code] = await once(spawn(process.execPath, [path, ...given], { stdio: 'inherit' }), 'close');
  return typeof code === 'number' ? code : 1;
}
