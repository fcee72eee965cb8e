import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EtcdProcess } from '../../etcd-process.ts';
import { startReference } from '../../reference-server.ts';
import { writeFields } from '../recording.ts';
import { observeStop, scenarios } from './play.ts';

/** Records what clients of kube-apiserver see when it stops: `node test/record.ts shutdown`. */
const folder = await mkdtemp(join(tmpdir(), 'binnacle-shutdown-'));
const recorded: Record<string, unknown> = {};
for (const { name, flags } of scenarios) {
  await using etcd = await EtcdProcess.start();
  await using server = await startReference(etcd.url, flags);
  recorded[name] = await observeStop(server, folder);
}
writeFields('shutdown', 'observations', recorded);
await rm(folder, { recursive: true, force: true });
