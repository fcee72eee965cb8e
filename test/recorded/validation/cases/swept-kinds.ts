import type { JsonObject } from '../../../../src/api/json/json.ts';
import type { KindCases } from '../case.ts';
import { values } from './values.ts';

// What a sweep over all kinds found: updates that validate a whole object, lists of values, limits of lengths. The
// reference runs with all feature gates and APIs.

function swept(resource: string, kind: string, rest: JsonObject, more: Partial<KindCases>): KindCases {
  const apiVersion = resource.split('/').slice(0, -1).join('/');
  return {
    resource,
    variant: 'swept',
    base: { apiVersion, kind, metadata: { name: 'recorded-swept' }, ...rest },
    createWith: { 'metadata.name': 'created' },
    createWithout: ['status'],
    ...more,
  };
}

const toleration: JsonObject = { tolerationSeconds: 1 };
const runtimeClasses = swept(
  'node.k8s.io/v1/runtimeclasses',
  'RuntimeClass',
  { handler: 'a', overhead: { podFixed: { cpu: '1' } } },
  {
    clusterScoped: true,
    update: [
      ...values('handler', '', 'A', 'b'),
      ...values('overhead', { podFixed: { cpu: '-1' } }, { podFixed: { a: '1' } }),
      ...values('scheduling', { tolerations: [toleration] }, { tolerations: [{ operator: '' }] }),
      ...values('scheduling', { nodeSelector: { ['a'.repeat(64)]: 'b' } }, { tolerations: [{}, {}] }),
    ],
  },
);

const topology: JsonObject = { matchLabelExpressions: [{ key: 'a', values: ['b'] }] };
const storageClasses = swept(
  'storage.k8s.io/v1/storageclasses',
  'StorageClass',
  { provisioner: 'a', allowedTopologies: [topology] },
  {
    clusterScoped: true,
    update: [
      ...values('provisioner', undefined, '', 'b'),
      ...values('volumeBindingMode', ' ', 'WaitForFirstConsumer'),
      ...values('allowedTopologies', [{}], [topology, topology], [{ matchLabelExpressions: [{}] }]),
    ],
  },
);

const parentRef: JsonObject = { resource: 'services', namespace: 'a', name: 'b' };
const addresses = swept(
  'networking.k8s.io/v1/ipaddresses',
  'IPAddress',
  { metadata: { name: '198.51.100.77' }, spec: { parentRef } },
  {
    clusterScoped: true,
    createWith: { 'metadata.name': '198.51.100.78' },
    create: [...values('spec', {}, undefined), ...values('spec.parentRef', {}, { name: 'a/b', group: 'A' })],
    update: [
      ...values('spec', {}, undefined),
      ...values('spec.parentRef.name', 'a/b', 'c', undefined),
      ...values('spec.parentRef.namespace', 'a/b'),
      ...values('spec.parentRef', {}, undefined, { ...parentRef, group: 'A' }),
    ],
  },
);

const driver = (nodeID: string): JsonObject => ({ name: 'a', nodeID });
const csiNodes = swept(
  'storage.k8s.io/v1/csinodes',
  'CSINode',
  { spec: { drivers: [driver('b')] } },
  {
    clusterScoped: true,
    create: [255, 256, 257].flatMap((length) => [
      ...values('spec.drivers', [driver('a'.repeat(length))]),
      ...values('spec.drivers', [driver(`é${'a'.repeat(length - 2)}`)]),
    ]),
  },
);

const strategies = values('spec.strategy', '', 'x', 'a/b', 'A/b/c', '/', 'OldestEmulationVersion');
const leases = swept(
  'coordination.k8s.io/v1/leases',
  'Lease',
  { spec: { holderIdentity: 'a' } },
  { create: [...strategies, { 'spec.strategy': 'x', 'spec.preferredHolder': 'b' }], update: strategies },
);

const hints = (names: readonly string[]): JsonObject => ({ forNodes: names.map((name) => ({ name })) });
const slices = swept(
  'discovery.k8s.io/v1/endpointslices',
  'EndpointSlice',
  { addressType: 'IPv4', endpoints: [{ addresses: ['10.0.0.1'] }] },
  {
    create: values(
      'endpoints.0.hints',
      ...[
        [''],
        ['A'],
        ['a', 'a'],
        Array.from({ length: 8 }, (_, index) => `n${index}`),
        Array<string>(9).fill('a'),
      ].map(hints),
    ),
  },
);

const responder = (name: string, priority?: number): JsonObject => ({
  name,
  ...(priority === undefined ? {} : { priority }),
});
const labels = { a: 'b' };
const replicaSets = swept(
  'apps/v1/replicasets',
  'ReplicaSet',
  {
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'a', image: 'b' }] } },
    },
  },
  {
    create: values(
      'spec.template.spec.evictionResponders',
      [{}],
      [responder('a')],
      [responder('a.b/c', 999)],
      [responder('a.b/c', 1000)],
      [responder('a.b/c', 100_001)],
      [responder('a.b/c', -1)],
      [responder('x.k8s.io/c', 1000)],
      [responder('a.b/c', 1000), responder('a.b/c', 2000)],
      Array.from({ length: 11 }, (_, index) => responder(`a.b/c${index}`, 1000)),
    ),
  },
);

