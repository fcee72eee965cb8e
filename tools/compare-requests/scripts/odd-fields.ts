import { places } from '../objects.ts';
import { define } from '../definitions.ts';
import { script, type Step } from '../script.ts';
import { apply, forEach, get, inNamespace, patch, post, put } from '../steps.ts';

const space = 'odd-fields';
const text = { type: 'string' };
const custom = {
  group: 'odd.example.com',
  plural: 'oddities',
  kind: 'Oddity',
  properties: {
    spec: {
      type: 'object',
      properties: {
        a: text,
        list: { type: 'array', items: { type: 'object', properties: { c: text } } },
        map: { type: 'object', additionalProperties: { type: 'object', properties: { d: text } } },
        embedded: {
          type: 'object',
          'x-kubernetes-embedded-resource': true,
          properties: { spec: { type: 'object', properties: { e: text } } },
        },
      },
    },
    status: { type: 'object', properties: { s: text } },
  },
  version: { subresources: { status: {} } },
} as const;
const collection = places.custom(custom.group, custom.plural, space);

const names: { readonly [name: string]: string } = {
  'a quote': 'no"pe',
  'two quotes': '""',
  'a backslash': 'no\\pe',
  'a line break': 'no\npe',
  'a return': 'no\rpe',
  'a tab': 'no\tpe',
  'a null': 'no\0pe',
  'a bell': 'no\u0007pe',
  'a delete': 'no\u007fpe',
  'a next line': 'no\u0085pe',
  'a dot': 'no.pe',
  'a bracket': 'no[0]pe',
  'an umlaut': 'nöpe',
  'an emoji': 'no😀pe',
  'a zero width': 'no\u200bpe',
  'a separator': 'no\u2028pe',
  'a tag': '<nope>&',
  nothing: '',
  blanks: '  ',
  proto: '__proto__',
  'many letters': 'n'.repeat(300),
};
const places_: { readonly [name: string]: (name: string) => object } = {
  root: (name) => ({ [name]: 1 }),
  spec: (name) => ({ spec: { [name]: 1 } }),
  metadata: (name) => ({ metadata: { [name]: 1 } }),
  item: (name) => ({ spec: { list: [{ c: 'x', [name]: 1 }] } }),
  value: (name) => ({ spec: { map: { [name]: { [name]: 1 } } } }),
  owner: (name) => ({
    metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'X', name: 'x', uid: 'u', [name]: 1 }] },
  }),
  embedded: (name) => ({
    spec: { embedded: { apiVersion: 'v1', kind: 'X', [name]: 1, metadata: { name: 'x', [name]: 2 } } },
  }),
};

const many = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`nope${String(at).padStart(3, '0')}`, at]));

function oddity(name: string, more: object): object {
  const { metadata = {}, ...others } = more as { readonly metadata?: object };
  return { apiVersion: `${custom.group}/v1`, kind: custom.kind, ...others, metadata: { name, ...metadata } };
}

function writes(called: string, body: object): readonly Step[] {
  return [
    post(`${called}: post`, `${collection}?dryRun=All`, oddity('n', body)),
    post(`${called}: post, strict`, `${collection}?dryRun=All&fieldValidation=Strict`, oddity('n', body)),
    put(`${called}: put`, `${collection}/a?dryRun=All`, oddity('a', body)),
    patch(`${called}: merge`, 'merge', `${collection}/a?dryRun=All`, body),
    apply(`${called}: apply`, `${collection}/a?dryRun=All`, oddity('a', body), 'x&force=true'),
  ];
}

const twice = (key: string): string => {
  const quoted = JSON.stringify(key);
  return `{"apiVersion":"${custom.group}/v1","kind":"Oddity","metadata":{"name":"n"},"spec":{${quoted}:1,${quoted}:2}}`;
};

/** Reports: warnings about fields whose names are odd. */
export const oddFields = script(
  'odd-fields',
  inNamespace(space),
  define(custom),
  post('an oddity', collection, oddity('a', { spec: { a: '1' } })),
  forEach(names, (name, called) =>
    forEach(places_, (body, place) =>
      place === 'spec'
        ? writes(`${called} in ${place}`, body(name))
        : post(`${called} in ${place}: post`, `${collection}?dryRun=All`, oddity('n', body(name))),
    ),
  ),
  forEach(names, (name, called) => [
    post(`${called} twice`, `${collection}?dryRun=All`, twice(name)),
    post(`${called} twice, strict`, `${collection}?dryRun=All&fieldValidation=Strict`, twice(name)),
    post(`${called} in a config map`, `${places.configMaps(space)}?dryRun=All`, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'n', [name]: 1 },
      [name]: { x: 1 },
    }),
  ]),
  forEach({ 'a hundred': 100, 'more than a hundred': 130 }, (count, called) => [
    post(`${called} in metadata`, `${collection}?dryRun=All`, oddity('n', { metadata: many(count) })),
    post(`${called} in the spec`, `${collection}?dryRun=All`, oddity('n', { spec: many(count) })),
    post(`${called} in both`, `${collection}?dryRun=All`, oddity('n', { metadata: many(count), spec: many(count) })),
    post(
      `${called} in both, strict`,
      `${collection}?dryRun=All&fieldValidation=Strict`,
      oddity('n', { metadata: many(count), spec: many(count) }),
    ),
    post(`${called} in a config map`, `${places.configMaps(space)}?dryRun=All`, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'n' },
      ...many(count),
    }),
  ]),
  get('the oddity', `${collection}/a`),
);
