import type { KindCases, Mutation } from '../case.ts';
import { values } from './values.ts';

const apiVersion = 'apiregistration.k8s.io/v1';
const group = 'recorded.example.com';
const service = { name: 'extension', namespace: 'default' };
const metadata = {
  'metadata.labels': { a: 'b' },
  'metadata.annotations': { a: 'b' },
  'metadata.finalizers': ['a'],
};

const spec = (...list: Parameters<typeof values>[1][]): Mutation[] => values('spec', ...list);
const remote = { group, version: 'v1', groupPriorityMinimum: 100, versionPriority: 10, service };

const creations: readonly Mutation[] = [
  {},
  metadata,
  ...values('metadata.name', 'v1', 'x', 'v2.recorded.example.com', 'a/b', '..', 'A b'),
  { 'metadata.generateName': 'x' },
  ...spec({}, undefined),
  ...values('spec.group', '', undefined, 'A', 'other.example.com'),
  { 'metadata.name': 'v1.', 'spec.group': undefined },
  { 'metadata.name': 'v2.', 'spec.group': undefined, 'spec.version': 'v2' },
  { 'metadata.name': 'V1.A_', 'spec.group': 'A_', 'spec.version': 'V1' },
  ...values('spec.version', '', undefined, '1', 'v2', 'v1.a'),
  ...values('spec.groupPriorityMinimum', undefined, 0, -1, 20000, 20001, 'x'),
  ...values('spec.versionPriority', undefined, 0, -1, 1000, 1001),
  ...values('spec.service', {}, { name: 'a' }, { namespace: 'a' }, undefined),
  ...[0, -1, 65536, 1].flatMap((port) => values('spec.service', { ...service, port })),
  ...values('spec.caBundle', 'YWJj', '%', ''),
  { 'spec.caBundle': 'YWJj', 'spec.insecureSkipTLSVerify': true },
  { 'spec.insecureSkipTLSVerify': true },
  { 'spec.service': undefined, 'spec.caBundle': 'YWJj', 'spec.insecureSkipTLSVerify': true },
  ...values('status', { conditions: [{ type: 'x', status: 'x' }] }),
];

const conditions = [{ type: 'Available' }, { type: 'a', status: 'true' }, { type: 'a', status: 'Unknown' }];

export const apiServiceCases: readonly KindCases[] = [
  {
    resource: `${apiVersion}/apiservices`,
    clusterScoped: true,
    base: { apiVersion, kind: 'APIService', metadata: { name: `v1.${group}` }, spec: remote },
    createWith: { 'metadata.name': 'v3.recorded.example.com', 'spec.version': 'v3' },
    create: creations,
    update: [
      {},
      { 'metadata.resourceVersion': undefined },
      metadata,
      ...values('spec.group', 'other.example.com', ''),
      ...values('spec.version', 'v2'),
      ...values('spec.versionPriority', 20, 0),
      ...values('spec.service', undefined, {}, { ...service, port: 8443 }),
      ...values('status', undefined, { conditions }),
    ],
    status: [
      ...values('status', { conditions }, { conditions: conditions.slice(2) }, undefined),
      { ...metadata, 'spec.versionPriority': 0 },
    ],
  },
];
