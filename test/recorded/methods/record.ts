import { EtcdProcess } from '../../etcd-process.ts';
import { startReference } from '../../reference-server.ts';
import { play } from './play.ts';
import { writeRecording } from './recording.ts';

/** Records what kube-apiserver answers: `node test/record.ts methods`. */
await using etcd = await EtcdProcess.start();
await using server = await startReference(etcd.url, []);
const played = await play(server);
writeRecording(played);
process.stdout.write(`${played.size} requests\n`);
