import { configMap, instance, places } from '../objects.ts';
import { define } from '../definitions.ts';
import { script, type Step } from '../script.ts';
import {
  events,
  forEach,
  get,
  inNamespace,
  metadataListType,
  metadataType,
  patch,
  post,
  protobufType,
  remove,
  tableType,
  watch,
} from '../steps.ts';

const space = 'streamed';
const custom = {
  group: 'streamed.example.com',
  plural: 'drops',
  kind: 'Drop',
  properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
} as const;
type Subject = { readonly collection: string; readonly of: (name: string) => object };
const subjects: { readonly [name: string]: Subject } = {
  'config map': {
    collection: places.configMaps(space),
    of: (name) => configMap(name, { a: '1' }, { labels: { app: name } }),
  },
  drop: {
    collection: places.custom(custom.group, custom.plural, space),
    of: (name) => instance(custom, name, { spec: { a: 1 } }, { labels: { app: name } }),
  },
};
const initial = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan';

const queries: { readonly [name: string]: string } = {
  'with bookmarks': `${initial}&allowWatchBookmarks=true`,
  'without bookmarks': initial,
  'from zero': `${initial}&allowWatchBookmarks=true&resourceVersion=0`,
  'from a version': `${initial}&allowWatchBookmarks=true&resourceVersion={{SUBJECT: list|metadata.resourceVersion}}`,
  'with a label': `${initial}&allowWatchBookmarks=true&labelSelector=app%3Db`,
  'with a field': `${initial}&allowWatchBookmarks=true&fieldSelector=metadata.name%3Dc`,
  'that match nothing': `${initial}&allowWatchBookmarks=true&labelSelector=nope`,
  'not wanted': 'sendInitialEvents=false&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true',
  'without a match': 'sendInitialEvents=true&allowWatchBookmarks=true',
  'with an exact match': 'sendInitialEvents=true&resourceVersionMatch=Exact&allowWatchBookmarks=true',
  'with a text': 'sendInitialEvents=x&resourceVersionMatch=NotOlderThan',
};
const accepts: { readonly [name: string]: string } = {
  'as metadata': metadataType,
  'as a list of metadata': metadataListType,
};

function storyOf({ collection, of }: Subject, subject: string): readonly Step[] {
  const opened = [
    ...forEach(queries, (query, how) =>
      watch(`${subject}: initial events ${how}`, `${collection}?${query.replaceAll('SUBJECT', subject)}`),
    ),
    ...forEach(accepts, (accept, how) =>
      watch(`${subject}: initial events ${how}`, `${collection}?${queries['with bookmarks'] ?? ''}`, { accept }),
    ),
  ];
  const pages = (limit: number): readonly Step[] => [
    get(`${subject}: page of ${limit}`, `${collection}?limit=${limit}`),
    get(
      `${subject}: next page of ${limit}`,
      `${collection}?limit=${limit}&continue={{${subject}: page of ${limit}|metadata.continue}}`,
    ),
  ];
  return [
    ...['a', 'b', 'c', 'd', 'e'].map((name) => post(`${subject}: create ${name}`, collection, of(name))),
    get(`${subject}: list`, collection),
    ...opened,
    patch(`${subject}: a change`, 'merge', `${collection}/b`, { metadata: { annotations: { x: 'y' } } }),
    remove(`${subject}: a deletion`, `${collection}/c`),
    ...opened.map(({ name }) => events(name, 99)),
    ...[1, 2, 3, 10].flatMap(pages),
    get(`${subject}: a page by label`, `${collection}?limit=1&labelSelector=app+in+(a,b)`),
    get(`${subject}: a bad token`, `${collection}?limit=1&continue=x`),
    get(
      `${subject}: a token and a version`,
      `${collection}?limit=1&resourceVersion=5&continue={{${subject}: page of 1|metadata.continue}}`,
    ),
    get(`${subject}: a negative limit`, `${collection}?limit=-1`),
    get(`${subject}: a limit that is a text`, `${collection}?limit=x`),
    get(`${subject}: a page as a table`, `${collection}?limit=2`, { accept: tableType }),
    get(`${subject}: a page as metadata`, `${collection}?limit=2`, { accept: metadataListType }),
    get(`${subject}: a page as YAML`, `${collection}?limit=1`, { accept: 'application/yaml' }),
    get(`${subject}: in protobuf`, collection, { accept: protobufType }),
    get(`${subject}: in protobuf or JSON`, collection, { accept: `${protobufType},application/json` }),
  ];
}

/** Reports: WatchList, pages and the forms of lists. */
export const streamedLists = script('streamed-lists', inNamespace(space), define(custom), forEach(subjects, storyOf));
