import { configMap, instance, places, pod } from '../objects.ts';
import { define } from '../definitions.ts';
import { script, type Step } from '../script.ts';
import {
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

const space = 'watched';
const custom = {
  group: 'watched.example.com',
  plural: 'lamps',
  kind: 'Lamp',
  properties: { spec: { type: 'object', properties: { color: { type: 'string' }, on: { type: 'boolean' } } } },
  version: { selectableFields: [{ jsonPath: '.spec.color' }, { jsonPath: '.spec.on' }] },
} as const;

interface Subject {
  readonly collection: string;
  readonly of: (name: string, metadata: object) => object;
  /** Field selectors that hold for some. */
  readonly fields: readonly string[];
}

const subjects: { readonly [name: string]: Subject } = {
  'config map': {
    collection: places.configMaps(space),
    of: (name, metadata) => configMap(name, { a: '1' }, metadata),
    fields: ['metadata.name=a', 'metadata.name!=a', `metadata.namespace=${space}`],
  },
  pod: {
    collection: places.pods(space),
    of: (name, metadata) => pod(name, {}, {}, metadata),
    fields: ['spec.nodeName=', 'status.phase=Pending', 'metadata.name=b,status.phase!=Running'],
  },
  lamp: {
    collection: places.custom(custom.group, custom.plural, space),
    of: (name, metadata) =>
      instance(custom, name, { spec: { color: name === 'a' ? 'red' : 'blue', on: true } }, metadata),
    fields: ['spec.color=red', 'spec.on=true', 'spec.color!=red,metadata.name=b'],
  },
};
const labels = ['app', '!app', 'app=x', 'app!=x', 'app in (x,y)', 'app notin (x)', 'app=x,tier=1', 'app==x,!tier'];

function watches(subject: string, { collection, fields }: Subject): readonly Step[] {
  return [
    ...labels.map((selector) =>
      watch(`${subject}: watch ${selector}`, `${collection}?labelSelector=${encodeURIComponent(selector)}`),
    ),
    ...fields.map((selector) =>
      watch(`${subject}: watch field ${selector}`, `${collection}?fieldSelector=${encodeURIComponent(selector)}`),
    ),
    watch(`${subject}: watch from now`, `${collection}?resourceVersion={{${subject}: list|metadata.resourceVersion}}`),
    watch(`${subject}: watch as metadata`, `${collection}?labelSelector=app`, { accept: metadataType }),
    watch(`${subject}: watch as a table`, `${collection}?labelSelector=app`, { accept: tableType }),
  ];
}

function happenings(subject: string, { collection, of }: Subject): readonly Step[] {
  const called = (what: string): string => `${subject}: ${what}`;
  return [
    post(called('create with a label'), collection, of('a', { labels: { app: 'x' } })),
    post(called('create without'), collection, of('b', {})),
    patch(called('give it a label'), 'merge', `${collection}/b`, { metadata: { labels: { app: 'y' } } }),
    patch(called('change the label'), 'merge', `${collection}/a`, { metadata: { labels: { app: 'z' } } }),
    patch(called('another label'), 'merge', `${collection}/a`, { metadata: { labels: { tier: '1', app: 'x' } } }),
    patch(called('no label'), 'merge', `${collection}/a`, { metadata: { labels: null } }),
    patch(called('nothing changes'), 'merge', `${collection}/a`, {}),
    patch(called('a finalizer'), 'merge', `${collection}/b`, { metadata: { finalizers: ['example.com/f'] } }),
    remove(called('delete with a finalizer'), `${collection}/b?gracePeriodSeconds=0`),
    patch(called('without the finalizer'), 'merge', `${collection}/b`, { metadata: { finalizers: null } }),
    remove(called('delete'), `${collection}/a?gracePeriodSeconds=0`),
    post(called('create again'), collection, of('a', { labels: { app: 'x' } })),
  ];
}

const bad: { readonly [name: string]: string } = {
  'a bad label selector': 'labelSelector=a%20b%20c',
  'an unknown field': 'fieldSelector=spec.nope%3Dx',
  'a bad field selector': 'fieldSelector=a',
  'a timeout that is a text': 'timeoutSeconds=x',
  'bookmarks that are a text': 'allowWatchBookmarks=x&timeoutSeconds=1',
  'a version that is none': 'resourceVersion=x',
  'a match without initial events': 'resourceVersionMatch=NotOlderThan',
  'initial events without a match': 'sendInitialEvents=true',
  'initial events with another match': 'sendInitialEvents=true&resourceVersionMatch=Exact',
  'a limit': 'limit=1&timeoutSeconds=1',
  'a continue token': 'continue=x&timeoutSeconds=1',
};

/** Reports: events of objects that begin or cease to match. */
export const selectorWatches = script(
  'selector-watches',
  inNamespace(space),
  define(custom),
  forEach(subjects, (subject, name) => [
    get(`${name}: list`, subject.collection),
    ...watches(name, subject),
    ...happenings(name, subject),
    ...watches(name, subject).map((step) => events(step.name, 99)),
    put(`${name}: put`, `${subject.collection}/a`, subject.of('a', { labels: { app: 'q' } })),
    ...forEach(bad, (query, how) => get(`${name}: ${how}`, `${subject.collection}?watch=true&${query}`)),
    get(
      `${name}: a list by field`,
      `${subject.collection}?fieldSelector=${encodeURIComponent(subject.fields[0] ?? '')}`,
    ),
    get(`${name}: watch of one`, `${subject.collection}/a?watch=true&timeoutSeconds=1`),
    get(`${name}: old watch`, `${subject.collection.replace('/namespaces/', '/watch/namespaces/')}?timeoutSeconds=1`),
  ]),
);
