import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EtcdProcess } from '../etcd-process.ts';
import { startReference } from '../reference-server.ts';
import { startExtensionServer } from './extension-server.ts';
import { playSteps } from './play.ts';

/** Records what kube-apiserver does: `node test/aggregation/record.ts`. */
const folder = await mkdtemp(join(tmpdir(), 'binnacle-aggregation-'));
await using extension = await startExtensionServer(folder);
const { certFile, keyFile } = extension.proxyFiles;
await using etcd = await EtcdProcess.start();
await using server = await startReference(etcd.url, [
  `--proxy-client-cert-file=${certFile}`,
  `--proxy-client-key-file=${keyFile}`,
]);
const results = await playSteps({ server, extension });
await writeFile(new URL('testdata/recorded.json', import.meta.url), `${JSON.stringify(results, undefined, 1)}\n`);
await rm(folder, { recursive: true, force: true });
