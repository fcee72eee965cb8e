import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EtcdProcess } from '../etcd-process.ts';
import { startReference } from '../reference-server.ts';
import { playCertificates } from './play-certificates.ts';
import { playCases } from './play.ts';

/** Records what kube-apiserver does: `node test/webhooks/record.ts [SUITE ...]`. */
const folder = await mkdtemp(join(tmpdir(), 'binnacle-webhooks-'));
await using etcd = await EtcdProcess.start();
await using server = await startReference(etcd.url, []);
const suites: { readonly [name: string]: () => Promise<object> } = {
  'recorded-certificates': () => playCertificates({ server, settleMs: 3_000 }),
  recorded: () => playCases({ server, folder, settleMs: 3_000 }),
};
const wanted = process.argv.slice(2);
for (const [name, play] of Object.entries(suites)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const results = await play();
  await writeFile(new URL(`testdata/${name}.json`, import.meta.url), `${JSON.stringify(results, undefined, 1)}\n`);
}
await rm(folder, { recursive: true, force: true });
