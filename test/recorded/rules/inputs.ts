import type { JsonObject, JsonValue } from '../../../src/api/json/json.ts';
import { type JsonSchema, schemaIn } from '../../../src/schema/custom/json-schema.ts';
import { settings } from '../cel/settings.ts';

/** The subject of rules: a schema and valid values. */
export interface Input {
  readonly schema: JsonSchema;
  readonly values: readonly JsonValue[];
}

const text: JsonSchema = { type: 'string', maxLength: 60 };
const integer: JsonSchema = { type: 'integer' };
const number: JsonSchema = { type: 'number' };

/** One or two fields of each type. */
const fields: { readonly [name: string]: JsonSchema } = {
  s: text,
  t: text,
  i: integer,
  j: integer,
  x: number,
  y: number,
  b: { type: 'boolean' },
  o: { 'x-kubernetes-int-or-string': true, maxLength: 20 },
  when: { type: 'string', format: 'date-time' },
  day: { type: 'string', format: 'date' },
  wait: { type: 'string', format: 'duration' },
  data: { type: 'string', format: 'byte', maxLength: 40 },
  maybe: { ...text, nullable: true },
  l: { type: 'array', maxItems: 6, items: text },
  k: { type: 'array', maxItems: 6, items: integer },
  d: { type: 'array', maxItems: 6, items: number },
  set: { type: 'array', maxItems: 6, 'x-kubernetes-list-type': 'set', items: text },
  m: { type: 'object', maxProperties: 6, additionalProperties: text },
  c: { type: 'object', maxProperties: 6, additionalProperties: integer },
  keyed: {
    type: 'array',
    maxItems: 6,
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['k'],
    items: { type: 'object', required: ['k'], properties: { k: text, v: integer } },
  },
  deep: { type: 'object', properties: { a: { type: 'object', properties: { n: integer, s: text } } } },
  free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { known: text } },
};

const full: JsonObject = {
  s: 'Hello, world',
  t: 'o',
  i: 2,
  j: 5,
  x: 1.5,
  y: -2.25,
  b: true,
  o: 8080,
  when: '2024-02-29T12:30:45.5Z',
  day: '2024-02-29',
  wait: '1h30m',
  data: 'aGVsbG8=',
  maybe: null,
  l: ['b', 'a', 'c', 'a'],
  k: [3, 1, 2],
  d: [0.5, 1, 2.5],
  set: ['x', 'y'],
  m: { a: 'x', b: 'y' },
  c: { a: 1, b: 2 },
  keyed: [
    { k: 'a', v: 1 },
    { k: 'b', v: 2 },
  ],
  deep: { a: { n: 1, s: 'deep' } },
  free: { known: 'k', other: [1, 'a'] },
};

const empty: JsonObject = {
  s: '',
  t: '',
  i: 0,
  j: 0,
  x: 0,
  y: 0,
  b: false,
  o: '',
  when: '1970-01-01T00:00:00Z',
  day: '0001-01-01',
  wait: '0s',
  maybe: '',
  l: [],
  k: [],
  d: [],
  set: [],
  m: {},
  c: {},
  keyed: [],
  deep: { a: {} },
  free: {},
};

const odd: JsonObject = {
  s: '\u{1f600}\u00e9 "a\\b"\t',
  t: '\u{1f600}',
  i: -1,
  j: 99,
  x: 1e300,
  y: 1e-300,
  b: true,
  o: '10%',
  when: '9999-12-31T23:59:59.999999999+14:00',
  day: '9999-12-31',
  wait: '-1.5h',
  data: '////',
  maybe: 'x',
  l: ['', '\u00e9', 'e', '\u{1f600}'],
  k: [-1, 0, 9007199254740991],
  d: [-0.1, 0.1, 1e21],
  set: ['', 'z'],
  m: { '': '', 'a.b/c': 'd' },
  c: { z: -5 },
  keyed: [{ k: '' }],
  deep: {},
  free: { known: '', a: null },
};

const large: JsonObject = {
  s: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
  t: 'aa',
  i: 9007199254740991,
  j: -9007199254740991,
  x: 1,
  y: 3,
  b: false,
  o: 'http',
  when: '2000-01-01T00:00:00-08:00',
  day: '2000-01-01',
  wait: '8760h',
  data: 'AAEC',
  l: ['a', 'a', 'a', 'a', 'a', 'a'],
  k: [1, 1, 1, 1, 1, 1],
  d: [3],
  set: ['a', 'b', 'c'],
  m: { x: 'a' },
  c: { x: 0 },
};

const words = (...list: readonly (readonly [string, string])[]): JsonValue[] => list.map(([s, t]) => ({ s, t }));
const two: JsonSchema = { type: 'object', properties: { s: text, t: text } };

