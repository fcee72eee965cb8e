// Takes programs through their steps on a reference of its own and keeps what they hear: node test/clients/record-steps.ts [NAME ...]
import { EtcdProcess } from '../etcd-process.ts';
import { startReference } from '../reference-server.ts';
import { programs } from './programs.ts';
import { recordSteps } from './recorded-steps.ts';

const names = process.argv.slice(2);
await using etcd = await EtcdProcess.start({ args: ['--unsafe-no-fsync'] });
await using reference = await startReference(etcd.url, []);
for (const program of programs) {
  if (program.recordedAs !== undefined || (names.length > 0 && !names.includes(program.name))) continue;
  const missing = program.missing();
  if (missing !== undefined) throw new Error(missing);
  recordSteps(program.name, await program.run(reference, program.name));
  process.stdout.write(`${program.name}\n`);
}
