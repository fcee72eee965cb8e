import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EtcdProcess } from '../etcd-process.ts';
import { startReference } from '../reference-server.ts';
import { playAudit } from './play.ts';
import { playWebhookAnnotations } from './webhook-annotations.ts';

/** Records the audit events of kube-apiserver: `node test/audit/record.ts`. */
const folder = await mkdtemp(join(tmpdir(), 'binnacle-audit-'));
const file = join(folder, 'audit.log');
await using etcd = await EtcdProcess.start();
await using server = await startReference(etcd.url, [
  '--disable-admission-plugins=ServiceAccount',
  `--audit-policy-file=${join(import.meta.dirname, 'policy.yaml')}`,
  `--audit-log-path=${file}`,
]);
const results = await playAudit(server, { file, definitionMs: 5_000 });
await writeFile(new URL('testdata/recorded.json', import.meta.url), `${JSON.stringify(results, undefined, 1)}\n`);
await using otherEtcd = await EtcdProcess.start();
const otherFile = join(folder, 'webhooks.log');
await using other = await startReference(otherEtcd.url, [
  `--audit-policy-file=${join(import.meta.dirname, 'everything.yaml')}`,
  `--audit-log-path=${otherFile}`,
]);
const told = await playWebhookAnnotations({ server: other, folder, settleMs: 3_000 }, otherFile);
await writeFile(new URL('testdata/webhooks.json', import.meta.url), `${JSON.stringify(told, undefined, 1)}\n`);
await rm(folder, { recursive: true, force: true });
