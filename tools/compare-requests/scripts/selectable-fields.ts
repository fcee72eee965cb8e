import { define, definition, definitionsPath, schema } from '../definitions.ts';
import { instance, places } from '../objects.ts';
import { script, type Step } from '../script.ts';
import { apply, events, forEach, get, inNamespace, patch, post, put, remove, tableType, watch } from '../steps.ts';

const space = 'selectable-fields';
const group = 'selectable.example.com';
const text = { type: 'string' };
const struct = (properties: object, more: object = {}): object => ({ type: 'object', properties, ...more });

/** Schemas of `spec.a`, and whether it may be selected by. */
const types: { readonly [name: string]: object } = {
  text,
  'a text with an enumeration': { ...text, enum: ['a', 'b'] },
  'a text with a format': { ...text, format: 'date-time' },
  'a text of bytes': { ...text, format: 'byte' },
  'a nullable text': { ...text, nullable: true },
  'a text with a default': { ...text, default: 'd' },
  'a whole number': { type: 'integer' },
  'a whole number of 32 bits': { type: 'integer', format: 'int32' },
  'a number': { type: 'number' },
  'yes or no': { type: 'boolean' },
  either: { 'x-kubernetes-int-or-string': true },
  'an object': struct({ b: text }),
  'an object that keeps all': struct({}, { 'x-kubernetes-preserve-unknown-fields': true }),
  'a map': { type: 'object', additionalProperties: text },
  'a list': { type: 'array', items: text },
  anything: { 'x-kubernetes-preserve-unknown-fields': true },
  'an embedded object': {
    type: 'object',
    'x-kubernetes-embedded-resource': true,
    'x-kubernetes-preserve-unknown-fields': true,
  },
};

/** Fields of a definition with many. */
const all = struct({
  a: text,
  'b-c': text,
  'd.e': text,
  deep: struct({ er: struct({ est: text }) }),
  list: { type: 'array', items: struct({ a: text }) },
  map: { type: 'object', additionalProperties: text },
  free: struct({}, { 'x-kubernetes-preserve-unknown-fields': true }),
  ...Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`n${index}`, text])),
});
const paths: { readonly [name: string]: readonly (string | object)[] } = {
  'one field': ['.spec.a'],
  'two fields': ['.spec.a', '.spec.n1'],
  'the same twice': ['.spec.a', '.spec.a'],
  'the same, written differently': ['.spec.a', ".spec['a']"],
  'eight fields': Array.from({ length: 8 }, (_, index) => `.spec.n${index}`),
  'nine fields': Array.from({ length: 9 }, (_, index) => `.spec.n${index}`),
  'nothing selectable': [],
  'a deep field': ['.spec.deep.er.est'],
  'half of a deep field': ['.spec.deep.er'],
  'a field with a dash': ['.spec.b-c'],
  'a field with a dot in brackets': [".spec['d.e']"],
  'a field with a dot': ['.spec.d.e'],
  'no dot': ['spec.a'],
  'no field': [''],
  'a dot': ['.'],
  'no path': [{}],
  'a blank': ['.spec.a '],
  'an unknown field': ['.spec.nope'],
  'an item': ['.spec.list[0].a'],
  'all items': ['.spec.list[*].a'],
  'a value of a map': ['.spec.map.x'],
  'free data': ['.spec.free.x'],
  'a name': ['.metadata.name'],
  'a label': ['.metadata.labels.a'],
  'another field of the metadata': ['.metadata.generation'],
  'the kind': ['.kind'],
  'the version': ['.apiVersion'],
  'the status': ['.status.phase'],
  'a filter': ['.spec.list[?(@.a=="x")].a'],
  recursion: ['..a'],
  'an unknown member': [{ jsonPath: '.spec.a', more: 'x' }],
  'a number as a path': [{ jsonPath: 5 }],
  null: [{ jsonPath: null }],
};

function pathsOf(given: readonly (string | object)[]): readonly object[] {
  return given.map((path) => (typeof path === 'string' ? { jsonPath: path } : path));
}

const dry = (name: string, properties: object, selectableFields: readonly object[]): Step =>
  post(
    name,
    `${definitionsPath}?dryRun=All`,
    definition({ group, plural: 'dries', kind: 'Dry', properties, version: { selectableFields } }),
  );

