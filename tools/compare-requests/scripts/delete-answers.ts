import { configMap, deployment, instance, places, pod, secret, service } from '../objects.ts';
import { define } from '../definitions.ts';
import { script, type Step } from '../script.ts';
import { forEach, get, inNamespace, metadataType, patch, post, protobufType, remove, tableType } from '../steps.ts';

const space = 'deletions';
const custom = {
  group: 'deletions.example.com',
  plural: 'leaves',
  kind: 'Leaf',
  properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
} as const;
type Subject = { readonly collection: string; readonly of: (name: string, metadata: object) => object };

const subjects: { readonly [name: string]: Subject } = {
  'config map': { collection: places.configMaps(space), of: (name, metadata) => configMap(name, { a: '1' }, metadata) },
  secret: { collection: places.secrets(space), of: (name, metadata) => secret(name, {}, metadata) },
  service: {
    collection: places.services(space),
    of: (name, metadata) => service(name, { clusterIP: 'None' }, metadata),
  },
  pod: { collection: places.pods(space), of: (name, metadata) => pod(name, {}, {}, metadata) },
  'scheduled pod': {
    collection: places.pods(space),
    of: (name, metadata) => pod(name, {}, { nodeName: 'n' }, metadata),
  },
  deployment: { collection: places.deployments(space), of: (name, metadata) => deployment(name, {}, metadata) },
  leaf: {
    collection: places.custom(custom.group, custom.plural, space),
    of: (name, metadata) => instance(custom, name, { spec: { a: 1 } }, metadata),
  },
};

const options: {
  readonly [name: string]: { readonly query?: string; readonly body?: unknown; readonly metadata?: object };
} = {
  plain: {},
  foreground: { body: { propagationPolicy: 'Foreground' } },
  orphan: { body: { propagationPolicy: 'Orphan' } },
  'background with a grace period': { body: { propagationPolicy: 'Background', gracePeriodSeconds: 5 } },
  'at once': { query: '?gracePeriodSeconds=0' },
  'orphan dependents': { query: '?orphanDependents=true' },
  'a finalizer': { metadata: { finalizers: ['example.com/f'] } },
  'a finalizer, foreground': { metadata: { finalizers: ['example.com/f'] }, body: { propagationPolicy: 'Foreground' } },
  'a finalizer at once': { metadata: { finalizers: ['example.com/f'] }, query: '?gracePeriodSeconds=0' },
  'owners that block': {
    metadata: {
      ownerReferences: [
        {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          name: 'o',
          uid: '00000000-0000-4000-8000-000000000001',
          blockOwnerDeletion: true,
        },
      ],
    },
  },
};

function optionSteps({ collection, of }: Subject, subject: string): readonly Step[] {
  const prefix = subject.replaceAll(' ', '-');
  return Object.entries(options).flatMap(([how, { query = '', body, metadata = {} }], index) => {
    const name = `${prefix}-${index}`;
    const one = `${collection}/${name}`;
    const called = (what: string): string => `${subject}, ${how}: ${what}`;
    return [
      post(called('create'), collection, of(name, metadata)),
      remove(called('a dry run'), `${one}?dryRun=All`, body),
      remove(called('delete'), `${one}${query}`, body),
      get(called('get'), one),
      remove(called('delete again'), `${one}${query}`, body),
      patch(called('no finalizers'), 'merge', one, { metadata: { finalizers: null } }),
      get(called('get at the end'), one),
    ];
  });
}

const bad: { readonly [name: string]: unknown } = {
  'an unknown policy': { propagationPolicy: 'Nope' },
  'both ways to orphan': { propagationPolicy: 'Orphan', orphanDependents: true },
  'a negative period': { gracePeriodSeconds: -1 },
  'a period that is a text': { gracePeriodSeconds: '1' },
  'an unknown dry run': { dryRun: ['Some'] },
  'another kind': { apiVersion: 'v1', kind: 'Pod' },
  'options of another group': { apiVersion: 'policy/v1', kind: 'DeleteOptions' },
  'options with a kind': { apiVersion: 'v1', kind: 'DeleteOptions' },
  'options of the kind of a group': { apiVersion: 'deletions.example.com/v1', kind: 'DeleteOptions' },
  'an unknown field': { nope: 1 },
  'a list': [],
  'a text': '"x"',
  'not JSON': '{',
  null: 'null',
  nothing: '',
};

/** Reports: a Status, or the object? With which details, and when does it go? */
export const deleteResponses = script(
  'delete-answers',
  inNamespace(space),
  define(custom),
  forEach(subjects, optionSteps),
  forEach(
    { 'config map': subjects['config map'], leaf: subjects['leaf'] } as { readonly [name: string]: Subject },
    ({ collection, of }, subject) => [
      post(`${subject}: one`, collection, of('x', {})),
      ...forEach(bad, (body, how) => remove(`${subject}: ${how}`, `${collection}/x?dryRun=All`, body)),
      ...forEach(
        {
          table: tableType,
          metadata: metadataType,
          protobuf: protobufType,
          YAML: 'application/yaml',
          nothing: 'text/html',
        },
        (accept, form) => remove(`${subject}: as ${form}`, `${collection}/x?dryRun=All`, undefined, { accept }),
      ),
      remove(
        `${subject}: in YAML`,
        `${collection}/x?dryRun=All`,
        { propagationPolicy: 'Background' },
        { form: 'yaml' },
      ),
      remove(
        `${subject}: in protobuf`,
        `${collection}/x?dryRun=All`,
        { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Background' },
        { form: 'protobuf' },
      ),
      remove(`${subject}: none`, `${collection}/nothing`),
      remove(`${subject}: ignoring read errors`, `${collection}/x?dryRun=All`, {
        ignoreStoreReadErrorWithClusterBreakingPotential: true,
      }),
      post(`${subject}: with labels`, collection, of('y', { labels: { a: 'b' } })),
      remove(`${subject}: the collection as a dry run`, `${collection}?dryRun=All&labelSelector=a`),
      remove(`${subject}: the collection with a selector`, `${collection}?labelSelector=a`),
      remove(`${subject}: the collection with a field`, `${collection}?fieldSelector=metadata.name%3Dx`),
      remove(`${subject}: the collection, a bad selector`, `${collection}?labelSelector=a%3D%3D%3D`),
      remove(`${subject}: the collection with a limit`, `${collection}?limit=1`),
      remove(`${subject}: the whole collection`, collection, { propagationPolicy: 'Background' }),
      get(`${subject}: nothing left`, collection),
    ],
  ),
);
