import type { JsonObject, JsonValue } from '../../../../src/api/json/json.ts';

// Defaults in the schemas of custom resources.

/** A schema with a property `a` that has a default. */
const withDefault = (value: JsonValue, schema: JsonObject): JsonObject => ({
  type: 'object',
  properties: { a: { ...schema, default: value } },
});
/** Several defaults for the same schema. */
const defaults = (schema: JsonObject, ...values: JsonValue[]): JsonObject[] =>
  values.map((value) => withDefault(value, schema));

const text = { type: 'string' };
const integer = { type: 'integer' };
const number = { type: 'number' };
const embedded = {
  type: 'object',
  'x-kubernetes-embedded-resource': true,
  'x-kubernetes-preserve-unknown-fields': true,
};
const object = (properties: JsonObject, rest: JsonObject = {}): JsonObject => ({ type: 'object', properties, ...rest });
const intOrString = { 'x-kubernetes-int-or-string': true };

const types = [
  ...defaults(text, 'x', '', 5, 1.5, true, [], {}, null),
  ...defaults({ ...text, nullable: true }, null, 5),
  ...defaults(integer, 5, '5', 1.5, 2.0, -1, 9007199254740991, 1e300, true),
  ...defaults(number, 5, 1.5, 'x', -0.5),
  ...defaults({ type: 'boolean' }, true, 'true', 1),
  ...defaults({ type: 'array', items: integer }, [], [1, 2], [1, 'x'], {}, 'x', [null]),
  ...defaults({ type: 'array', items: { type: 'array', items: text } }, [['a'], [1]]),
  ...defaults({ type: 'object' }, {}, { b: 1 }, []),
  ...defaults(intOrString, 5, 'x', 1.5, true),
  ...defaults({ ...intOrString, anyOf: [{ type: 'integer' }, { type: 'string' }] }, 5, 'x', true, 1.5),
];

const constraints = [
  ...defaults({ ...text, maxLength: 2, minLength: 1 }, 'ab', 'abc', '', 'öö'),
  ...defaults({ ...text, pattern: '^a+$' }, 'aa', 'b'),
  ...defaults({ ...text, enum: ['a', 'b'] }, 'a', 'c', 5),
  ...defaults({ ...integer, enum: [1, 2] }, 1, 3, '1'),
  ...defaults({ ...object({ b: integer }), enum: [{ b: 1 }] }, { b: 1 }, { b: 2 }),
  ...defaults({ ...integer, minimum: 3, maximum: 5 }, 2, 3, 5, 6),
  ...defaults({ ...integer, minimum: 3, maximum: 5, exclusiveMinimum: true, exclusiveMaximum: true }, 3, 4, 5),
  ...defaults({ ...number, minimum: 0.5, maximum: 1.5 }, 0.4, 1.6, 1, 2),
  ...defaults({ ...number, minimum: 0.5, exclusiveMinimum: true }, 0.5),
  ...defaults({ ...integer, maximum: 1.5 }, 1, 2),
  ...defaults({ ...number, maximum: 1.5, minimum: 0.5 }, 2, 0, 1),
  ...defaults({ ...integer, multipleOf: 3 }, 3, 4),
  ...defaults({ ...number, multipleOf: 0.5 }, 1.5, 1.7, 2),
  ...defaults({ ...integer, multipleOf: 0 }, 3),
  ...defaults({ ...integer, format: 'int32' }, 2147483647, 2147483648),
  ...defaults({ ...integer, format: 'int64' }, 2147483648, 1.5),
  ...defaults({ ...number, format: 'float' }, 1.5, 1e39),
  ...defaults({ type: 'array', items: integer, minItems: 1, maxItems: 2 }, [], [1], [1, 2, 3]),
  ...defaults(
    { type: 'object', additionalProperties: integer, minProperties: 1, maxProperties: 2 },
    {},
    { a: 1, b: 2, c: 3 },
  ),
];

const formats: { readonly [format: string]: readonly string[] } = {
  bsonobjectid: ['507f1f77bcf86cd799439011', 'x'],
  uri: ['https://a/b', '/a', 'a', '', '*', 'https://a#b'],
  email: ['a@b.c', 'Name <a@b>', 'a', '@b'],
  hostname: ['a.example.com', '1a', '-a', 'a b', 'a-', 'example.c'],
  ipv4: ['1.2.3.4', '01.02.03.04', '1.2.3', '::1', '::ffff:1.2.3.4', '1.2.3.256'],
  ipv6: ['::1', '1.2.3.4', '::ffff:1.2.3.4', '::1%eth0'],
  cidr: ['10.0.0.0/8', '10.0.0.0', '::/129', '::/0', '010.0.0.0/8', '10.0.0.0/33'],
  mac: [
    '01:23:45:67:89:ab',
    '01-23-45-67-89-ab',
    '0123.4567.89ab',
    '01:23-45:67:89:ab',
    'x',
    '01:23:45:67:89:ab:cd:ef',
  ],
  uuid: ['123e4567-e89b-12d3-a456-426614174000', '123E4567E89B12D3A456426614174000', 'x'],
  uuid4: ['123e4567-e89b-42d3-a456-426614174000', '123e4567-e89b-12d3-a456-426614174000'],
  isbn: ['0321751043', '978-0321751041', '978-0321751042'],
  isbn10: ['0321751043', '0321751044'],
  creditcard: ['4111 1111 1111 1111', '4111 1111 1111 1112'],
  ssn: ['123-45-6789', '123456789'],
  hexcolor: ['#FFF', 'ffffff', '#ff'],
  rgbcolor: ['rgb(1,2,255)', 'rgb(256, 0, 0)', 'rgb( 1 , 2 , 3 )'],
  byte: ['YWJj', 'YW', ''],
  password: ['x'],
  date: ['2024-02-29', '2023-02-29', '2024-2-1', '2024-13-01'],
  'date-time': ['2024-01-01T00:00:00Z', '2024-01-01t00:00:00.5+01:00', '2024-01-01 00:00:00', '2024-01-01T24:00:00Z'],
  duration: ['1h30m', '2 hours', '5 parsecs', '-1s', '', '3 d'],
  'k8s-short-name': ['a-b', 'A', 'a.b'],
  'k8s-long-name': ['a.b', 'a..b'],
  unknown: ['x'],
};

