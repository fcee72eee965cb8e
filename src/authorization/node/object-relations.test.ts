import { expect, test } from 'vitest';
import type { KubernetesObject } from '../../api/meta/object.ts';
import { relatingKinds } from './object-relations.ts';

function relationsOf(resource: string, object: object): readonly string[] {
  const kind = relatingKinds.find((candidate) => candidate.resource === resource);
  const { ofNode, follows = [] } = kind?.relationsOf(object as KubernetesObject) ?? {};
  const text = (of: { readonly resource: string; readonly namespace: string; readonly name: string }): string =>
    `${of.resource} ${of.namespace}/${of.name}`;
  return [
    ...(ofNode?.objects ?? []).map((of) => `${ofNode?.node}: ${text(of)}`),
    ...follows.map(({ follower, followed }) => `${text(follower)} like ${text(followed)}`),
  ];
}

const metadata = { namespace: 'n', name: 'p' };
const spec = {
  nodeName: 'one',
  serviceAccountName: 'account',
  imagePullSecrets: [{ name: 'pull' }, {}],
  initContainers: [{ name: 'i', envFrom: [{ secretRef: { name: 'init' } }] }],
  containers: [{ name: 'c', env: [{ name: 'E', valueFrom: { configMapKeyRef: { name: 'env', key: 'k' } } }] }],
  ephemeralContainers: [{ name: 'e', envFrom: [{ configMapRef: { name: 'late' } }] }],
  volumes: [
    { name: 'a', secret: { secretName: 'mounted' } },
    { name: 'b', projected: { sources: [{ configMap: { name: 'projected' } }, { secret: { name: 'pull' } }] } },
    { name: 'c', persistentVolumeClaim: { claimName: 'claim' } },
    { name: 'd', ephemeral: { volumeClaimTemplate: { spec: {} } } },
    { name: 'e', csi: { driver: 'd', nodePublishSecretRef: { name: 'driver' } } },
    { name: 'f', rbd: { image: 'i', monitors: [], secretRef: { name: 'block' } } },
  ],
  resourceClaims: [
    { name: 'given', resourceClaimName: 'device' },
    { name: 'made', resourceClaimTemplateName: 't' },
    { name: 'pending', resourceClaimTemplateName: 't' },
  ],
};
const status = {
  resourceClaimStatuses: [{ name: 'made', resourceClaimName: 'made-1' }],
  extendedResourceClaimStatus: { resourceClaimName: 'extended' },
};

test('a node may read what its pod refers to, each object once', () => {
  expect(relationsOf('pods', { metadata, spec, status })).toEqual(
    [
      'pods n/p',
      'serviceaccounts n/account',
      'secrets n/pull',
      'secrets n/init',
      'secrets n/mounted',
      'secrets n/driver',
      'secrets n/block',
      'configmaps n/env',
      'configmaps n/late',
      'configmaps n/projected',
      'persistentvolumeclaims n/claim',
      'persistentvolumeclaims n/p-d',
      'resourceclaims n/device',
      'resourceclaims n/made-1',
      'resourceclaims n/extended',
    ].map((object) => `one: ${object}`),
  );
});

test('a pod without a node relates nothing, and a mirror pod only itself', () => {
  expect(relationsOf('pods', { metadata, spec: { ...spec, nodeName: '' } })).toEqual([]);
  const mirror = { ...metadata, annotations: { 'kubernetes.io/config.mirror': '' } };
  expect(relationsOf('pods', { metadata: mirror, spec })).toEqual(['one: pods n/p']);
});

test.each<[object, readonly string[]]>([
  [{ azureFile: { secretName: 's', shareName: 'x' } }, ['home/s']],
  [{ azureFile: { secretName: 's', secretNamespace: 'there', shareName: 'x' } }, ['there/s']],
  [{ rbd: { secretRef: { name: 's' } } }, ['home/s']],
  [{ iscsi: { secretRef: { name: 's', namespace: 'there' } } }, ['there/s']],
  [{ cinder: { secretRef: { name: 's', namespace: 'there' } } }, ['there/s']],
  [
    {
      csi: {
        controllerPublishSecretRef: { name: 'hidden', namespace: 'there' },
        nodeStageSecretRef: { name: 'a', namespace: 'there' },
        nodeExpandSecretRef: { name: 'b', namespace: 'there' },
      },
    },
    ['there/a', 'there/b'],
  ],
])('the volume source %j', (source, secrets) => {
  const volume = { metadata: { name: 'v' }, spec: { claimRef: { namespace: 'home', name: 'c' }, ...source } };
  expect(relationsOf('persistentvolumes', volume)).toEqual([
    'persistentvolumes /v like persistentvolumeclaims home/c',
    ...secrets.map((secret) => `secrets ${secret} like persistentvolumes /v`),
  ]);
  expect(relationsOf('persistentvolumes', { metadata: { name: 'v' }, spec: source })).toEqual([]);
});
