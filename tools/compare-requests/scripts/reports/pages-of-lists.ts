import { define } from '../../definitions.ts';
import { configMap, instance, places, secret } from '../../objects.ts';
import { script, type Step } from '../../script.ts';
import {
  forEach,
  get,
  inNamespace,
  metadataListType,
  patch,
  post,
  protobufType,
  remove,
  tableType,
} from '../../steps.ts';

const space = 'pages-of-lists';
const custom = {
  group: 'pages-of-lists.example.com',
  plural: 'cards',
  kind: 'Card',
  properties: { spec: { type: 'object', properties: { color: { type: 'string' } } } },
  version: { selectableFields: [{ jsonPath: '.spec.color' }] },
} as const;
const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
interface Subject {
  readonly collection: string;
  readonly other: string;
  readonly of: (name: string) => object;
}
const labels = (name: string): object => ({ labels: { odd: String(names.indexOf(name) % 2), name } });
const cards = places.custom(custom.group, custom.plural, space);
const subjects: { readonly [name: string]: Subject } = {
  secret: {
    collection: places.secrets(space),
    other: places.configMaps(space),
    of: (name) => secret(name, {}, labels(name)),
  },
  card: {
    collection: cards,
    other: places.secrets(space),
    of: (name) => instance(custom, name, { spec: { color: names.indexOf(name) < 3 ? 'red' : 'blue' } }, labels(name)),
  },
};
const base64 = (text: string): string => Buffer.from(text).toString('base64url');
/** Tokens that a client made up. */
const forged: { readonly [name: string]: string } = {
  'no base64': '!!!',
  'no JSON': base64('x'),
  'an empty object': base64('{}'),
  'no version': base64('{"rv":5,"start":"b\\u0000"}'),
  'another version': base64('{"v":"meta.k8s.io/v2","rv":5,"start":"b\\u0000"}'),
  'no start': base64('{"v":"meta.k8s.io/v1","rv":5}'),
  'an empty start': base64('{"v":"meta.k8s.io/v1","rv":5,"start":""}'),
  'a way up': base64('{"v":"meta.k8s.io/v1","rv":5,"start":"../x"}'),
  'a way within': base64('{"v":"meta.k8s.io/v1","rv":5,"start":"a/../../x"}'),
  'a slash first': base64('{"v":"meta.k8s.io/v1","rv":5,"start":"/x"}'),
  'two slashes': base64('{"v":"meta.k8s.io/v1","rv":5,"start":"a//b"}'),
  'a version of zero': base64('{"v":"meta.k8s.io/v1","rv":0,"start":"b\\u0000"}'),
  'a negative version': base64('{"v":"meta.k8s.io/v1","rv":-1,"start":"b\\u0000"}'),
  'a more negative version': base64('{"v":"meta.k8s.io/v1","rv":-5,"start":"b\\u0000"}'),
  'a version of a text': base64('{"v":"meta.k8s.io/v1","rv":"5","start":"b\\u0000"}'),
  'a far version': base64('{"v":"meta.k8s.io/v1","rv":9000000000000000000,"start":"b\\u0000"}'),
  'the farthest version': base64('{"v":"meta.k8s.io/v1","rv":9223372036854775807,"start":"b\\u0000"}'),
  'a version beyond it': base64('{"v":"meta.k8s.io/v1","rv":9223372036854775808,"start":"b\\u0000"}'),
  'a version with an exponent': base64('{"v":"meta.k8s.io/v1","rv":1e3,"start":"b\\u0000"}'),
  'a version of a fraction': base64('{"v":"meta.k8s.io/v1","rv":1.5,"start":"b\\u0000"}'),
  'names in upper case': base64('{"V":"meta.k8s.io/v1","RV":-1,"START":"b\\u0000"}'),
  'a version twice': base64('{"v":"meta.k8s.io/v1","rv":"x","rv":-1,"start":"b\\u0000"}'),
  'an unknown field': base64('{"v":"meta.k8s.io/v1","rv":-1,"start":"b\\u0000","x":1}'),
  'a list': base64('[]'),
  'standard base64': Buffer.from('{"v":"meta.k8s.io/v1","rv":-1,"start":"b\\u0000???"}').toString('base64'),
  'with padding': Buffer.from('{"v":"meta.k8s.io/v1","rv":-1,"start":"c\\u0000"}').toString('base64'),
};

/** All pages by a query. */
function pages(called: (what: string) => string, collection: string, query: string, count: number): readonly Step[] {
  return Array.from({ length: count }, (_, at) => {
    const token = at === 0 ? '' : `&continue={{${called(`page ${at - 1}`)}|metadata.continue}}`;
    return get(called(`page ${at}`), `${collection}?${query}${token}`);
  });
}

/** The continue token of the first page of two items. */
function tokenOf(subject: string): string {
  return `{{${subject}: by two: page 0|metadata.continue}}`;
}

