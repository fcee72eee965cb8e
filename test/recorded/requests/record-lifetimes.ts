// Records how events end on kube-apiserver: node test/record.ts event-lifetimes
// Needs the programs of the reference.
import { Connection } from '../../../tools/compare-requests/connection.ts';
import { play } from '../../../tools/compare-requests/play.ts';
import { writeRecording } from './recording.ts';
import {
  eventLifetimes,
  lifetimeSeconds,
  lifetimesPace,
} from '../../../tools/compare-requests/scripts/event-lifetimes.ts';
import { EtcdProcess } from '../../etcd-process.ts';
import { startReference } from '../../reference-server.ts';

await using etcd = await EtcdProcess.start();
await using server = await startReference(etcd.url, [`--event-ttl=${lifetimeSeconds}s`]);
using connection = await Connection.open(server);
writeRecording(eventLifetimes.name, await play(eventLifetimes, { connection, pace: lifetimesPace }));
