import { EtcdProcess } from '../../etcd-process.ts';
import { type ReferenceServer, startReference } from '../../reference-server.ts';
import { writeFields } from '../recording.ts';
import { limits, playMetrics } from './play.ts';
import { playRequests } from './play-requests.ts';
import { playRules } from './play-rules.ts';

/** Records the metrics of kube-apiserver: `node test/record.ts metrics`. */
const allowed = Object.entries(limits.allowed).map(([label, values]) => `"${label}=${values}"`);
await record('metrics', playMetrics, [
  '--disable-admission-plugins=ServiceAccount',
  `--disabled-metrics=${limits.disabled.join(',')}`,
  `--allow-metric-labels=${allowed.join(',')}`,
]);
await record('requests', playRequests, ['--disable-admission-plugins=ServiceAccount']);
await record('rules', playRules, ['--disable-admission-plugins=ServiceAccount']);

async function record(
  name: string,
  play: (server: ReferenceServer) => Promise<object>,
  flags: readonly string[],
): Promise<void> {
  await using etcd = await EtcdProcess.start();
  await using server = await startReference(etcd.url, flags);
  const results = await play(server);
  writeFields('metrics', name, results);
}