function storyOf({ collection, other, of }: Subject, subject: string): readonly Step[] {
  const called = (what: string): string => `${subject}: ${what}`;
  const current = `{{${called('the last')}|metadata.resourceVersion}}`;
  const queries: { readonly [name: string]: readonly [string, number] } = {
    'by two': ['limit=2', 4],
    'by three at zero': ['limit=3&resourceVersion=0', 2],
    'by label': ['limit=2&labelSelector=odd%3D0', 2],
    'by a label of none': ['limit=2&labelSelector=odd%3D9', 1],
    'by name': ['limit=1&fieldSelector=metadata.name%3Dc', 1],
    'by other names': ['limit=2&fieldSelector=metadata.name!%3Dc', 3],
    ...(subject === 'card'
      ? { 'by color': ['limit=2&fieldSelector=spec.color%3Dred', 2] as const }
      : { 'by type': ['limit=2&fieldSelector=type%3DOpaque', 4] as const }),
  };
  return [
    ...names.map((name) => post(called(`create ${name}`), collection, of(name))),
    get(called('the last'), `${collection}/g`),
    ...forEach(queries, ([query, count], name) =>
      pages((what) => called(`${name}: ${what}`), collection, query, count),
    ),
    ...pages(
      (what) => called(`exact: ${what}`),
      collection,
      `limit=2&resourceVersion=${current}&resourceVersionMatch=Exact`,
      1,
    ),
    ...tokenSteps(subject, { collection, other, of }),
    ...wrongSteps(subject, collection),
  ];
}

function tokenSteps(subject: string, { collection, other, of }: Subject): readonly Step[] {
  const called = (what: string): string => `${subject}: ${what}`;
  const token = tokenOf(subject);
  const current = `{{${subject}: the last|metadata.resourceVersion}}`;
  return [
    get(called('another limit'), `${collection}?limit=100&continue=${token}`),
    get(called('no limit'), `${collection}?continue=${token}`),
    get(called('a limit of zero'), `${collection}?limit=0&continue=${token}`),
    get(called('another selector'), `${collection}?limit=1&labelSelector=odd%3D1&continue=${token}`),
    get(called('a token of another kind'), `${other}?limit=1&continue=${token}`),
    get(called('a token in another namespace'), `${collection.replace(space, 'default')}?limit=1&continue=${token}`),
    get(called('a token of zero'), `${collection}?limit=1&resourceVersion=0&continue=${token}`),
    get(called('a token and a match'), `${collection}?limit=1&resourceVersionMatch=NotOlderThan&continue=${token}`),
    get(called('a token and an exact match'), `${collection}?limit=1&resourceVersionMatch=Exact&continue=${token}`),
    get(
      called('a token and all'),
      `${collection}?limit=1&resourceVersion=${current}&resourceVersionMatch=Exact&continue=${token}`,
    ),
    get(called('a watch with a token'), `${collection}?watch=true&timeoutSeconds=1&continue=${token}`),
    get(called('get with a token'), `${collection}/a?continue=${token}`),
    // A page shows what was there when the list began.
    remove(called('delete e'), `${collection}/e`),
    patch(called('change f'), 'merge', `${collection}/f`, { metadata: { labels: { changed: '1' } } }),
    post(called('create bb'), collection, of('bb')),
    get(called('the page as it was'), `${collection}?limit=10&continue=${token}`),
    get(called('the list as it is'), `${collection}?limit=10`),
    ...forEach(
      {
        table: tableType,
        metadata: metadataListType,
        YAML: 'application/yaml',
        protobuf: `${protobufType},application/json`,
      },
      (accept, name) => [
        get(called(`as ${name}: a page`), `${collection}?limit=3`, { accept }),
        get(called(`as ${name}: the next`), `${collection}?limit=3&continue=${token}`, { accept }),
      ],
    ),
  ];
}

function wrongSteps(subject: string, collection: string): readonly Step[] {
  const called = (what: string): string => `${subject}: ${what}`;
  const token = tokenOf(subject);
  return [
    ...forEach(forged, (text, name) => [
      get(called(`forged: ${name}`), `${collection}?limit=2&continue=${encodeURIComponent(text)}`),
      remove(
        called(`delete by a forged: ${name}`),
        `${collection}?dryRun=All&limit=2&continue=${encodeURIComponent(text)}`,
      ),
    ]),
    ...forEach(
      {
        negative: '-1',
        text: 'x',
        huge: '9223372036854775807',
        'too huge': '9223372036854775808',
        fraction: '1.5',
        empty: '',
        plus: '%2B2',
        hexadecimal: '0x2',
      },
      (limit, name) => get(called(`a limit: ${name}`), `${collection}?limit=${limit}`),
    ),
    remove(called('delete a page'), `${collection}?limit=2`),
    get(called('what is left'), collection),
    remove(called('delete by label'), `${collection}?labelSelector=odd%3D1`),
    remove(called('delete with a token'), `${collection}?limit=1&continue=${token}`),
    get(called('what is left of it'), collection),
  ];
}

/** Reports: pages of lists, tokens that are old, wrong or of something else. */
export const pagesOfLists = script(
  'pages-of-lists',
  inNamespace(space),
  define(custom),
  post('a config map', places.configMaps(space), configMap('z')),
  forEach(subjects, storyOf),
);
