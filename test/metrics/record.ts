import { writeFile } from 'node:fs/promises';
import { EtcdProcess } from '../etcd-process.ts';
import { startReference } from '../reference-server.ts';
import { limits, playMetrics } from './play.ts';

/** Records the metrics of kube-apiserver: `node test/metrics/record.ts`. */
const allowed = Object.entries(limits.allowed).map(([label, values]) => `"${label}=${values}"`);
await using etcd = await EtcdProcess.start();
await using server = await startReference(etcd.url, [
  '--disable-admission-plugins=ServiceAccount',
  `--disabled-metrics=${limits.disabled.join(',')}`,
  `--allow-metric-labels=${allowed.join(',')}`,
]);
const results = await playMetrics(server);
await writeFile(new URL('testdata/recorded.json', import.meta.url), `${JSON.stringify(results, undefined, 1)}\n`);