const lights = {
  group,
  plural: 'lights',
  kind: 'Light',
  properties: {
    spec: struct({
      color: text,
      size: { type: 'integer' },
      on: { type: 'boolean' },
      mode: { ...text, default: 'auto' },
      note: { ...text, nullable: true },
      place: struct({ room: struct({ name: text }) }),
      other: text,
    }),
    status: struct({ phase: text }),
  },
  version: {
    subresources: { status: {} },
    selectableFields: [
      '.spec.color',
      '.spec.size',
      '.spec.on',
      '.spec.mode',
      '.spec.note',
      '.spec.place.room.name',
      '.status.phase',
    ].map((jsonPath) => ({ jsonPath })),
  },
} as const;
const collection = places.custom(group, 'lights', space);
const light = (name: string, spec: object, more: object = {}): object => instance(lights, name, { spec, ...more });

const objects: { readonly [name: string]: object } = {
  red: { color: 'red', size: 1, on: true, place: { room: { name: 'hall' } } },
  blue: { color: 'blue', size: -5, on: false, mode: 'manual', note: null },
  large: { color: 'a,b=c\\d', size: '@' },
  bare: {},
  zero: { color: '', size: 0, on: false, note: '' },
  odd: { color: 'ä "x" !', size: 2147483648, note: 'a  b', mode: 'AUTO' },
};

const selectors: readonly string[] = [
  'spec.color=red',
  'spec.color==red',
  'spec.color!=red',
  'spec.color=',
  'spec.color!=',
  'spec.color=RED',
  'spec.color=a\\,b\\=c\\\\d',
  'spec.color=a,b=c',
  'spec.color=ä "x" !',
  'spec.color=red,spec.color=blue',
  'spec.color=red,spec.size=1',
  'spec.color!=red,spec.color!=blue',
  'spec.size=1',
  'spec.size=01',
  'spec.size=1.0',
  'spec.size=-5',
  'spec.size=9007199254740993',
  'spec.size=9007199254740992',
  'spec.size=0',
  'spec.size=',
  'spec.size!=0',
  'spec.size=2147483648',
  'spec.size=2.147483648e+09',
  'spec.size=x',
  'spec.on=true',
  'spec.on=false',
  'spec.on=',
  'spec.on=True',
  'spec.mode=auto',
  'spec.mode!=auto',
  'spec.note=',
  'spec.note=null',
  'spec.note=a  b',
  'spec.note=<nil>',
  'spec.note!=',
  'spec.place.room.name=hall',
  'spec.place.room.name!=hall',
  'spec.place.room=hall',
  'spec.place.room.name=',
  'status.phase=',
  'status.phase=Running',
  'status.phase!=Running',
  'spec.other=x',
  '.spec.color=red',
  'spec.nope=x',
  'metadata.name=red',
  'metadata.name!=red',
  `metadata.namespace=${space}`,
  'metadata.namespace=other',
  'metadata.uid=x',
  'metadata.name=red,spec.color=red',
  'metadata.name=red,spec.color=blue',
  'spec.color',
  'spec.color>a',
  'spec.color=red,',
  'spec.color=red,spec.nope=x',
  'spec.color in (red)',
  '!spec.color',
  'spec.color=a=b',
  'spec.color =red',
  'spec.color= red',
];

const by = (selector: string): string => `fieldSelector=${encodeURIComponent(selector)}`;

const watched: readonly string[] = [
  'spec.color=red',
  'spec.color!=red',
  'status.phase=Running',
  'spec.size=1,spec.on=true',
];

function happenings(): readonly Step[] {
  const one = `${collection}/red`;
  return [
    patch('another color', 'merge', one, { spec: { color: 'green' } }),
    patch('red again', 'merge', one, { spec: { color: 'red' } }),
    patch('an unrelated field', 'merge', one, { spec: { other: 'x' } }),
    patch('a status', 'merge', `${one}/status`, { status: { phase: 'Running' } }),
    patch('a status in a write of the object', 'merge', one, { status: { phase: 'Stopped' } }),
    patch('no color', 'json', one, [{ op: 'remove', path: '/spec/color' }]),
    apply('applied', `${collection}/applied`, light('applied', { color: 'red', size: 1, on: true })),
    put(
      'put',
      `${collection}/blue`,
      light(
        'blue',
        { color: 'red' },
        { metadata: { name: 'blue', resourceVersion: '{{create blue|metadata.resourceVersion}}' } },
      ),
    ),
    remove('delete one that matches', `${collection}/applied`),
    remove('delete by color', `${collection}?${by('spec.color=red')}`),
    get('what is left', collection),
  ];
}

