import { inNamespace, patch, post, put, scenario, type Step } from '../scenario.ts';
import { apply } from './apply-step.ts';

const namespace = 'diff-versions';
const versions = [
  '0',
  '00',
  'abc',
  '-1',
  '1.0',
  '0x1',
  ' 1',
  '01',
  '99999999',
  '18446744073709551615',
  '18446744073709551616',
];
const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'nginx:1' }] } };
const kinds = [
  { kind: 'ConfigMap', apiVersion: 'v1', base: `/api/v1/namespaces/${namespace}/configmaps`, fields: {} },
  {
    kind: 'Deployment',
    apiVersion: 'apps/v1',
    base: `/apis/apps/v1/namespaces/${namespace}/deployments`,
    fields: { spec: { selector: { matchLabels: { a: 'b' } }, template } },
  },
  {
    kind: 'PodDisruptionBudget',
    apiVersion: 'policy/v1',
    base: `/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets`,
    fields: { spec: {} },
  },
  {
    kind: 'Lease',
    apiVersion: 'coordination.k8s.io/v1',
    base: `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`,
    fields: { spec: {} },
  },
];

function ofKind({ kind, apiVersion, base, fields }: (typeof kinds)[number]): Step[] {
  const live = `${base}/live`;
  return [
    post(`${kind}`, base, { metadata: { name: 'live' }, ...fields }),
    ...versions.flatMap((resourceVersion, index) => {
      const named = (name: string): object => ({ apiVersion, kind, metadata: { name, resourceVersion }, ...fields });
      const what = `${kind} ${JSON.stringify(resourceVersion)}`;
      return [
        post(`create ${what} in a dry run`, `${base}?dryRun=All`, named('dry')),
        post(`create ${what}`, base, named(`c${index}`)),
        apply(`apply new ${what} in a dry run`, `${base}/dry`, named('dry'), 'm&dryRun=All'),
        apply(`apply new ${what}`, `${base}/a${index}`, named(`a${index}`)),
        put(`put new ${what}`, `${base}/p${index}?dryRun=All`, named(`p${index}`)),
        put(`put ${what}`, `${live}?dryRun=All`, named('live')),
        patch(`merge ${what}`, `${live}?dryRun=All`, { type: 'merge', body: { metadata: { resourceVersion } } }),
        ...(kind === 'Deployment' ? ofScale(live, resourceVersion) : []),
      ];
    }),
  ];
}

function ofScale(live: string, resourceVersion: string): Step[] {
  const scale = { metadata: { name: 'live', resourceVersion }, spec: { replicas: 2 } };
  const path = `${live}/scale?dryRun=All`;
  return [
    put(`put scale ${JSON.stringify(resourceVersion)}`, path, scale),
    patch(`merge scale ${JSON.stringify(resourceVersion)}`, path, { type: 'merge', body: scale }),
  ];
}

/** Strange resource versions in everything that writes. */
export const resourceVersions = scenario('resource-versions', [inNamespace(namespace), ...kinds.flatMap(ofKind)]);
