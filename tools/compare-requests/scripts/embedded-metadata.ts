import { define, definitionsPath, schema } from '../definitions.ts';
import { places } from '../objects.ts';
import { script, type Step } from '../script.ts';
import { apply, forEach, get, inNamespace, patch, post, put } from '../steps.ts';

const space = 'embedded';
const group = 'embedded.example.com';
const free = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const embedded = {
  type: 'object',
  'x-kubernetes-embedded-resource': true,
  properties: { spec: { type: 'object', properties: { q: { type: 'string' } } } },
};
const version = (name: string, of: object, storage = false): object => ({
  name,
  served: true,
  storage,
  schema: schema({
    one: of,
    list: { type: 'array', items: of },
    map: { type: 'object', additionalProperties: of },
    within: { ...free, properties: { one: of } },
  }),
});
/** Anything in v1, an object in v2, an object with other fields in v3. */
const versions = (stored: string): readonly object[] => [
  version('v1', free, stored === 'v1'),
  version('v2', embedded, stored === 'v2'),
  version('v3', { ...embedded, ...free }, stored === 'v3'),
];
const custom = { group, plural: 'boxes', kind: 'Box', versions: versions('v1') } as const;
const at = (name: string): string => places.custom(group, custom.plural, space, name);
const box = (name: string, of: string, fields: object, metadata: object = {}): object => ({
  apiVersion: `${group}/${of}`,
  kind: 'Box',
  metadata: { name, ...metadata },
  ...fields,
});

const inner = (metadata: unknown): object => ({
  apiVersion: 'v1',
  kind: 'Q',
  metadata,
  spec: { q: 'q', other: 'o' },
});
/** What every version can read. */
const fitting: { readonly [name: string]: object } = {
  unknown: inner({ name: 'n', foo: 1, labels: { a: 'b' } }),
  'nothing known': inner({ foo: { bar: [1] } }),
  'null labels': inner({ labels: null, annotations: {} }),
  times: inner({ creationTimestamp: null, deletionTimestamp: '2001-01-01T00:00:00Z' }),
  'other cases': inner({ Name: 'n', LABELS: { a: 'b' } }),
  'what servers set': inner({ generation: 3, resourceVersion: '5', uid: 'u', selfLink: '/x' }),
  owners: inner({ managedFields: [{ manager: 'm', other: 1 }] }),
  empty: inner({}),
};
/** What only v1 can read. */
const mismatchs: { readonly [name: string]: object } = {
  'a text': inner('x'),
  'a list': inner([]),
  'a label of labels': inner({ name: 'n', labels: 'x' }),
  'a numeric label': inner({ labels: { a: 1 } }),
  'no time': inner({ creationTimestamp: 'x' }),
  'a numeric version': { apiVersion: 1, kind: 'Q' },
  'a numeric kind': { apiVersion: 'v1', kind: 2 },
  'a null kind': { apiVersion: 'v1', kind: null },
};
/** Members of an object that hold it; of mismatches one is enough, as errors come in a random order. */
const places4 = (value: object): object => ({ one: value, list: [value], map: { m: value }, within: { one: value } });

const id = (name: string): string => name.replaceAll(' ', '-');

function shown(title: string, name: string): readonly Step[] {
  return ['v1', 'v2', 'v3'].flatMap((of) => {
    const path = `${at(of)}/${id(name)}`;
    return [
      get(`${title}, ${of}: ${name}`, path),
      patch(`${title}, ${of}: a label of ${name}`, 'merge', `${path}?dryRun=All`, { metadata: { labels: { l: of } } }),
      patch(`${title}, ${of}: nothing in ${name}`, 'json', `${path}?dryRun=All`, []),
    ];
  });
}

const fittingSteps = (title: string): readonly Step[] => Object.keys(fitting).flatMap((name) => shown(title, name));

/** Reports: objects within custom resources, of which only some versions say so. */
export const embeddedMetadata = script(
  'embedded-metadata',
  inNamespace(space),
  define(custom),
  forEach(fitting, (value, name) => [
    post(`add ${name}`, at('v1'), box(id(name), 'v1', places4(value))),
    post(`add ${name} through v2`, `${at('v2')}?dryRun=All`, box(`${id(name)}-2`, 'v2', places4(value))),
    put(`put ${name} through v3`, `${at('v3')}/${id(name)}?dryRun=All`, box(id(name), 'v3', places4(value))),
  ]),
  fittingSteps('stored in v1'),
  forEach(mismatchs, (value, name) => [
    post(`add ${name}`, `${at('v1')}?dryRun=All`, box(id(name), 'v1', { one: value })),
    ...['one', 'within'].map((where) =>
      post(
        `add ${name} ${where} through v2`,
        `${at('v2')}?dryRun=All`,
        box(id(name), 'v2', where === 'one' ? { one: value } : { within: { one: value } }),
      ),
    ),
  ]),
  patch(
    'v2 is stored',
    'merge',
    `${definitionsPath}/${custom.plural}.${group}`,
    { spec: { versions: versions('v2') } },
    { settles: true },
  ),
  fittingSteps('v2 is stored'),
  forEach(fitting, (_value, name) => [
    patch(`a label of ${name} is stored`, 'merge', `${at('v1')}/${id(name)}`, { metadata: { labels: { a: 'b' } } }),
    get(`then ${name}`, `${at('v1')}/${id(name)}`),
    apply(`${name} is applied`, `${at('v1')}/${id(name)}-3`, box(`${id(name)}-3`, 'v1', { one: _value })),
  ]),
  forEach(mismatchs, (value, name) => [
    post(`${name} cannot be stored`, at('v1'), box(id(name), 'v1', { one: value })),
    get(`${name} is not stored`, `${at('v1')}/${id(name)}`),
    put(`${name} cannot be put`, `${at('v1')}/empty`, box('empty', 'v1', { map: { m: value } })),
    patch(`${name} cannot be merged`, 'merge', `${at('v1')}/empty?dryRun=All`, { list: [value] }),
    apply(`${name} cannot be applied`, `${at('v1')}/${id(name)}`, box(id(name), 'v1', { within: { one: value } })),
  ]),
  get('what is left', `${at('v1')}/empty`),
);
