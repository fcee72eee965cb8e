import { EtcdProcess } from '../../etcd-process.ts';
import { startReference } from '../../reference-server.ts';
import { play, type Played } from './play.ts';
import { writeRecording } from './recording.ts';
import { settings } from './requests.ts';

/** Records what kube-apiserver answers: `node test/record.ts gates`. */
const recorded: Record<string, Played> = {};
for (const [name, gates] of Object.entries(settings)) {
  await using etcd = await EtcdProcess.start();
  const flag = [...gates].map(([gate, isOn]) => `${gate}=${isOn}`).join(',');
  await using server = await startReference(etcd.url, flag === '' ? [] : [`--feature-gates=${flag}`]);
  recorded[name] = await play(server);
}
writeRecording(recorded);
process.stdout.write(`${Object.keys(recorded).join(', ')}\n`);
