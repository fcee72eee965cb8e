import type { JsonValue } from '../../../src/api/json/json.ts';
import type { JsonSchema } from '../../../src/schema/custom/json-schema.ts';
import type { Question, QuestionVariable } from './question.ts';

const text: JsonSchema = { type: 'string' };
const integer: JsonSchema = { type: 'integer' };

/** Fields of every type, bounded and unbounded. */
export const schema: JsonSchema = {
  type: 'object',
  required: ['name', 'replicas'],
  properties: {
    name: { type: 'string', maxLength: 20 },
    free: text,
    replicas: integer,
    ratio: { type: 'number' },
    enabled: { type: 'boolean' },
    port: { 'x-kubernetes-int-or-string': true },
    otherPort: { 'x-kubernetes-int-or-string': true },
    shortPort: { 'x-kubernetes-int-or-string': true, maxLength: 5 },
    when: { type: 'string', format: 'date-time' },
    day: { type: 'string', format: 'date' },
    wait: { type: 'string', format: 'duration' },
    data: { type: 'string', format: 'byte', maxLength: 40 },
    color: { type: 'string', enum: ['red', 'green'] },
    maybe: { type: 'string', nullable: true },
    notNull: text,
    labels: { type: 'object', additionalProperties: text },
    few: { type: 'object', maxProperties: 3, additionalProperties: { type: 'string', maxLength: 10 } },
    counts: { type: 'object', additionalProperties: integer },
    nested: {
      type: 'object',
      properties: { inner: { type: 'object', properties: { value: integer, list: { type: 'array', items: text } } } },
    },
    items: {
      type: 'array',
      maxItems: 10,
      items: { type: 'object', properties: { key: { type: 'string', maxLength: 8 }, value: integer } },
    },
    names: { type: 'array', items: text },
    bounded: { type: 'array', maxItems: 5, items: { type: 'string', maxLength: 10 } },
    numbers: { type: 'array', items: integer },
    doubles: { type: 'array', items: { type: 'number' } },
    set: { type: 'array', 'x-kubernetes-list-type': 'set', items: text },
    otherSet: { type: 'array', 'x-kubernetes-list-type': 'set', items: text },
    map: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k', 'k-2'],
      items: { type: 'object', properties: { k: text, 'k-2': integer, v: integer } },
    },
    otherMap: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k', 'k-2'],
      items: { type: 'object', properties: { k: text, 'k-2': integer, v: integer } },
    },
    matrix: { type: 'array', maxItems: 3, items: { type: 'array', maxItems: 4, items: integer } },
    anything: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    partly: {
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      properties: { known: text, raw: { 'x-kubernetes-preserve-unknown-fields': true } },
    },
    embedded: {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
      properties: { spec: { type: 'object', properties: { a: integer } } },
    },
    namespace: text,
    'dash-ed': text,
    'dot.ted': text,
    'sla/shed': text,
    under__score: text,
    _private: text,
    in: text,
    '1st': text,
    'b\u00e4d': text,
  },
};

const value: JsonValue = {
  name: 'web',
  free: 'text',
  replicas: 3,
  ratio: 1.5,
  enabled: true,
  port: 80,
  otherPort: 'http',
  shortPort: '1',
  when: '2023-01-02T03:04:05.5+01:00',
  day: '2023-01-02',
  wait: '1h30m',
  data: 'aGVsbG8=',
  color: 'red',
  maybe: null,
  notNull: null,
  labels: { a: 'x', b: 'y', 'c.d/e': 'z' },
  few: { a: 'b' },
  counts: { a: 1, b: 2 },
  nested: { inner: { value: 5, list: ['p', 'q'] } },
  items: [{ key: 'a', value: 1 }, { key: 'b', value: 2 }, { key: 'c' }],
  names: ['x', 'y', 'x'],
  bounded: ['a', 'b'],
  numbers: [3, 1, 2],
  doubles: [1, 2.5],
  set: ['a', 'b'],
  otherSet: ['b', 'a'],
  map: [
    { k: 'a', 'k-2': 1, v: 1 },
    { k: 'b', 'k-2': 1, v: 2 },
  ],
  otherMap: [
    { k: 'b', 'k-2': 1, v: 2 },
    { k: 'a', 'k-2': 1, v: 1 },
  ],
  matrix: [[1, 2], [3]],
  anything: { a: 1, b: [2] },
  partly: { known: 'k', unknown: 1, raw: { x: 1 } },
  embedded: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', labels: { a: 'b' } }, spec: { a: 1 } },
  namespace: 'ns',
  'dash-ed': 'd',
  'dot.ted': 'o',
  'sla/shed': 's',
  under__score: 'u',
  _private: 'v',
  in: 'i',
  '1st': 'f',
  'b\u00e4d': 'b',
};