/** The schema in a form valid in definitions: the keys of map lists are required. */
function definable(schema: JsonSchema): JsonSchema {
  const { properties, items } = schema;
  const required = schema['x-kubernetes-list-map-keys'];
  const inside = schemaIn(items);
  return {
    ...schema,
    ...(properties === undefined
      ? {}
      : { properties: Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, definable(part)])) }),
    // Schemas are JSON.
    ...(inside === undefined
      ? {}
      : { items: { ...definable(inside), ...(required === undefined ? {} : { required }) } as unknown as JsonObject }),
  };
}

/** By name. Those of `test/recorded/cel` have the same values there. */
export const inputs: { readonly [name: string]: Input } = {
  fields: { schema: { type: 'object', properties: fields }, values: [full, empty, odd, large, {}] },
  quantities: {
    schema: two,
    values: words(
      ...([
        ['1', '1'],
        ['1Gi', '1G'],
        ['500m', '0.5'],
        ['-3', '2k'],
        ['1e3', '1000'],
        ['', '1'],
        ['1.5Ki', '1536'],
      ] as const),
      ...([
        ['12345678901234567890', '1'],
        ['1X', '2'],
        ['0', '-0'],
        ['9Ei', '1n'],
        ['1E', '1e18'],
        [' 1', '1'],
      ] as const),
    ),
  },
  addresses: {
    schema: two,
    values: words(
      ...([
        ['127.0.0.1', '127.0.0.0/8'],
        ['10.0.0.1', '10.0.0.0/24'],
        ['::1', '::/0'],
        ['fe80::1', 'fe80::/10'],
      ] as const),
      ...([
        ['224.0.0.1', '0.0.0.0/0'],
        ['1.2.3', '1.2.3.4/33'],
        ['', ''],
        ['01.2.3.4', '10.0.0.1/24'],
      ] as const),
      ...([
        ['::ffff:1.2.3.4', '::ffff:1.2.3.0/120'],
        ['FE80::1', 'fe80::1/64'],
        ['fe80::1%eth0', '1.1.1.1'],
      ] as const),
      ...([
        ['2001:db8:0:0::1', '2001:DB8::/32'],
        ['255.255.255.255', '255.255.255.255/32'],
      ] as const),
    ),
  },
  urls: {
    schema: two,
    values: words(
      ...([
        ['https://example.com:80/a/b?x=1&x=2&y=%20#f', ''],
        ['http://[::1]:8080', '/path'],
        ['/only/path?q', ''],
      ] as const),
      ...([
        ['example.com', 'a b'],
        ['', ''],
        ['http://a b', ':'],
        ['mailto:a@b', 'x'],
        ['http://u:p@h/%zz', '%'],
      ] as const),
      ...([
        ['//host/path', '#f'],
        ['https://EXAMPLE.com./%41', 'http://h:port'],
      ] as const),
    ),
  },
  versions: {
    schema: two,
    values: words(
      ...([
        ['1.2.3', '1.2.4'],
        ['v1.2.3', '1.2.3'],
        ['1.2.3-alpha.1+b.2', '1.2.3-alpha.2'],
        ['1.2', '1.2.0'],
      ] as const),
      ...([
        ['01.2.3', '1.2.3'],
        ['', '1'],
        ['1.2.3-01', '1.2.3-1'],
        ['99999999999999999999.0.0', '1.0.0'],
      ] as const),
    ),
  },
  names: {
    schema: two,
    values: words(
      ...([
        ['web-1', 'a.b'],
        ['Web', '-a'],
        ['', ''],
        ['a_b', 'a/b'],
        ['1a', 'A/b'],
        ['a..b', 'x-kubernetes.io/y'],
      ] as const),
      ...([
        ['2024-02-29', 'aGVsbG8='],
        ['2024-02-30', 'a=='],
        ['2024-02-29T01:02:03Z', '6ba7b810-9dad-11d1-80b4-00c04fd430c8'],
      ] as const),
      ...([
        ['https://a.b/c', 'not a uri'],
        ['a-', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'],
      ] as const),
    ),
  },
  patterns: {
    schema: two,
    values: words(
      ...([
        ['hello', 'l+'],
        ['hello', '('],
        ['', ''],
        ['aXbXc', 'X'],
        ['\u00e9\u{1f600}', '.'],
        ['a\nb', '(?m)^b$'],
      ] as const),
      ...([
        ['12-34', '(\\d+)-(\\d+)'],
        ['aaa', 'a{1001}'],
        ['x', '(?P<n>x)'],
        ['abc', '[b-a]'],
        ['AbC', '(?i)abc'],
        ['a', '\\1'],
      ] as const),
    ),
  },
  plain: { schema: text, values: ['x'] },
  ...Object.fromEntries(
    ['object', 'resource', 'text', 'integer', 'list', 'map', 'boundedText', 'number', 'duration'].flatMap((name) => {
      const { schema, value = null } = settings[name]?.['self'] ?? {};
      return schema === undefined ? [] : [[name, { schema: definable(schema), values: [value] }] as const];
    }),
  ),
};
