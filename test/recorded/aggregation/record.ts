import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EtcdProcess } from '../../etcd-process.ts';
import { startReference } from '../../reference-server.ts';
import { startExtensionServer } from '../../aggregation/extension-server.ts';
import { writeCases } from '../recording.ts';
import { playSteps } from './play.ts';

/** Records what kube-apiserver does: `node test/record.ts aggregation`. */
const folder = await mkdtemp(join(tmpdir(), 'binnacle-aggregation-'));
await using extension = await startExtensionServer(folder);
const { certFile, keyFile } = extension.proxyFiles;
await using etcd = await EtcdProcess.start();
await using server = await startReference(etcd.url, [
  `--proxy-client-cert-file=${certFile}`,
  `--proxy-client-key-file=${keyFile}`,
]);
const results = await playSteps({ server, extension });
writeCases('aggregation', 'steps', results);
await rm(folder, { recursive: true, force: true });
