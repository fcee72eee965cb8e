import { EtcdProcess } from '../../etcd-process.ts';
import { startReference } from '../../reference-server.ts';
import { playCases } from '../../policies/play.ts';
import { suites } from '../../policies/suites.ts';
import { writeCases } from '../recording.ts';

/** Records what kube-apiserver does: `node test/record.ts policies [SUITE ...]`. */
const wanted = process.argv.slice(2);
for (const [name, suite] of Object.entries(suites)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  await using etcd = await EtcdProcess.start();
  await using server = await startReference(etcd.url, []);
  const results = await playCases(suite, { server, settleMs: 3_000 });
  writeCases('policies', name, results);
}
