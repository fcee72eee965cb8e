import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EtcdProcess } from '../../etcd-process.ts';
import { startReference } from '../../reference-server.ts';
import { writeFields } from '../recording.ts';
import { annotationSuites, playAnnotations } from './annotations.ts';
import { playAudit } from './play.ts';

/** Records the audit events of kube-apiserver: `node test/record.ts audit`. */
const folder = await mkdtemp(join(tmpdir(), 'binnacle-audit-'));
const file = join(folder, 'audit.log');
await using etcd = await EtcdProcess.start();
await using server = await startReference(etcd.url, [
  '--disable-admission-plugins=ServiceAccount',
  `--audit-policy-file=${join(import.meta.dirname, 'policy.yaml')}`,
  `--audit-log-path=${file}`,
]);
const results = await playAudit(server, { file, definitionMs: 5_000 });
writeFields('audit', 'events', results);
const annotations: Record<string, unknown> = {};
for (const [name, suite] of Object.entries(annotationSuites)) {
  await using otherEtcd = await EtcdProcess.start();
  const otherFile = join(folder, `${name}.log`);
  await using other = await startReference(otherEtcd.url, [
    `--audit-policy-file=${join(import.meta.dirname, 'everything.yaml')}`,
    `--audit-log-path=${otherFile}`,
  ]);
  annotations[name] = await playAnnotations(suite, { server: other, folder, settleMs: 3_000 }, otherFile);
}
writeFields('audit', 'annotations', annotations);
await rm(folder, { recursive: true, force: true });
