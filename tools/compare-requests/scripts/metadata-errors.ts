import { configMap, instance, places, service } from '../objects.ts';
import { define } from '../definitions.ts';
import { script, type Step } from '../script.ts';
import { apply, forEach, get, inNamespace, patch, post, put } from '../steps.ts';

const space = 'metadata-errors';
const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const namespaced = {
  group: 'metadata.example.com',
  plural: 'pins',
  kind: 'Pin',
  properties: { spec: { type: 'object', properties: { a: { type: 'integer' } } }, status: anything },
  version: { subresources: { status: {} } },
} as const;
const cluster = {
  group: 'metadata.example.com',
  plural: 'maps',
  kind: 'Map',
  scope: 'Cluster',
  properties: {
    spec: {
      type: 'object',
      properties: { a: { type: 'integer' } },
      'x-kubernetes-validations': [{ rule: '!has(self.a) || self.a < 9', message: 'too many' }],
    },
  },
} as const;

interface Subject {
  readonly collection: string;
  readonly of: (name: string, metadata: object) => object;
  readonly hasStatus?: true;
}

const subjects: { readonly [name: string]: Subject } = {
  pin: {
    collection: places.custom(namespaced.group, namespaced.plural, space),
    of: (name, metadata) => instance(namespaced, name, { spec: { a: 1 } }, metadata),
    hasStatus: true,
  },
  'wrong pin': {
    collection: places.custom(namespaced.group, namespaced.plural, space),
    of: (name, metadata) => instance(namespaced, name, { spec: { a: name === 'wrong-pin' ? 1 : 'x' } }, metadata),
  },
  map: {
    collection: `/apis/${cluster.group}/v1/${cluster.plural}`,
    of: (name, metadata) => instance(cluster, name, { spec: { a: name === 'map' ? 1 : 9 } }, metadata),
  },
  'config map': { collection: places.configMaps(space), of: (name, metadata) => configMap(name, { a: '1' }, metadata) },
  service: {
    collection: places.services(space),
    of: (name, metadata) => service(name, { ports: [{ port: 80 }] }, metadata),
    hasStatus: true,
  },
};

