import { define } from '../definitions.ts';
import { configMap, instance, places, pod } from '../objects.ts';
import { script, type Step } from '../script.ts';
import { forEach, get, inNamespace, patch, post, put, remove } from '../steps.ts';

const space = 'delete-options';
const custom = {
  group: 'options.example.com',
  plural: 'twigs',
  kind: 'Twig',
  properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
} as const;

interface Options {
  readonly query?: string;
  readonly body?: unknown;
}

/** By the text of each value, so that names say what was asked. */
function inQuery(queries: readonly string[]): { readonly [name: string]: Options } {
  return Object.fromEntries(queries.map((query) => [query, { query }]));
}

function inBody(bodies: readonly object[]): { readonly [name: string]: Options } {
  return Object.fromEntries(bodies.map((body) => [JSON.stringify(body), { body }]));
}

const uid = '00000000-0000-4000-8000-000000000001';

const cases: { readonly [name: string]: Options } = {
  ...inQuery([
    'dryRun=All',
    'dryRun=',
    'dryRun',
    'dryRun=all',
    'dryRun=Some',
    'dryRun=All&dryRun=All',
    'dryRun=All&dryRun=Some',
    'dryRun=Some&dryRun=All',
    'dryRun=Some&dryRun=Other',
    'dryRun=All,All',
    'dryRun=null',
    'propagationPolicy=Orphan',
    'propagationPolicy=orphan',
    'propagationPolicy=',
    'propagationPolicy=nil',
    'propagationPolicy=Background&propagationPolicy=Nope',
    'propagationPolicy=Nope&propagationPolicy=Background',
    'propagationPolicy=Nope&dryRun=Some',
    'orphanDependents=true&propagationPolicy=Nope&dryRun=Some',
    'orphanDependents=',
    'orphanDependents',
    'orphanDependents=false',
    'orphanDependents=0',
    'orphanDependents=no',
    'orphanDependents=T',
    'orphanDependents=true&propagationPolicy=Orphan',
    'orphanDependents=true&propagationPolicy=',
    'gracePeriodSeconds=',
    'gracePeriodSeconds',
    'gracePeriodSeconds=-1',
    'gracePeriodSeconds=x',
    'gracePeriodSeconds=1.5',
    'gracePeriodSeconds=0x10',
    'gracePeriodSeconds=%2B1',
    'gracePeriodSeconds=9223372036854775807',
    'gracePeriodSeconds=9223372036854775808',
    'gracePeriodSeconds=1&gracePeriodSeconds=x',
    'gracePeriodSeconds=-9223372036854775808',
    'gracePeriodSeconds=x&dryRun=Some',
    'orphanDependents=no&dryRun=Some',
    'gracePeriodSeconds=01',
    'gracePeriodSeconds=1_0',
    'uid=',
    `uid=${uid}`,
    'resourceVersion=',
    'resourceVersion=1',
    'resourceVersion=x',
    `uid=${uid}&dryRun=Some`,
    `preconditions.uid=${uid}`,
    `preconditions=${uid}`,
    'ignoreStoreReadErrorWithClusterBreakingPotential=true',
    'ignoreStoreReadErrorWithClusterBreakingPotential=x',
    'kind=Nope&apiVersion=x',
    'pretty=x',
    'fieldValidation=Nope',
    'fieldManager=%00',
    'timeout=x',
    'dryRun=Some&timeout=x',
  ]),
  ...inBody([
    {},
    { dryRun: [] },
    { dryRun: null },
    { dryRun: [''] },
    { dryRun: ['all'] },
    { dryRun: ['Some'] },
    { dryRun: ['All', 'All'] },
    { dryRun: ['All', 'Some'] },
    { dryRun: 'All' },
    { dryRun: [null] },
    { dryRun: [1] },
    { propagationPolicy: '' },
    { propagationPolicy: null },
    { propagationPolicy: 'nope' },
    { propagationPolicy: 1 },
    { propagationPolicy: 'Nope', dryRun: ['Some', 'Other'], orphanDependents: false },
    { orphanDependents: null },
    { orphanDependents: false, propagationPolicy: 'Foreground' },
    { orphanDependents: 'true' },
    { orphanDependents: 0 },
    { gracePeriodSeconds: null },
    { gracePeriodSeconds: -1 },
    { gracePeriodSeconds: 1.5 },
    { gracePeriodSeconds: '1' },
    { gracePeriodSeconds: 1e3 },
    { gracePeriodSeconds: -1, dryRun: ['Some'] },
    { preconditions: null },
    { preconditions: {} },
    { preconditions: { uid: '' } },
    { preconditions: { uid } },
    { preconditions: { resourceVersion: '' } },
    { preconditions: { resourceVersion: '1' } },
    { preconditions: 'x' },
    { preconditions: { uid, resourceVersion: '1' } },
    { preconditions: { uid }, dryRun: ['Some'] },
    { preconditions: { nope: 1 } },
    { ignoreStoreReadErrorWithClusterBreakingPotential: true },
    { ignoreStoreReadErrorWithClusterBreakingPotential: 'x' },
  ]),
  'query and body': { query: 'dryRun=All', body: { dryRun: ['Some'] } },
  'another query and body': { query: 'dryRun=Some', body: { dryRun: ['All'] } },
  'a query beside an empty body': { query: 'dryRun=All&gracePeriodSeconds=x', body: {} },
  'a bad policy beside a body': { query: 'propagationPolicy=Nope', body: { dryRun: ['All'] } },
  both: { query: 'dryRun=All', body: { dryRun: ['All'] } },
  'a dry run twice': { query: 'dryRun=All', body: { dryRun: ['All', 'All'] } },
};

