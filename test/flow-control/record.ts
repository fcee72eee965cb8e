import { writeFileSync } from 'node:fs';
import { EtcdProcess } from '../etcd-process.ts';
import { startReference } from '../reference-server.ts';
import { bootstrapObjects } from './bootstrap-objects.ts';
import { batches, classify } from './classify.ts';
import { oneWrite, playInFlight } from './in-flight.ts';
import { fewSeats, playOverload } from './overload.ts';

/** Records how kube-apiserver classifies and refuses requests: `node test/flow-control/record.ts`. */
const write = (name: string, value: unknown): void =>
  writeFileSync(`${import.meta.dirname}/testdata/${name}.json`, `${JSON.stringify(value, undefined, 1)}\n`);

await using etcd = await EtcdProcess.start();
await using server = await startReference(etcd.url, []);
write('bootstrap', await bootstrapObjects(server));
const classified: (readonly string[])[] = [];
for (const batch of batches) classified.push(await classify(server, batch));
// Each class once, then which one each request has.
const classes = [...new Set(classified.flat())].toSorted();
write('classified', {
  classes,
  batches: classified.map((names) => names.map((name) => classes.indexOf(name)).join(' ')),
});
await server.stop();
await server.start(fewSeats);
write('overload', await playOverload(server));
await server.stop();
await server.start(oneWrite);
write('in-flight', await playInFlight(server));
process.stdout.write(`${classified.flat().length} requests, ${classes.length} classes\n`);