const revisions = swept(
  'apps/v1/controllerrevisions',
  'ControllerRevision',
  { revision: 1, data: { a: 1 } },
  { update: values('data', undefined, null, {}, { a: 2 }) },
);

const volumes = swept(
  'v1/persistentvolumes',
  'PersistentVolume',
  { spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, hostPath: { path: '/a' } } },
  { clusterScoped: true, status: values('metadata.finalizers', ['a'], ['kubernetes'], ['a/b']) },
);

const device: JsonObject = { name: 'd', attributes: { a: { int: 1 } }, capacity: { c: { value: '1' } } };
const allocatable = (resources: JsonObject): JsonObject => ({ ...device, nodeAllocatableResources: resources });
const consuming = (fields: JsonObject): JsonObject => ({
  ...device,
  consumesCounters: [{ counterSet: 's', counters: { a: { value: '1' } }, ...fields }],
});
const resourceSlices = swept(
  'resource.k8s.io/v1/resourceslices',
  'ResourceSlice',
  {
    spec: {
      driver: 'a.b',
      allNodes: true,
      pool: { name: 'p', generation: 1, resourceSliceCount: 1 },
      devices: [device],
    },
  },
  {
    clusterScoped: true,
    create: [
      ...values('spec.devices.0.attributes.a', {}, { ints: [1] }, { ints: [1], bool: true }, { versions: ['x'] }),
      ...values('spec.devices.0.attributes.a', { strings: ['a'.repeat(65)] }, { bools: Array<boolean>(49).fill(true) }),
      ...values(
        'spec.devices.0',
        allocatable({ a: {} }),
        allocatable({ cpu: { mapping: {} } }),
        allocatable({ cpu: { mapping: { capacityKey: 'x', deviceMultiplier: '0' } } }),
        allocatable({ cpu: { mapping: { capacityKey: 'c', capacityMultiplier: '-1' } } }),
        allocatable({ cpu: { mapping: { capacityMultiplier: '1' } } }),
        allocatable({ memory: { overhead: {} } }),
        allocatable({ memory: { overhead: { perPod: '-1', perContainer: '1' } } }),
        consuming({ compatibilityGroups: ['a', 'a'] }),
        consuming({ compatibilityGroups: ['A', 'b', 'c'] }),
        consuming({ counterSet: 'a'.repeat(64) }),
      ),
      ...values('spec.partitionTypeAttribute', 'a', 'a.b/c'),
      { 'spec.partitionTypeAttribute': 'a.b/c', 'spec.devices.0': consuming({}) },
      { 'spec.partitionTypeAttribute': 'a.b/a', 'spec.devices.0': consuming({}) },
      ...values('spec.skipNodeOperations', ['*'], ['NodePrepareResources'], ['x', 'x']),
    ],
  },
);

const wanted: JsonObject = { deviceClassName: 'a' };
const alternative: JsonObject = { name: 'b', deviceClassName: 'a'.repeat(254) };
const claims = swept(
  'resource.k8s.io/v1/resourceclaims',
  'ResourceClaim',
  { spec: { devices: { requests: [{ name: 'a', exactly: wanted }] } } },
  {
    create: [
      ...values('spec.devices.requests.0', {
        name: 'a',
        exactly: { allocationMode: 'x' },
        firstAvailable: [alternative],
      }),
      ...values('spec.devices.requests.0', { name: 'a', firstAvailable: [alternative, alternative] }),
      ...values('spec.devices.constraints', [{ matchAttribute: 'a', distinctAttribute: 'b' }], [{}]),
      ...values('spec.devices.requests.0.exactly', { ...wanted, allocationMode: '' }, { ...wanted, count: 0 }),
    ],
  },
);

const nodes = swept(
  'v1/nodes',
  'Node',
  {},
  {
    clusterScoped: true,
    create: [
      ...values('spec.podCIDRs', ['a', 'b'], ['10.0.0.0/24', 'x'], ['10.0.0.0/24', '10.0.1.0/24']),
      ...values('spec.podPreemptionPolicy', { disableResizePreemption: ['', 'a/b', 'A b', 'a', 'a'] }),
      ...values('spec.podPreemptionPolicy', { disableResizePreemption: Array<string>(21).fill('a') }),
    ],
  },
);

const attachments = swept(
  'storage.k8s.io/v1/volumeattachments',
  'VolumeAttachment',
  { spec: { attacher: 'a.b', nodeName: 'n', source: { persistentVolumeName: 'p' } } },
  {
    clusterScoped: true,
    create: values('spec.attacher', 'é'.repeat(63), 'é'.repeat(64), 'a'.repeat(64), 'é'.repeat(127), ''),
    update: [
      ...values('spec.attacher', '-', 'A.b', 'é'.repeat(32), 'a'.repeat(64), ''),
      ...values('spec', undefined, { attacher: '-', nodeName: '-' }),
    ],
  },
);

export const sweptCases: readonly KindCases[] = [
  runtimeClasses,
  storageClasses,
  addresses,
  csiNodes,
  leases,
  slices,
  replicaSets,
  revisions,
  volumes,
  resourceSlices,
  claims,
  nodes,
  attachments,
];
