import { script, type Step } from '../script.ts';
import {
  apply,
  events,
  forEach,
  get,
  inNamespace,
  metadataType,
  patch,
  post,
  put,
  remove,
  tableType,
  watch,
} from '../steps.ts';

const space = 'lifetimes';
const core = `/api/v1/namespaces/${space}/events`;
const grouped = `/apis/events.k8s.io/v1/namespaces/${space}/events`;

/** How long events live on the servers of this script. */
export const lifetimeSeconds = 5;
/** The wait between steps: half of a life. */
export const lifetimesPace = { settleMs: (lifetimeSeconds * 1000) / 2 / 5, quietMs: 500 };

const old = (name: string, more: object = {}, metadata: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name, namespace: space, ...metadata },
  involvedObject: { kind: 'Pod', namespace: space, name: 'p' },
  reason: 'Because',
  type: 'Normal',
  ...more,
});
const current = (name: string, more: object = {}): object => ({
  apiVersion: 'events.k8s.io/v1',
  kind: 'Event',
  metadata: { name, namespace: space },
  regarding: { kind: 'Pod', namespace: space, name: 'p' },
  eventTime: '2001-01-01T00:00:00.000001Z',
  reason: 'Because',
  reportingController: 'example.com/c',
  reportingInstance: 'c-1',
  action: 'Act',
  type: 'Normal',
  ...more,
});

const watches: { readonly [name: string]: readonly [path: string, accept?: string] } = {
  core: [core],
  grouped: [grouped],
  everywhere: ['/api/v1/events?fieldSelector=involvedObject.namespace%3Dlifetimes'],
  'by reason': [`${core}?fieldSelector=reason%3DBecause`],
  'by another reason': [`${core}?fieldSelector=reason%3DOther`],
  'by name': [`${core}?fieldSelector=metadata.name%3Dexpiring`],
  'as metadata': [core, metadataType],
  'as a table': [`${grouped}?fieldSelector=metadata.name%3Dgrouped`, tableType],
};

/** What happens to an event after half of its life, by its name: some then live for another half. */
const writes: { readonly [event: string]: Step } = {
  'no-change': patch('a patch that changes nothing', 'merge', `${core}/no-change`, { reason: 'Because' }),
  'dry-run': patch('a dry run', 'merge', `${core}/dry-run?dryRun=All`, { reason: 'Other' }),
  prolonged: patch('a patch', 'merge', `${core}/prolonged`, { message: 'm' }),
  'prolonged-by-put': put('a put', `${core}/prolonged-by-put`, old('prolonged-by-put', { reason: 'Other' })),
  'prolonged-by-apply': apply(
    'an apply',
    `${core}/prolonged-by-apply`,
    old('prolonged-by-apply', { count: 2 }),
    'one&force=true',
  ),
  'prolonged-by-json': patch('a JSON patch', 'json', `${core}/prolonged-by-json`, [
    { op: 'add', path: '/count', value: 3 },
  ]),
  'prolonged-elsewhere': patch('a patch through the other group', 'merge', `${grouped}/prolonged-elsewhere`, {
    metadata: { labels: { a: 'b' } },
  }),
  held: patch('a finalizer', 'merge', `${core}/held`, { metadata: { finalizers: ['example.com/f'] } }),
};

const names = ['expiring', 'grouped', 'applied', ...Object.keys(writes)];

function left(when: string): readonly Step[] {
  return [
    ...names.map((name) => get(`${when}: ${name}`, `${core}/${name}`)),
    get(`${when}: list`, core),
    get(`${when}: list of the group`, `${grouped}?limit=2`),
    get(`${when}: by field`, `${core}?fieldSelector=reason%3DOther`),
  ];
}

/** Events that end, whether somebody looks or not, each in order of its creation. */
export const eventLifetimes = script(
  'event-lifetimes',
  inNamespace(space),
  get('a list before', core),
  forEach(watches, ([path, accept], name) => watch(`watch ${name}`, path, accept === undefined ? {} : { accept })),
  post('one that expires', core, old('expiring')),
  post('one of the group', grouped, current('grouped')),
  apply('one that is applied', `${core}/applied`, old('applied')),
  post('a config map does not expire', `/api/v1/namespaces/${space}/configmaps`, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a' },
  }),
  Object.keys(writes).map((name) => post(`create ${name}`, core, old(name))),
  post('one that is deleted', core, old('deleted')),
  get('half of a life passes', `${core}/expiring`, { settles: 'slowly' }),
  Object.values(writes),
  remove('delete', `${core}/deleted`),
  post('create it anew', core, old('deleted', { count: 2 })),
  get('a life passes', `${core}/dry-run`, { until: 'NotFound' }),
  left('after a life'),
  put('put one that has expired', `${core}/expiring`, old('expiring', { count: 5 })),
  patch('patch one that has expired', 'merge', `${core}/grouped`, { message: 'm' }),
  apply('apply one that has expired', `${core}/applied`, old('applied', { count: 3 })),
  remove('delete one that has expired', `${core}/dry-run`),
  post('create one that has expired', core, old('no-change', { count: 4 })),
  get('another life passes', `${core}/no-change`, { until: 'NotFound' }),
  left('after two lives'),
  get('the config map', `/api/v1/namespaces/${space}/configmaps/a`),
  Object.keys(watches).map((name) => events(`watch ${name}`, 99)),
  get(
    'what happened since',
    `${core}?watch=true&timeoutSeconds=1&resourceVersion={{a list before|metadata.resourceVersion}}`,
  ),
  get(
    'what the list was',
    `${core}?resourceVersionMatch=Exact&resourceVersion={{a life passes|metadata.resourceVersion}}`,
  ),
);