function versionsOf(first: readonly string[], second: readonly string[]): readonly object[] {
  const properties = { spec: struct({ a: text, b: { ...text, default: 'd' }, c: text }) };
  // Versions with the same schema share one.
  const others = { ...properties, status: struct({}) };
  return [
    { name: 'v1', served: true, storage: true, schema: schema(properties), selectableFields: pathsOf(first) },
    { name: 'v2', served: true, storage: false, schema: schema(others), selectableFields: pathsOf(second) },
  ];
}

const turns = { group, plural: 'turns', kind: 'Turn' };
const turnsDefinition = `${definitionsPath}/turns.${group}`;
const turnsOf = (version: string): string => places.custom(group, 'turns', space, version);

function turnSteps(when: string): readonly Step[] {
  return ['v1', 'v2'].flatMap((version) =>
    ['spec.a=x', 'spec.b=d', 'spec.c=z', 'spec.a=x,spec.b=d', 'metadata.name=a,spec.c!=z'].flatMap((selector) => [
      get(`${when}: ${version}: ${selector}`, `${turnsOf(version)}?${by(selector)}`),
    ]),
  );
}

/** A definition whose versions have other fields to select by, which change. */
function changingSteps(): readonly Step[] {
  const change = (name: string, first: readonly string[], second: readonly string[]): readonly Step[] => [
    patch(name, 'merge', turnsDefinition, { spec: { versions: versionsOf(first, second) } }, { settles: true }),
    ...turnSteps(name),
  ];
  return [
    ...define({ ...turns, versions: versionsOf(['.spec.a'], ['.spec.b']) }),
    post('a turn', turnsOf('v1'), instance(turns, 'a', { spec: { a: 'x', c: 'z' } })),
    post('another turn', turnsOf('v2'), {
      ...instance(turns, 'b', { spec: { a: 'y', b: 'e' } }),
      apiVersion: `${group}/v2`,
    }),
    ...turnSteps('at first'),
    get('documents of the group', `/openapi/v3/apis/${group}/v1`, { until: 'selectable' }),
    ...change('fields change places', ['.spec.b'], ['.spec.a']),
    ...change('a field more', ['.spec.b', '.spec.c'], ['.spec.a']),
    ...change('no fields', [], []),
    ...change('an unknown field is refused', ['.spec.nope'], ['.spec.a']),
  ];
}

/** Reports: lists, watches and deletions by fields of custom resources that a definition names. */
export const selectableFields = script(
  space,
  inNamespace(space),
  forEach(types, (type, name) => dry(`type: ${name}`, { spec: struct({ a: type }) }, [{ jsonPath: '.spec.a' }])),
  forEach(paths, (given, name) => dry(`path: ${name}`, { spec: all, status: struct({ phase: text }) }, pathsOf(given))),
  define(lights),
  forEach(objects, (spec, name) =>
    post(`create ${name}`, collection, JSON.stringify(light(name, spec)).replace('"@"', '9007199254740993'), {
      contentType: 'application/json',
    }),
  ),
  selectors.map((selector) => get(`list ${selector}`, `${collection}?${by(selector)}`)),
  selectors
    .slice(0, 6)
    .map((selector) => get(`table ${selector}`, `${collection}?${by(selector)}`, { accept: tableType })),
  selectors.map((selector) => get(`of all namespaces ${selector}`, `/apis/${group}/v1/lights?${by(selector)}&limit=2`)),
  selectors.slice(-12).map((selector) => remove(`delete ${selector}`, `${collection}?dryRun=All&${by(selector)}`)),
  selectors
    .slice(-12)
    .map((selector) => get(`watch ${selector}`, `${collection}?watch=true&timeoutSeconds=1&${by(selector)}`)),
  watched.map((selector) => watch(`watch of ${selector}`, `${collection}?${by(selector)}`)),
  happenings(),
  watched.map((selector) => events(`watch of ${selector}`, 99)),
  changingSteps(),
);
