// Records what kube-apiserver answers where proxies fail: node test/record.ts egress
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiClient } from '../../api-client.ts';
import { EtcdProcess } from '../../etcd-process.ts';
import { startReference } from '../../reference-server.ts';
import { writeFields } from '../recording.ts';
import { playFailures, plays, sockets } from './play-failures.ts';

for (const [name, play] of Object.entries(plays)) {
  const folder = await mkdtemp(join(tmpdir(), 'binnacle-egress-'));
  const configFile = join(folder, 'egress.json');
  await writeFile(configFile, play.file(folder));
  await using _proxy = await play.start(join(folder, sockets.bad));
  await using etcd = await EtcdProcess.start();
  await using server = await startReference(etcd.url, [`--egress-selector-config-file=${configFile}`]);
  using client = await ApiClient.connect(server);
  const results = await playFailures(client, play, folder);
  writeFields('egress', name, results);
  await rm(folder, { recursive: true });
}