const formatted = [
  ...Object.entries(formats).flatMap(([format, texts]) => defaults({ ...text, format }, ...texts)),
  ...defaults({ ...text, format: 'date' }, 5, ['2024-01-01'], true),
  ...defaults({ format: 'date', ...intOrString }, 'x', 5),
];

const alternatives = [
  ...defaults({ ...integer, anyOf: [{ minimum: 10 }, { maximum: 5 }] }, 3, 7),
  ...defaults({ ...integer, oneOf: [{ minimum: 3 }, { maximum: 5 }] }, 1, 4),
  ...defaults({ ...integer, oneOf: [{ minimum: 10 }, { minimum: 20, multipleOf: 1 }] }, 1),
  ...defaults({ ...integer, allOf: [{ minimum: 3 }, { maximum: 5 }] }, 4, 6),
  ...defaults({ ...integer, allOf: [{ minimum: 7 }, { maximum: 3 }] }, 5),
  ...defaults({ ...integer, not: { minimum: 3 } }, 1, 4),
  ...defaults(object({ b: integer, c: integer }, { anyOf: [{ required: ['b'] }, { required: ['c'] }] }), {}, { b: 1 }),
];

const objects = [
  ...defaults(object({ b: text }), { b: 'x' }, { b: 1 }, { c: 1 }, { b: null }),
  ...defaults(object({ b: text }, { required: ['b'] }), {}, { b: 'x' }),
  ...defaults(object({ b: object({ c: text }, { required: ['c'] }) }), { b: {} }, { b: { c: 1 } }, { b: { d: 1 } }),
  ...defaults(object({ b: text }, { 'x-kubernetes-preserve-unknown-fields': true }), { c: { d: 1 } }, { b: 'x', c: 1 }),
  ...defaults({ type: 'object', additionalProperties: object({ c: text }) }, { x: { c: 'y' } }, { x: { d: 1 } }),
  ...defaults({ type: 'object', additionalProperties: true }, { x: 1 }, { x: { y: 1 } }),
  ...defaults({ type: 'object', additionalProperties: integer }, { x: 'y' }),
  ...defaults({ type: 'array', items: object({ c: text }) }, [{ c: 'x' }], [{ d: 1 }], [{ c: 1 }]),
  ...defaults({ type: 'array', items: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }, [{ d: 1 }]),
  { type: 'object', default: {} },
  { type: 'object', properties: { a: { type: 'array', items: { ...integer, default: 'x' } } } },
  { type: 'object', properties: { a: object({ b: { ...integer, default: 'x' } }) } },
  { type: 'object', properties: { a: { type: 'object', additionalProperties: { ...integer, default: 'x' } } } },
];

const apiVersion = 'v1';
const kind = 'Pod';

const metadata = [
  ...defaults(
    embedded,
    {},
    { apiVersion, kind },
    { apiVersion: '', kind },
    { apiVersion, kind: '' },
    { apiVersion: 'a/b/c', kind },
    { apiVersion, kind: 'A b' },
    { apiVersion, kind: 5 },
    { apiVersion, kind, metadata: 'x' },
    { apiVersion, kind, metadata: { labels: 'x' } },
    { apiVersion, kind, metadata: { name: 5 } },
    { apiVersion: 5, kind },
    { apiVersion, kind, metadata: { name: 'a/b' } },
    { apiVersion, kind, metadata: { name: 'a', namespace: 'b', labels: { 'a b': 'c' } } },
    { apiVersion, kind, metadata: {} },
  ),
  object({ a: object({ apiVersion: { ...text, default: 'a/b/c' } }, { ...embedded }) }),
  object({ a: object({ kind: { ...text, default: 'a b' } }, { ...embedded }) }),
  object({ a: object({ kind: { ...text, default: 'Pod' } }, { ...embedded }) }),
  object({ a: object({ metadata: object({ name: { ...text, default: 'a/b' } }) }, { ...embedded }) }),
  object({ a: object({ metadata: object({ name: { ...text, default: 'x', maxLength: 0 } }) }, { ...embedded }) }),
];

export const defaultCases: readonly JsonObject[] = [
  ...types,
  ...constraints,
  ...formatted,
  ...alternatives,
  ...objects,
  ...metadata,
];
