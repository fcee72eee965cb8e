import type { KindCases, Mutation } from '../case.ts';
import { values } from './values.ts';

// Kinds that are only served with --runtime-config; StorageVersion belongs to the gate StorageVersionAPI.

const candidate = {
  leaseName: 'lease',
  binaryVersion: '1.37.0',
  emulationVersion: '1.36.0',
  strategy: 'OldestEmulationVersion',
};
const versions = [
  '1.37',
  'v1.37.0',
  '1.37.0-alpha.1',
  '1.37.0-alpha+build',
  '01.2.3',
  'x',
  '',
  undefined,
  '0.0.0',
  '1.36.0-rc.1',
];
const specs: readonly Mutation[] = [
  {},
  ...values('spec', {}, undefined),
  ...values('spec.leaseName', '', 'other'),
  ...values('spec.binaryVersion', ...versions),
  ...values('spec.emulationVersion', ...versions),
  { 'spec.binaryVersion': '1.37.0-alpha.1', 'spec.emulationVersion': '1.37.0-alpha.2' },
  { 'spec.binaryVersion': '1.37.0-alpha.1', 'spec.emulationVersion': '1.37.0-1' },
  ...values('spec.strategy', '', 'x', 'a.b/c', 'a.b/', 'A/b/c'),
  { 'spec.strategy': 'a.b/c', 'spec.emulationVersion': undefined },
];

const server = {
  apiServerID: 'a',
  encodingVersion: 'v1',
  decodableVersions: ['v1', 'apps/v1'],
  servedVersions: ['v1'],
};
const status = (...list: readonly object[]): Mutation[] => list.map((value) => ({ status: value }) as Mutation);
const condition = {
  type: 'AllEncodingVersionsEqual',
  status: 'True',
  reason: 'r',
  message: 'm',
  lastTransitionTime: null,
};

export const gatedCases: readonly KindCases[] = [
  {
    resource: 'coordination.k8s.io/v1beta1/leasecandidates',
    base: {
      apiVersion: 'coordination.k8s.io/v1beta1',
      kind: 'LeaseCandidate',
      metadata: { name: 'recorded' },
      spec: candidate,
    },
    createWith: { 'metadata.name': 'created' },
    create: [...values('metadata.name', 'A_b.c', 'a b', '..'), ...values('metadata.finalizers', ['x']), ...specs],
    update: [...values('metadata.finalizers', ['x']), ...specs],
  },
  {
    resource: 'internal.apiserver.k8s.io/v1alpha1/storageversions',
    clusterScoped: true,
    base: {
      apiVersion: 'internal.apiserver.k8s.io/v1alpha1',
      kind: 'StorageVersion',
      metadata: { name: 'recorded.things' },
      spec: {},
      status: {},
    },
    createWith: { 'metadata.name': 'created.things' },
    create: [{}, ...values('metadata.name', 'a', 'A.b', 'a.1', 'a.b.c'), ...values('metadata.finalizers', ['x'])],
    update: [{}, ...values('metadata.finalizers', ['x'])],
    status: [
      {},
      ...status(
        { storageVersions: [server] },
        { storageVersions: [server], commonEncodingVersion: 'v1' },
        { storageVersions: [server], commonEncodingVersion: 'v2' },
        { commonEncodingVersion: 'v1' },
        { storageVersions: [server, { ...server, encodingVersion: 'apps/v1' }], commonEncodingVersion: 'v1' },
        { storageVersions: [{}], commonEncodingVersion: '' },
        {
          storageVersions: [
            {
              apiServerID: 'A b',
              encodingVersion: 'a/b/c',
              decodableVersions: ['/', 'A/1'],
              servedVersions: ['x', 'A/1'],
            },
          ],
        },
        { conditions: [condition, condition, {}] },
      ),
    ],
  },
];
