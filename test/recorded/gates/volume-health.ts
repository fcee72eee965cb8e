import type { Step } from './requests.ts';

// Health of volumes and storage in statuses (CSIVolumeHealth): with the gate off it is dropped.

const claims = '/api/v1/namespaces/default/persistentvolumeclaims';
const pods = '/api/v1/namespaces/default/pods';
const nodes = '/apis/storage.k8s.io/v1/csinodes';
const slices = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices';

const degraded = { status: 'Degraded', reason: 'SlowDisk' };
const many = (count: number): readonly object[] =>
  Array.from({ length: count }, (_, index) => ({ status: 'Degraded', reason: `R${index}` }));

/** Conditions, by what is particular about them. */
const conditions: Readonly<Record<string, readonly unknown[]>> = {
  one: [degraded],
  'two of a status': [degraded, { ...degraded, reason: 'Other' }],
  'twice the same': [degraded, degraded],
  'of every status': ['DataLoss', 'Degraded', 'Inaccessible'].map((status) => ({ status, reason: 'R' })),
  'an unknown status': [{ ...degraded, status: 'Fine' }],
  'an empty status': [{ ...degraded, status: '' }],
  nothing: [{}],
  null: [null],
  'no reason': [{ status: 'Degraded' }],
  'a reason with blanks': [{ ...degraded, reason: 'slow disk' }],
  'a reason of 256': [{ ...degraded, reason: 'R'.repeat(256) }],
  'a reason of 257': [{ ...degraded, reason: 'R'.repeat(257) }],
  'a message of 1024': [{ ...degraded, message: 'm'.repeat(1024) }],
  'a message of 1025': [{ ...degraded, message: 'm'.repeat(1025) }],
  'a message of 513 characters of two bytes': [{ ...degraded, message: 'é'.repeat(513) }],
  '16': many(16),
  '17': many(17),
  none: [],
};

/** Conditions of storage have statuses of their own. */
const storageConditions: Readonly<Record<string, readonly unknown[]>> = {
  ...Object.fromEntries(
    Object.entries(conditions).map(([name, list]) => [
      name,
      JSON.parse(JSON.stringify(list).replaceAll('"Degraded"', '"StorageDegraded"')) as unknown[],
    ]),
  ),
  'an access mode': [{ status: 'StorageDegraded', reason: 'R', accessMode: 'ReadWriteOnce' }],
  'an unknown access mode': [{ status: 'StorageUnreachable', reason: 'R', accessMode: 'x' }],
  'an unknown volume mode': [{ status: 'StorageUnreachable', reason: 'R', volumeMode: 'x' }],
  'modes that are empty': [{ status: 'StorageUnreachable', reason: 'R', accessMode: '', volumeMode: '' }],
};

const patched = (name: string, path: string, status: object): Step => ({
  name,
  method: 'PATCH',
  path: `${path}/status`,
  body: { status },
  part: ['status'],
});
const each = (list: Readonly<Record<string, readonly unknown[]>>, step: (name: string, of: unknown) => Step): Step[] =>
  Object.entries(list).map(([name, of]) => step(name, of));

const claimSteps: readonly Step[] = [
  {
    name: 'create a claim with health',
    method: 'POST',
    path: claims,
    part: ['status'],
    body: {
      metadata: { name: 'c' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      status: { healthStatus: { healthConditions: [degraded] } },
    },
  },
  ...each(conditions, (name, healthConditions) =>
    patched(`health of a claim: ${name}`, `${claims}/c`, { healthStatus: { healthConditions } }),
  ),
  patched('health of a claim: time only', `${claims}/c`, {
    healthStatus: { healthConditions: null, lastTransitionTime: '2026-01-01T00:00:00Z' },
  }),
  patched('health of a claim: empty', `${claims}/c`, { healthStatus: { lastTransitionTime: null } }),
  patched('health of a claim: removed', `${claims}/c`, { healthStatus: null }),
];

const podSteps: readonly Step[] = [
  {
    name: 'create a pod with volumes',
    method: 'POST',
    path: pods,
    part: ['status', 'volumeHealth'],
    body: {
      metadata: { name: 'with-volumes' },
      spec: { containers: [{ name: 'c', image: 'i' }], volumes: ['v', 'w'].map((name) => ({ name, emptyDir: {} })) },
      status: { volumeHealth: [{ name: 'v' }] },
    },
  },
  ...each(conditions, (name, healthConditions) => ({
    ...patched(`health of a volume: ${name}`, `${pods}/with-volumes`, {
      volumeHealth: [{ name: 'v', healthConditions }],
    }),
    part: ['status', 'volumeHealth'],
  })),
  ...each(
    {
      'two volumes': [{ name: 'v' }, { name: 'w', healthConditions: [degraded] }],
      'a volume twice': [{ name: 'v' }, { name: 'v', healthConditions: [degraded] }],
      'an unknown volume': [{ name: 'x', healthConditions: [{ ...degraded, reason: '-' }] }],
      'a volume without a name': [{ healthConditions: [degraded] }],
      'nothing of a volume': [{}],
      'no volumes': [],
    },
    (name, volumeHealth) => ({
      ...patched(`health of volumes: ${name}`, `${pods}/with-volumes`, { volumeHealth }),
      part: ['status', 'volumeHealth'],
    }),
  ),
];

const nodeSteps: readonly Step[] = [
  {
    name: 'create a CSINode with health',
    method: 'POST',
    path: nodes,
    part: ['status'],
    body: {
      metadata: { name: 'n' },
      spec: { drivers: [{ name: 'd.example', nodeID: 'n' }] },
      status: { storageHealth: [{ name: 'd.example' }] },
    },
  },
  ...each(storageConditions, (name, healthConditions) =>
    patched(`health of storage: ${name}`, `${nodes}/n`, { storageHealth: [{ name: 'd.example', healthConditions }] }),
  ),
  ...each(
    {
      'two drivers': [{ name: 'd.example' }, { name: 'e.example' }],
      'a driver twice': [{ name: 'd.example' }, { name: 'd.example' }],
      'a driver without a name': [{}],
      'a name that is none': [{ name: 'a b' }],
      none: [],
    },
    (name, storageHealth) => patched(`health of storages: ${name}`, `${nodes}/n`, { storageHealth }),
  ),
  { name: 'the CSINode', method: 'GET', path: `${nodes}/n`, part: ['status'] },
];

const slice = { addressType: 'IPv4', endpoints: [{ addresses: ['10.1.2.3'], deprecatedTopology: { a: 'b' } }] };
const sliceSteps: readonly Step[] = [
  {
    name: 'create a slice',
    method: 'POST',
    path: slices,
    part: ['metadata', 'generation'],
    body: { metadata: { name: 's' }, ...slice },
  },
  ...Object.entries({
    'the same': slice,
    'a label': { metadata: { labels: { a: 'b' } } },
    'an annotation': { metadata: { annotations: { a: 'b' } } },
    'a port': { ports: [{ port: 80 }] },
    topology: { endpoints: [{ addresses: ['10.1.2.3'], deprecatedTopology: { a: 'c' } }] },
    'an address': { endpoints: [{ addresses: ['10.1.2.4'] }] },
  }).map(([name, body]): Step => ({
    name: `change of a slice: ${name}`,
    method: 'PATCH',
    path: `${slices}/s`,
    body,
    part: ['metadata', 'generation'],
  })),
];

export const volumeHealthSteps: readonly Step[] = [...claimSteps, ...podSteps, ...nodeSteps, ...sliceSteps];