const owner = { apiVersion: 'v1', kind: 'X', name: 'x', uid: 'u' };
const wrong: { readonly [name: string]: object } = {
  'a label key': { labels: { 'a b': 'c' } },
  'a label value': { labels: { a: 'b c' } },
  'two labels': { labels: { 'a b': 'c d', '/x': '-' } },
  'an annotation': { annotations: { 'a b': 'c' } },
  'an annotation in capitals': { annotations: { 'A.B/C': 'c', 'A B': 'c' } },
  'a long label': { labels: { ['a'.repeat(64)]: 'b'.repeat(64) } },
  'a finalizer': { finalizers: ['a b'] },
  'a finalizer without a domain': { finalizers: ['x', 'example.com', 'example.com/x'] },
  'both finalizers': { finalizers: ['orphan', 'foregroundDeletion'] },
  'an empty finalizer': { finalizers: [''] },
  'a finalizer twice': { finalizers: ['example.com/a', 'example.com/a'] },
  'an empty owner': { ownerReferences: [{}] },
  'an owner without a uid': { ownerReferences: [{ ...owner, uid: '' }] },
  'an owner of a wrong version': { ownerReferences: [{ ...owner, apiVersion: 'a/b/c' }] },
  'an owner without a version': { ownerReferences: [{ ...owner, apiVersion: 'a/' }] },
  'an event': { ownerReferences: [{ ...owner, kind: 'Event' }] },
  'two controllers': {
    ownerReferences: [
      { ...owner, controller: true },
      { ...owner, name: 'y', uid: 'v', controller: true },
    ],
  },
  'the same owner twice': { ownerReferences: [owner, owner] },
  'a negative generation': { generation: -1 },
  'a low generation': { generation: 0 },
  'another namespace': { namespace: 'other' },
  'another name': { name: 'other' },
  'a wrong name': { name: 'A b' },
  'no name': { name: '' },
  'a generated name': { name: '', generateName: 'gen-A b-' },
  'another uid': { uid: '00000000-0000-4000-8000-000000000000' },
  'another creation': { creationTimestamp: '2001-01-01T00:00:00Z' },
  'no creation': { creationTimestamp: null },
  'a deletion': { deletionTimestamp: '2001-01-01T00:00:00Z' },
  'a grace period': { deletionGracePeriodSeconds: 30 },
  'a negative grace period': { deletionGracePeriodSeconds: -1 },
  'a link': { selfLink: '/x' },
  'a wrong version': { resourceVersion: 'x' },
  'owners of an unknown operation': {
    managedFields: [{ manager: 'm', operation: 'Nope', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: {} }],
  },
  'owners of no operation': { managedFields: [{ manager: 'm' }] },
  'owners of another type': {
    managedFields: [{ manager: 'm', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV2', fieldsV1: {} }],
  },
  'an odd manager': {
    managedFields: [{ manager: 'm\n', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: {} }],
  },
  'labels that are a list': { labels: ['a'] },
  'labels that are numbers': { labels: { a: 1 } },
  'annotations that are null': { annotations: { a: null } },
  'finalizers that are a text': { finalizers: 'x' },
  'an owner that is a text': { ownerReferences: ['x'] },
  'a name that is a number': { name: 1 },
  'a generation that is a text': { generation: '1' },
  'a generation that is a fraction': { generation: 1.5 },
  'a creation that is none': { creationTimestamp: 'yesterday' },
  'a deletion that is none': { deletionTimestamp: 'tomorrow' },
  'owners that are a text': { managedFields: 'x' },
  'owners at a wrong time': {
    managedFields: [
      { manager: 'm', operation: 'Update', apiVersion: 'v1', time: 'x', fieldsType: 'FieldsV1', fieldsV1: {} },
    ],
  },
  'a link that is a number': { selfLink: 1 },
  'a grace period that is a fraction': { deletionGracePeriodSeconds: 1.5 },
  'broken times': { creationTimestamp: 'x', deletionTimestamp: 'y', generation: 1.5 },
  'a grace period that is a text': { deletionGracePeriodSeconds: 'x' },
  'everything wrong': {
    labels: { 'a b': 'c' },
    annotations: { 'a b': 'c' },
    finalizers: ['a b'],
    ownerReferences: [{}],
    uid: '00000000-0000-4000-8000-000000000000',
    deletionGracePeriodSeconds: 5,
  },
};

function writes({ collection, of, hasStatus }: Subject, subject: string): readonly Step[] {
  const name = subject.replace(' ', '-');
  const one = `${collection}/${name}`;
  const dry = 'dryRun=All';
  return [
    post(`${subject}: create`, collection, of(name, { labels: { l: '1' } })),
    ...forEach(wrong, (metadata, title) => {
      const called = (what: string): string => `${subject}: ${what}: ${title}`;
      return [
        post(called('post'), `${collection}?${dry}`, of('n', metadata)),
        put(called('put'), `${one}?${dry}`, of(name, metadata)),
        patch(called('merge'), 'merge', `${one}?${dry}`, { metadata }),
        apply(called('apply'), `${one}?${dry}`, of(name, metadata), 'x&force=true'),
        apply(called('apply anew'), `${collection}/n?${dry}`, of('n', metadata), 'x&force=true'),
        ...(hasStatus === true
          ? [patch(called('merge the status'), 'merge', `${one}/status?${dry}`, { metadata, status: {} })]
          : []),
      ];
    }),
    get(`${subject}: at the end`, one),
  ];
}

/** Reports: metadata that are refused, and how often an error is told. */
export const metadataErrors = script(
  'metadata-errors',
  inNamespace(space),
  define(namespaced),
  define(cluster),
  forEach(subjects, writes),
);
