import { configMap, deployment, instance, places, pod } from '../objects.ts';
import { define } from '../definitions.ts';
import { script, type Step } from '../script.ts';
import { apply, forEach, get, inNamespace, patch, post, put } from '../steps.ts';

const space = 'pruned';
const text = { type: 'string' };
const kept = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const custom = {
  group: 'pruned.example.com',
  plural: 'hedges',
  kind: 'Hedge',
  properties: {
    spec: {
      type: 'object',
      properties: {
        a: text,
        kept,
        keptWithSome: { ...kept, properties: { inner: { type: 'object', properties: { b: text } } } },
        list: { type: 'array', items: { type: 'object', properties: { c: text } } },
        map: { type: 'object', additionalProperties: { type: 'object', properties: { d: text } } },
        embedded: { ...kept, 'x-kubernetes-embedded-resource': true },
        pruned: {
          type: 'object',
          'x-kubernetes-embedded-resource': true,
          properties: { spec: { type: 'object', properties: { e: text } } },
        },
        any: {},
      },
    },
    status: { type: 'object', properties: { s: text } },
  },
  version: { subresources: { status: {} } },
} as const;
const { any: _, ...fields } = custom.properties.spec.properties;
const hedge = { ...custom, properties: { ...custom.properties, spec: { type: 'object', properties: fields } } };
const hedges = places.custom(custom.group, custom.plural, space);

const bodies: { readonly [name: string]: object } = {
  'at the root': { nope: 1, nope2: { x: 1 } },
  'in the spec': { spec: { a: 'x', nope: 1 } },
  'in metadata': { metadata: { nope: 1, labels: { l: 'x' } } },
  'in what is kept': { spec: { kept: { anything: { goes: [1, { x: null }] } } } },
  'beside what is kept': { spec: { keptWithSome: { anything: 1, inner: { b: 'x', nope: 1 } } } },
  'in items': {
    spec: {
      list: [
        { c: 'x', nope: 1 },
        { nope: 2, nope3: 3 },
      ],
    },
  },
  'in values': { spec: { map: { k: { d: 'x', nope: 1 }, 'a.b': { nope: 2 }, 'a/b': { nope: 3 } } } },
  'in an embedded object': {
    spec: { embedded: { apiVersion: 'v1', kind: 'X', nope: 1, metadata: { name: 'x', nope: 2 } } },
  },
  'in a pruned embedded object': {
    spec: {
      pruned: { apiVersion: 'v1', kind: 'X', nope: 1, metadata: { name: 'x', nope: 2 }, spec: { e: 'x', nope: 3 } },
    },
  },
  'an embedded object without a kind': { spec: { embedded: { metadata: { name: 'x' } }, pruned: {} } },
  'in the status': { status: { s: 'x', nope: 1 } },
  'in owners': { metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'X', name: 'x', uid: 'u', nope: 1 }] } },
  'another case': { Spec: { a: 'x' }, spec: { A: 'x' } },
  many: { spec: Object.fromEntries(Array.from({ length: 30 }, (_unused, at) => [`nope${at}`, at])) },
  'odd names': { spec: { 'no.pe': 1, 'no"pe': 2, '': 3, ño: 4, $x: 5, 'a b': 6 } },
};
const twice =
  '{"apiVersion":"pruned.example.com/v1","kind":"Hedge","metadata":{"name":"n","labels":{"a":"1","a":"2"}},"spec":{"a":"1","a":"2","nope":1,"nope":2},"spec":{"a":"3"}}';

const merged = (object: object, more: object): object => {
  const { metadata, ...others } = object as { readonly metadata: object };
  const { metadata: moreMetadata = {}, ...otherMore } = more as { readonly metadata?: object };
  return { ...others, ...otherMore, metadata: { ...metadata, ...moreMetadata } };
};
const levels = [
  '',
  '?fieldValidation=Ignore',
  '?fieldValidation=Warn',
  '?fieldValidation=Strict',
  '?fieldValidation=Nope',
] as const;

function customSteps(body: object, name: string): readonly Step[] {
  return levels.flatMap((level) => {
    const dry = level === '' ? '?dryRun=All' : `${level}&dryRun=All`;
    const called = (what: string): string => `${what} ${name} ${level}`;
    return [
      post(called('post'), `${hedges}${dry}`, merged(instance(custom, 'p'), body)),
      ...(level === '?fieldValidation=Nope'
        ? []
        : [
            put(called('put'), `${hedges}/a${dry}`, merged(instance(custom, 'a'), body)),
            patch(called('merge'), 'merge', `${hedges}/a${dry}`, body),
            apply(called('apply'), `${hedges}/a${dry}`, merged(instance(custom, 'a'), body), 'x&force=true'),
          ]),
    ];
  });
}

const builtIn: { readonly [name: string]: { readonly collection: string; readonly object: object } } = {
  'config map': {
    collection: places.configMaps(space),
    object: merged(configMap('b'), { nope: 1, metadata: { nope: 2 }, Data: { x: 'y' } }),
  },
  pod: {
    collection: places.pods(space),
    object: pod('b', { nope: 1, env: [{ name: 'A', valeu: 'x' }] }, { nope: 2, restartpolicy: 'Never' }),
  },
  deployment: {
    collection: places.deployments(space),
    object: deployment('b', { nope: 1, Replicas: 3, strategy: { nope: 2 } }),
  },
};

/** Reports: fields that vanish with, or without, a warning. */
export const pruningWarnings = script(
  'pruning-warnings',
  inNamespace(space),
  define(hedge),
  post('a hedge', hedges, instance(custom, 'a', { spec: { a: '1' } })),
  forEach(bodies, customSteps),
  levels.map((level) => post(`keys twice ${level}`, `${hedges}${level}${level === '' ? '?' : '&'}dryRun=All`, twice)),
  levels.map((level) =>
    post(
      `keys twice in YAML ${level}`,
      `${hedges}${level}${level === '' ? '?' : '&'}dryRun=All`,
      'apiVersion: pruned.example.com/v1\nkind: Hedge\nmetadata: {name: n}\nspec: {a: "1", nope: 1}\nspec: {a: "2"}\n',
      { contentType: 'application/yaml' },
    ),
  ),
  patch('a status', 'merge', `${hedges}/a/status`, { status: { s: 'x', nope: 1 } }),
  forEach(builtIn, ({ collection, object }, name) =>
    levels.map((level) =>
      post(`${name} ${level}`, `${collection}${level}${level === '' ? '?' : '&'}dryRun=All`, object),
    ),
  ),
  forEach(builtIn, ({ collection, object }, name) =>
    levels.map((level) =>
      apply(`apply a ${name} ${level}`, `${collection}/b${level}${level === '' ? '?' : '&'}dryRun=All`, object, 'x'),
    ),
  ),
  get('the hedge', `${hedges}/a`),
);
