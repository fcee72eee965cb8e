import { EtcdProcess } from '../../etcd-process.ts';
import { startReference } from '../../reference-server.ts';
import { writeCases, writeFields } from '../recording.ts';
import { bootstrapObjects } from './bootstrap-objects.ts';
import { batches, classify } from './classify.ts';
import { oneWrite, playInFlight } from './in-flight.ts';
import { fewSeats, playOverload } from './overload.ts';

/** Records how kube-apiserver classifies and refuses requests: `node test/record.ts flow-control`. */
const subject = 'flow-control';

await using etcd = await EtcdProcess.start();
await using server = await startReference(etcd.url, []);
writeFields(subject, 'bootstrap', await bootstrapObjects(server));
const classified: (readonly string[])[] = [];
for (const batch of batches) classified.push(await classify(server, batch));
writeCases(subject, 'classified', classified);
await server.stop();
await server.start(fewSeats);
writeFields(subject, 'overload', await playOverload(server));
await server.stop();
await server.start(oneWrite);
writeFields(subject, 'in-flight', await playInFlight(server));
process.stdout.write(`${classified.flat().length} requests\n`);
