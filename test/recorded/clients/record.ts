// Runs programs against fresh reference servers and records their results: node test/record.ts clients [NAME ...]
import { EtcdProcess } from '../../etcd-process.ts';
import { startReference } from '../../reference-server.ts';
import type { ClientProgram } from '../../clients/program.ts';
import { programs } from '../../clients/programs.ts';
import { recordSteps } from './steps.ts';

const names = process.argv.slice(2);
const wanted = programs.filter(
  ({ name, recordedAs }) => recordedAs === undefined && (names.length === 0 || names.includes(name)),
);
for (const [gates, group] of Map.groupBy(wanted, ({ gates = [] }) => gates.map((gate) => `${gate}=true`).join(','))) {
  await record(group, gates === '' ? [] : [`--feature-gates=${gates}`]);
}

async function record(group: readonly ClientProgram[], flags: readonly string[]): Promise<void> {
  await using etcd = await EtcdProcess.start();
  await using reference = await startReference(etcd.url, flags);
  for (const program of group) {
    const missing = program.missing();
    if (missing !== undefined) throw new Error(missing);
    recordSteps(program.name, await program.run(reference, program.name));
    process.stdout.write(`${program.name}\n`);
  }
}
