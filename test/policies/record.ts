import { writeFile } from 'node:fs/promises';
import { EtcdProcess } from '../etcd-process.ts';
import { startReference } from '../reference-server.ts';
import { playCases } from './play.ts';
import { suites } from './suites.ts';

/** Records what kube-apiserver does: `node test/policies/record.ts [SUITE ...]`. */
const wanted = process.argv.slice(2);
for (const [name, suite] of Object.entries(suites)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  await using etcd = await EtcdProcess.start();
  await using server = await startReference(etcd.url, []);
  const results = await playCases(suite, { server, settleMs: 3_000 });
  await writeFile(new URL(`testdata/${name}.json`, import.meta.url), `${JSON.stringify(results, undefined, 1)}\n`);
}
