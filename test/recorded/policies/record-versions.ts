import type { JsonObject } from '../../../src/api/json/json.ts';
import { currentRelease } from '../../../src/schema/kubernetes/api-enablement.ts';
import { EtcdProcess } from '../../etcd-process.ts';
import { startReference } from '../../reference-server.ts';
import { writeFields } from '../recording.ts';
import { emulations, olderVersions, playVersions } from './versions.ts';

/** Records which versions of policies kube-apiserver serves: `node test/record.ts policy-versions`. */
const recorded: Record<string, JsonObject> = {};
for (const { name, release, older } of emulations) {
  await using etcd = await EtcdProcess.start();
  await using server = await startReference(etcd.url, [
    ...(release === currentRelease ? [] : [`--emulated-version=${release}`]),
    ...(older ? [`--runtime-config=${olderVersions.map((version) => `${version}=true`).join(',')}`] : []),
  ]);
  recorded[name] = await playVersions({ server, settleMs: 3_000 });
}
writeFields('policies', 'versions', recorded);
