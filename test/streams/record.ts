import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EtcdProcess } from '../etcd-process.ts';
import { startReference } from '../reference-server.ts';
import { playStreams } from './play.ts';

/** Records what kube-apiserver does: `node test/streams/record.ts`. */
const folder = await mkdtemp(join(tmpdir(), 'binnacle-streams-'));
await using etcd = await EtcdProcess.start();
await using server = await startReference(etcd.url, ['--disable-admission-plugins=ServiceAccount']);
const results = await playStreams(server, { folder, settleMs: 3_000 });
await writeFile(new URL('testdata/recorded.json', import.meta.url), `${JSON.stringify(results, undefined, 1)}\n`);
await rm(folder, { recursive: true, force: true });
