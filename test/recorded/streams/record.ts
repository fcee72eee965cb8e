import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EtcdProcess } from '../../etcd-process.ts';
import { startReference } from '../../reference-server.ts';
import { playStreams } from '../../streams/play.ts';
import { writeFields } from '../recording.ts';

/** Records what kube-apiserver does: `node test/record.ts streams`. */
const folder = await mkdtemp(join(tmpdir(), 'binnacle-streams-'));
await using etcd = await EtcdProcess.start();
await using server = await startReference(etcd.url, ['--disable-admission-plugins=ServiceAccount']);
const results = await playStreams(server, { folder, settleMs: 3_000 });
writeFields('streams', 'results', results);
await rm(folder, { recursive: true, force: true });
