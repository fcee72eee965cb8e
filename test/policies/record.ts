import { writeFile } from 'node:fs/promises';
import { EtcdProcess } from '../etcd-process.ts';
import { startReference } from '../reference-server.ts';
import { playCases } from './play.ts';

/** Records what kube-apiserver does: `node test/policies/record.ts`. */
await using etcd = await EtcdProcess.start();
await using server = await startReference(etcd.url, []);
const results = await playCases({ server, settleMs: 3_000 });
await writeFile(new URL('testdata/recorded.json', import.meta.url), `${JSON.stringify(results, undefined, 1)}\n`);
