import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { kubeconfigOf } from '../../authentication/both-servers.ts';
import { brokenMisdeeds } from '../hook-misdeeds.ts';
import { hookServer } from '../hook-server.ts';
import { type HostileCase, requestCase, type RequestRow } from '../hostile-case.ts';
import { around, configMap, items, namespaced, pod } from '../text-bodies.ts';

/** A server that writes whole requests and responses to a file, and sends them to a webhook. */
async function configure(folder: string): Promise<readonly string[]> {
  const { url, authority } = await hookServer();
  const [policy, kubeconfig] = [join(folder, 'audit-policy.yaml'), join(folder, 'audit.kubeconfig')];
  const rules = [{ level: 'RequestResponse', resources: [{ group: '' }] }];
  await writeFile(policy, JSON.stringify({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules }));
  await writeFile(kubeconfig, kubeconfigOf(`${url}/review/current`, authority));
  return [
    `--audit-policy-file=${policy}`,
    `--audit-log-path=${join(folder, 'audit.log')}`,
    '--audit-log-maxsize=10',
    '--audit-log-maxbackup=2',
    `--audit-webhook-config-file=${kubeconfig}`,
  ];
}

const dryRun = '?dryRun=All&fieldValidation=Ignore';
const maps = namespaced('configmaps');
const texts = (): string => items((index) => `"key-${index}":"value ${index}"`, 900_000);

/** One body, with a webhook that takes nothing unless `misdeed` says otherwise. */
function auditCase(row: Omit<RequestRow, 'codes'>, misdeed = 'the end of a connection'): HostileCase {
  return requestCase({
    ...row,
    configure,
    codes: [200, 201, 422],
    async prepare(client) {
      await (await hookServer()).choose(misdeed);
      await client.send({ path: maps, body: JSON.stringify(configMap({})) });
    },
  });
}

const patch = (type: string): Pick<RequestRow, 'method' | 'path' | 'headers'> => ({
  method: 'PATCH',
  path: `${maps}/hostile${dryRun}&fieldManager=a`,
  headers: { 'content-type': `application/${type}` },
});
const largeMap = {
  path: `${maps}${dryRun}`,
  body: () => around(configMap({ data: 'HOLE' }, { name: 'audited' }), `{${texts()}}`),
};

/** Large bodies that are audited, with a webhook that misbehaves. */
export const auditCases: readonly HostileCase[] = [
  auditCase({ ...largeMap, name: 'audit: a config map of 900 KB' }),
  auditCase({
    // Written at once, with its defaults.
    name: 'audit: a pod of 120,000 empty containers',
    path: `${namespaced('pods')}${dryRun}`,
    long: true,
    body: () => around(pod({ containers: 'HOLE' }), `[${'{},'.repeat(119_998)}{}]`),
  }),
  auditCase({
    name: 'audit: a text of 2.9 MB that is escaped',
    path: `${namespaced('pods')}${dryRun}`,
    body: () => JSON.stringify(pod({}, { annotations: { a: '"\n<'.repeat(580_000) } })),
  }),
  auditCase({
    ...patch('merge-patch+json'),
    name: 'audit: a merge patch of 900 KB',
    body: () => `{"data":{${texts()}}}`,
  }),
  auditCase({
    ...patch('apply-patch+yaml'),
    name: 'audit: an application of 900 KB',
    body: () => around(configMap({ data: 'HOLE' }), `{${texts()}}`),
  }),
  ...[...brokenMisdeeds.keys()].map((misdeed) =>
    auditCase({ ...largeMap, name: `audit: a config map of 900 KB, sent to ${misdeed}` }, misdeed),
  ),
];
