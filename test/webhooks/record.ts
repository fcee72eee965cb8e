import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EtcdProcess } from '../etcd-process.ts';
import { startReference } from '../reference-server.ts';
import { playCases } from './play.ts';

/** Records what kube-apiserver does: `node test/webhooks/record.ts`. */
const folder = await mkdtemp(join(tmpdir(), 'binnacle-webhooks-'));
await using etcd = await EtcdProcess.start();
await using server = await startReference(etcd.url, []);
const results = await playCases({ server, folder, settleMs: 3_000 });
await writeFile(new URL('testdata/recorded.json', import.meta.url), `${JSON.stringify(results, undefined, 1)}\n`);
await rm(folder, { recursive: true, force: true });
