import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EtcdProcess } from '../../etcd-process.ts';
import { startReference } from '../../reference-server.ts';
import { Collector } from '../../tracing/collector.ts';
import { writeCases } from '../recording.ts';
import { playTraces } from './play.ts';
import { tracingConfiguration } from '../../tracing/tracing-configuration.ts';

/** Records the traces of kube-apiserver: `node test/record.ts tracing`. */
const folder = await mkdtemp(join(tmpdir(), 'binnacle-traces-'));
try {
  await using collector = await Collector.start();
  const file = join(folder, 'tracing.yaml');
  await writeFile(file, tracingConfiguration({ endpoint: collector.endpoint }));
  await using etcd = await EtcdProcess.start();
  await using server = await startReference(etcd.url, [`--tracing-config-file=${file}`]);
  const played = await playTraces(server, collector);
  writeCases('tracing', 'traces', played);
} finally {
  await rm(folder, { recursive: true });
}