/** Again and again the same object, which a case may delete. */
interface Kind {
  readonly collection: string;
  readonly object: object;
}

const pods: Kind = { collection: places.pods(space), object: pod('x', {}, { nodeName: 'n' }) };
const kinds: { readonly [name: string]: Kind } = {
  map: { collection: places.configMaps(space), object: configMap('x', { a: '1' }) },
  pod: pods,
  twig: { collection: places.custom(custom.group, custom.plural, space), object: instance(custom, 'x') },
};

const joined = (path: string, query: string | undefined): string => (query === undefined ? path : `${path}?${query}`);

/** What orphans its dependents waits for the garbage collector, which is not there. */
function cleared(name: string, collection: string): readonly Step[] {
  return [
    patch(`${name}: no finalizers`, 'merge', `${collection}/x`, { metadata: { finalizers: null } }),
    remove(`${name}: at once`, `${collection}/x?gracePeriodSeconds=0`),
  ];
}

function deletions({ collection, object }: Kind, kind: string): readonly Step[] {
  return forEach(cases, ({ query, body }, name) => [
    post(`${kind}, ${name}: create`, collection, object),
    remove(`${kind}, ${name}: delete`, joined(`${collection}/x`, query), body),
    get(`${kind}, ${name}: what is left`, `${collection}/x`),
    ...cleared(`${kind}, ${name}`, collection),
  ]);
}

function collectionDeletions({ collection, object }: Kind, kind: string): readonly Step[] {
  return forEach(cases, ({ query, body }, name) => [
    post(`all ${kind}s, ${name}: create`, collection, object),
    remove(
      `all ${kind}s, ${name}: delete`,
      joined(collection, `labelSelector=a!=b${query === undefined ? '' : `&${query}`}`),
      body,
    ),
    ...cleared(`all ${kind}s, ${name}`, collection),
  ]);
}

const eviction = (deleteOptions: unknown): object => ({
  apiVersion: 'policy/v1',
  kind: 'Eviction',
  metadata: { name: 'x', namespace: space },
  ...(deleteOptions === undefined ? {} : { deleteOptions }),
});

function evictions(phase: 'Running' | 'Pending'): readonly Step[] {
  const path = pods.collection;
  return forEach(cases, ({ query, body }, name) => [
    post(`evict ${phase}, ${name}: create`, path, pods.object),
    ...(phase === 'Pending'
      ? []
      : [
          put(`evict ${phase}, ${name}: run`, `${path}/x/status`, {
            ...pod('x', {}, { nodeName: 'n' }),
            status: { phase },
          }),
        ]),
    post(`evict ${phase}, ${name}: evict`, joined(`${path}/x/eviction`, query), eviction(body)),
    get(`evict ${phase}, ${name}: what is left`, `${path}/x`),
    ...cleared(`evict ${phase}, ${name}`, path),
  ]);
}

export const deleteOptions = script(
  'delete-options',
  inNamespace(space),
  define(custom),
  forEach(kinds, deletions),
  collectionDeletions(pods, 'pod'),
  evictions('Pending'),
  evictions('Running'),
);
