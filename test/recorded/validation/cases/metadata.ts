import type { JsonObject } from '../../../../src/api/json/json.ts';
import type { KindCases, Mutation } from '../case.ts';
import { values } from './values.ts';

// Names, labels and finalizers of kinds with rules of their own.

const names = values(
  'metadata.name',
  'a.b',
  'A',
  'a_b',
  'a'.repeat(63),
  'a'.repeat(64),
  `${'a'.repeat(60)}.b`,
  'a-',
  '-',
);
const metadata: readonly Mutation[] = [
  ...names,
  ...values('metadata.finalizers', ['x']),
  { 'metadata.name': 'A', 'metadata.finalizers': ['x'], 'metadata.labels': { 'a b': '' } },
];

/** Prefixes beside names that are right, and that are not. */
const prefixes: readonly Mutation[] = [
  ...values('metadata.generateName', 'a/b', 'a%b', 'A', '.'),
  { 'metadata.name': 'A', 'metadata.generateName': 'a/b' },
  { 'metadata.generateName': 'a/b', 'spec.replicas': -1 },
];

const labels = { a: 'b' };
const template = { metadata: { labels }, spec: { containers: [{ name: 'a', image: 'b' }] } };
const jobTemplate = { ...template, spec: { ...template.spec, restartPolicy: 'Never' } };

function named(resource: string, kind: string, rest: JsonObject, more: Partial<KindCases> = {}): KindCases {
  const apiVersion = resource.split('/').slice(0, -1).join('/');
  return {
    resource,
    variant: 'metadata',
    base: { apiVersion, kind, metadata: { name: 'recorded-metadata' }, ...rest },
    createWith: { 'metadata.name': 'created' },
    create: metadata,
    update: values('metadata.finalizers', ['x']),
    ...more,
  };
}

const jobLabels: readonly Mutation[] = [
  {},
  ...values('metadata.labels', { x: 'y' }, {}, undefined),
  ...values('spec.template', { spec: jobTemplate.spec }, { metadata: { labels: {} }, spec: jobTemplate.spec }),
  { 'metadata.name': undefined, 'metadata.generateName': '' },
  { 'spec.manualSelector': true, 'spec.selector': { matchLabels: labels } },
];

export const metadataCases: readonly KindCases[] = [
  named('apps/v1/statefulsets', 'StatefulSet', {
    spec: { selector: { matchLabels: labels }, serviceName: 'x', replicas: 0, template },
  }),
  named(
    'v1/replicationcontrollers',
    'ReplicationController',
    { spec: { selector: labels, replicas: 0, template } },
    { create: [...metadata, ...prefixes] },
  ),
  named('policy/v1/poddisruptionbudgets', 'PodDisruptionBudget', {}),
  named('v1/events', 'Event', { involvedObject: { namespace: 'recorded-validation' } }),
  named('node.k8s.io/v1/runtimeclasses', 'RuntimeClass', { handler: 'a' }, { clusterScoped: true }),
  named(
    'networking.k8s.io/v1/ipaddresses',
    'IPAddress',
    { metadata: { name: '10.99.0.1' }, spec: { parentRef: { resource: 'a', name: 'b' } } },
    {
      clusterScoped: true,
      createWith: { 'metadata.name': '10.99.0.2' },
      create: [...metadata, ...values('metadata.name', '010.0.0.1', '::ffff:1.2.3.4', '2001:DB8::1', '2001:db8::1')],
    },
  ),
  named(
    'batch/v1/jobs',
    'Job',
    { spec: { suspend: true, template: jobTemplate, manualSelector: true, selector: { matchLabels: labels } } },
    {
      createWith: {
        'metadata.name': 'created',
        'metadata.labels': undefined,
        'spec.selector': undefined,
        'spec.manualSelector': undefined,
      },
      create: jobLabels,
      update: [],
    },
  ),
];
