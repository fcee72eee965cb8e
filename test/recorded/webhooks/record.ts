import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EtcdProcess } from '../../etcd-process.ts';
import { startReference } from '../../reference-server.ts';
import { writeCases, writeFields } from '../recording.ts';
import { playCertificates } from './play-certificates.ts';
import { playCases } from '../../webhooks/play.ts';

/** Records what kube-apiserver does: `node test/record.ts webhooks [SUITE ...]`. */
const folder = await mkdtemp(join(tmpdir(), 'binnacle-webhooks-'));
await using etcd = await EtcdProcess.start();
await using server = await startReference(etcd.url, []);
const suites: { readonly [name: string]: (name: string) => Promise<void> } = {
  certificates: async (name) => writeFields('webhooks', name, await playCertificates({ server, settleMs: 3_000 })),
  results: async (name) => writeCases('webhooks', name, await playCases({ server, folder, settleMs: 3_000 })),
};
const wanted = process.argv.slice(2);
for (const [name, play] of Object.entries(suites)) {
  if (wanted.length === 0 || wanted.includes(name)) await play(name);
}
await rm(folder, { recursive: true, force: true });
