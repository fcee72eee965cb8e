import { instance, places } from '../objects.ts';
import { define, definitionsPath, schema } from '../definitions.ts';
import { script, type Step } from '../script.ts';
import { apply, forEach, get, inNamespace, patch, post, put } from '../steps.ts';

const space = 'reshaped';
const group = 'reshaped.example.com';
const item = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string' }, value: { type: 'string' } },
};
const atomic = { type: 'array', items: item };
const explicit = { ...atomic, 'x-kubernetes-list-type': 'atomic' };
const keyed = { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'], items: item };
const twoKeys = {
  ...keyed,
  'x-kubernetes-list-map-keys': ['name', 'value'],
  items: { ...item, required: ['name', 'value'] },
};
const map = { type: 'object', additionalProperties: { type: 'string' } };
const atomicMap = { ...map, 'x-kubernetes-map-type': 'atomic' };
const struct = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } } };
const atomicStruct = { ...struct, 'x-kubernetes-map-type': 'atomic' };
const free = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const texts = { type: 'array', items: { type: 'string' } };
const set = { ...texts, 'x-kubernetes-list-type': 'set' };

interface Change {
  readonly from: object;
  readonly to: object;
  readonly first: unknown;
  readonly second: unknown;
}

const pairs = [
  { name: 'a', value: '1' },
  { name: 'b', value: '2' },
];
const others = [{ name: 'b', value: '3' }];
const changes: { readonly [name: string]: Change } = {
  'atomic to keyed': { from: atomic, to: keyed, first: pairs, second: others },
  'keyed to atomic': { from: keyed, to: explicit, first: pairs, second: others },
  'twice in atomic to keyed': { from: atomic, to: keyed, first: [...pairs, ...pairs], second: others },
  'one key to two': { from: keyed, to: twoKeys, first: pairs, second: others },
  'set to atomic': { from: set, to: texts, first: ['a', 'b'], second: ['c'] },
  'atomic to set': { from: texts, to: set, first: ['a', 'b', 'a'], second: ['c'] },
  'map to atomic map': { from: map, to: atomicMap, first: { a: '1', b: '2' }, second: { b: '3' } },
  'atomic map to map': { from: atomicMap, to: map, first: { a: '1', b: '2' }, second: { b: '3' } },
  'struct to atomic struct': { from: struct, to: atomicStruct, first: { a: '1', b: '2' }, second: { b: '3' } },
  'atomic struct to struct': { from: atomicStruct, to: struct, first: { a: '1', b: '2' }, second: { b: '3' } },
  'free to struct': { from: free, to: struct, first: { a: '1', b: '2' }, second: { b: '3' } },
  'struct to free': { from: struct, to: free, first: { a: '1', b: '2' }, second: { b: '3' } },
  'list to map': { from: atomic, to: map, first: pairs, second: { b: '3' } },
  'map to list': { from: map, to: keyed, first: { a: '1' }, second: others },
  'text to number': { from: { type: 'string' }, to: { type: 'integer' }, first: '1', second: 2 },
  'number to int or string': {
    from: { type: 'integer' },
    to: { 'x-kubernetes-int-or-string': true },
    first: 1,
    second: '2',
  },
};

let index = 0;
function storyOf({ from, to, first, second }: Change, name: string): readonly Step[] {
  index += 1;
  const plural = `kind${index}s`;
  const custom = { group, plural, kind: `Kind${index}` };
  const versions = (field: object): readonly object[] => [
    {
      name: 'v1',
      served: true,
      storage: true,
      schema: schema({ spec: { type: 'object', properties: { field, other: { type: 'string' } } } }),
    },
  ];
  const objects = places.custom(group, plural, space);
  const of = (field: unknown, object = 'a'): object => instance(custom, object, { spec: { field } });
  const called = (what: string): string => `${name}: ${what}`;
  return [
    ...define({ ...custom, versions: versions(from) }),
    apply(called('apply before'), `${objects}/a`, of(first)),
    post(called('post before'), objects, of(first, 'b')),
    apply(called('another applies the same'), `${objects}/a`, of(first), 'two'),
    patch(
      called('the schema changes'),
      'merge',
      `${definitionsPath}/${plural}.${group}`,
      { spec: { versions: versions(to) } },
      { settles: true },
    ),
    get(called('get'), `${objects}/a`),
    patch(called('a label'), 'merge', `${objects}/b`, { metadata: { labels: { l: '1' } } }),
    apply(called('another field'), `${objects}/a`, instance(custom, 'a', { spec: { other: 'x' } }), 'three'),
    apply(called('apply the same'), `${objects}/a`, of(first)),
    apply(called('apply another value'), `${objects}/a`, of(second)),
    apply(called('with force'), `${objects}/a`, of(second), 'one&force=true'),
    apply(called('to what was posted'), `${objects}/b`, of(second), 'one&force=true'),
    put(called('put'), `${objects}/b`, {
      ...of(second, 'b'),
      metadata: { name: 'b', resourceVersion: `{{${name}: post before|metadata.resourceVersion}}` },
    }),
    apply(called('less'), `${objects}/a`, instance(custom, 'a'), 'one'),
    apply(called('nothing by the other'), `${objects}/a`, instance(custom, 'a'), 'two'),
    get(called('list'), objects),
  ];
}

/** Reports: a list or map whose merge type changes while objects and owners of the old one are stored. */
export const listsToMaps = script('lists-to-maps', inNamespace(space), forEach(changes, storyOf));