const object: JsonValue = {
  metadata: { name: 'x', labels: { 'a.b/c': 'd' } },
  spec: {
    replicas: 2,
    ratio: 1.5,
    list: [1, 2, 3],
    flag: true,
    name: 'nm',
    nothing: null,
    template: {},
    big: 9007199254740991,
  },
};

const rootSchema: JsonSchema = {
  type: 'object',
  properties: { spec: schema, status: { type: 'object', properties: { ready: { type: 'boolean' } } } },
};
const resource: JsonValue = {
  apiVersion: 'a/v1',
  kind: 'A',
  metadata: { name: 'n', labels: { a: 'b' } },
  spec: value,
};
const numbers = Array.from({ length: 300 }, (_, index) => index);

function self(of: JsonSchema, each: JsonValue): { readonly self: QuestionVariable } {
  return { self: { schema: of, value: each } };
}

const groups = ['a', 'b'];
const user: JsonValue = { username: 'jane', uid: 'u', groups, extra: { 'example.com/x': ['y'] } };
const kind: JsonValue = { group: 'apps', version: 'v1', kind: 'Deployment' };
const plural: JsonValue = { group: 'apps', version: 'v1', resource: 'deployments' };
const names = { name: 'n', namespace: 'ns', operation: 'CREATE' };
const admission: { readonly [variable: string]: QuestionVariable } = {
  object: { value: object },
  oldObject: { value: null },
  params: { value: { a: 1 } },
  namespaceObject: { value: { metadata: { name: 'ns', labels: { a: 'b' } }, spec: {}, status: { phase: 'Active' } } },
  request: { value: { kind, resource: plural, ...names, userInfo: user, dryRun: false, options: null } },
  authorizer: {},
};
const review: JsonValue = {
  user: 'jane',
  groups,
  extra: {},
  uid: 'u',
  resourceAttributes: {
    verb: 'get',
    group: 'apps',
    version: 'v1',
    resource: 'deployments',
    namespace: 'ns',
    name: 'n',
  },
};

/** Variables for expressions. */
export const settings: { readonly [name: string]: { readonly [variable: string]: QuestionVariable } } = {
  none: {},
  plain: {
    d: { value: { a: 1, b: 'x', c: [1, 2, 'y'], e: { f: true, g: null }, n: 1.5, big: 5000000000 } },
    l: { value: [1, 2, 3] },
    s: { value: 'text' },
    n: { value: null },
  },
  object: { self: { schema, value } },
  transition: { self: { schema, value }, oldSelf: { schema, value } },
  resource: { self: { schema: rootSchema, value: resource, root: true } },
  untyped: { object: { value: object } },
  authorizer: { authorizer: {} },
  long: { l: { value: numbers } },
  text: self(text, 'abc'),
  integer: self(integer, 5),
  list: self({ type: 'array', items: text, maxItems: 4 }, ['a', 'b']),
  map: self({ type: 'object', additionalProperties: integer }, { a: 1 }),
  boundedText: self({ type: 'string', maxLength: 100 }, 'abc'),
  number: self({ type: 'number' }, 1),
  wrongInteger: self({ type: 'integer', format: 'int64' }, 'x'),
  duration: self({ type: 'string', format: 'duration' }, '2 days 3 hours'),
  admission,
  mutation: admission,
  authorization: { request: { value: review } },
  claims: { claims: { value: { sub: 'jane', groups, admin: true, level: 3, address: { city: 'x' } } } },
  user: { user: { value: user } },
  device: {
    device: {
      value: { driver: 'd', allowMultipleAllocations: false, attributes: { 'a.b': { c: 1, d: ['x'] } }, capacity: {} },
    },
  },
};

/** The variables of a question, with its values. */
export function variablesOf({ setting, values = {} }: Question): { readonly [variable: string]: QuestionVariable } {
  const variables = settings[setting] ?? {};
  const changed = Object.entries(values).map(([name, value]) => [name, { ...variables[name], value }] as const);
  return { ...variables, ...Object.fromEntries(changed) };
}

/** The fields of the object in the setting `object`. */
export const objectFields: readonly string[] = Object.keys(schema.properties ?? {});
