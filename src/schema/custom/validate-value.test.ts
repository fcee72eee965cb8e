import { beforeAll, describe, expect, it } from 'vitest';
import { cpuTimeRatio } from '../../../test/cpu-time.ts';
import { fieldErrorText } from '../../api/errors/field-error.ts';
import { loadGoRegexp } from '../../api/go/go-regexp.ts';
import type { JsonValue } from '../../api/json/json.ts';
import type { Schema } from '../schema.ts';
import { customSchema, partSchema } from './custom-schema.ts';
import type { JsonSchema } from './json-schema.ts';
import { hasUnknownFields } from './unknown-fields.ts';
import { validateChangedValue, validateValue } from './validate-value.ts';

beforeAll(loadGoRegexp);

const errors = (schema: JsonSchema, value: JsonValue): string[] =>
  validateValue(partSchema(schema), value, 'a').map(fieldErrorText);

describe('values', () => {
  const schema: JsonSchema = {
    type: 'object',
    required: ['name'],
    properties: {
      name: { type: 'string', maxLength: 3 },
      ports: { type: 'array', maxItems: 2, items: { type: 'integer', minimum: 1 } },
    },
  };

  it('that match the schema are valid', () => {
    expect(errors(schema, { name: 'abc', ports: [1, 2], other: true })).toEqual([]);
  });

  it('get all errors, with paths', () => {
    expect(errors(schema, { name: 5, ports: [0, 'x', 3] })).toEqual([
      'a.name: Invalid value: "integer": name in body must be of type string: "integer"',
      'a.ports[0]: Invalid value: 0: ports[0] in body should be greater than or equal to 1',
      'a.ports[1]: Invalid value: "string": ports[1] in body must be of type integer: "string"',
      'a.ports: Too many: 3: must have at most 2 items',
    ]);
    expect(errors(schema, {})).toEqual(['a.name: Required value']);
  });

  it('that do not match are reported with the pattern, however long they are', () => {
    const pattern = '^(a+)+$';
    const text = (letters: number): string => `${'a'.repeat(letters)}!`;
    expect(errors({ type: 'string', pattern }, text(50))).toEqual([
      `a: Invalid value: "${text(50)}":  in body should match '${pattern}'`,
    ]);
    expect(errors({ type: 'string', pattern }, text(1_000_000))).toEqual([
      `a: Invalid value: "${text(1_000_000)}":  in body is too long to be matched with '${pattern}'`,
    ]);
  });

  it('that match no alternative get the errors of the closest', () => {
    const alternatives: JsonSchema = { type: 'integer', anyOf: [{ maximum: 3 }, { minimum: 7 }] };
    expect(errors(alternatives, 8)).toEqual([]);
    expect(errors(alternatives, 5)).toEqual([
      'a: Invalid value: "": "" must validate at least one schema (anyOf)',
      'a: Invalid value: 5:  in body should be less than or equal to 3',
    ]);
  });

  it('may have inherited names as keys', () => {
    const map: JsonSchema = { type: 'object', additionalProperties: { type: 'string' } };
    expect(errors(map, JSON.parse('{"__proto__": 1, "constructor": "x"}') as JsonValue)).toEqual([
      'a.__proto__: Invalid value: "integer": .__proto__ in body must be of type string: "integer"',
    ]);
  });
});

describe('changed values', () => {
  const item: JsonSchema = { type: 'object', properties: { name: { type: 'string' }, port: { maximum: 9 } } };
  const keys: JsonSchema = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] };
  const schema: JsonSchema = {
    type: 'object',
    required: ['a'],
    properties: {
      a: { maxLength: 3 },
      b: { maxLength: 3 },
      c: { items: item, type: 'array', ...keys },
      d: { items: item },
    },
  };
  const changed = (old: JsonValue, value: JsonValue): string[] =>
    validateChangedValue(partSchema(schema), { value, old }, 'x').map(({ field }) => field);
  const port = (name: string, number: number): JsonValue => ({ name, port: number });

  it.each<readonly [string, JsonValue, JsonValue, readonly string[]]>([
    ['is forgiven in a field', { a: 'long' }, { a: 'long', b: '' }, []],
    ['is told of a field that has changed', { a: 'long' }, { a: 'longer' }, ['x.a']],
    ['is told of a field that is new', {}, { a: 'long' }, ['x.a']],
    [
      'is forgiven in items that have moved',
      { a: '', c: [port('p', 1), port('q', 10)] },
      { a: '', c: [port('q', 10), port('p', 2)] },
      [],
    ],
    ['is told of items with other keys', { a: '', c: [port('p', 10)] }, { a: '', c: [port('q', 10)] }, ['x.c[0].port']],
    ['is forgiven in lists without keys as a whole', { a: '', d: [port('p', 10)] }, { a: '', d: [port('p', 10)] }, []],
    [
      'is told of lists without keys',
      { a: '', d: [port('p', 10)] },
      { a: '', d: [port('p', 10), port('q', 1)] },
      ['x.d[0].port'],
    ],
    ['is forgiven in an object that stays', { b: 'x' }, { b: 'x' }, []],
    ['is told of what is missing in an object that changes', { b: 'x' }, { b: 'y' }, ['x.a']],
    ['is told of what the schema does not know', { z: 1 }, { z: 1 }, ['x.a']],
  ])('an error %s', (_, old, value, fields) => {
    expect(changed(old, value)).toEqual(fields);
  });

  // As in the reference, where an unchanged field may decide about an alternative.
  it.each<readonly [string, JsonSchema, readonly string[]]>([
    ['oneOf', { oneOf: [{ required: ['a'] }, { properties: { a: { enum: [1] } } }] }, []],
    ['not', { not: { properties: { a: { enum: [1] } } } }, []],
    ['allOf', { allOf: [{ properties: { a: { minimum: 5 } } }] }, ['x', 'x.a']],
    ['anyOf', { anyOf: [{ properties: { a: { minimum: 5 } } }] }, ['x', 'x.a']],
  ])('are validated anew by %s', (_, alternatives, fields) => {
    const kind: JsonSchema = { type: 'object', properties: { a: {}, b: {} }, ...alternatives };
    const errors = validateChangedValue(partSchema(kind), { value: { a: 0, b: 2 }, old: { a: 0, b: 1 } }, 'x');
    expect(errors.map(({ field }) => field).toSorted()).toEqual(fields);
    expect(validateChangedValue(partSchema(kind), { value: { a: 0 }, old: { a: 0 } }, 'x')).toEqual([]);
  });
});

describe('an int-or-string', () => {
  const either: JsonSchema = { 'x-kubernetes-int-or-string': true };
  it('accepts both', () => {
    const metadata: Schema = { type: 'any', goType: 'v1.ObjectMeta' };
    const schema = customSchema({ type: 'object', properties: { x: either } }, metadata);
    const errorsOf = (x: JsonValue): string[] => validateValue(schema, { x }, 'a').map(fieldErrorText);
    expect(errorsOf(1)).toEqual([]);
    expect(errorsOf('50%')).toEqual([]);
    expect(errorsOf(true)).toEqual([
      'a.x: Invalid value: "boolean": x in body must be of type integer,string: "boolean"',
    ]);
    // A default may have any type.
    expect(errors(either, true)).toEqual([]);
  });
});

describe('formats', () => {
  it.each([
    ['date', 'string', undefined],
    ['k8s-short-name', 'string', undefined],
    ['int64', 'string', 'string'],
    ['unheard-of', 'string', 'string'],
    ['date', 'boolean', 'boolean'],
    ['int64', 'object', 'object'],
    ['int64', 'integer', 'integer'],
  ])('%s of a %s decides about lists only if the type has it', (format, type, wanted) => {
    const errorsOf =
      wanted === undefined ? [] : [`a.x: Invalid value: "array": x in body must be of type ${wanted}: "array"`];
    const schema = { type: 'object', properties: { x: { type, format } } };
    const inObject = validateValue(customSchema(schema, { type: 'any', goType: '' }), { x: ['b'] }, 'a');
    expect(inObject.map(fieldErrorText)).toEqual(errorsOf);
    // Defaults are compared with formats that their type does not have.
    expect(errors(schema, { x: ['b'] })).toEqual(format === type || type === 'integer' ? errorsOf : []);
  });
});

describe('hardware addresses', () => {
  const mac: JsonSchema = { type: 'string', format: 'mac' };

  it.each([
    '00:11:22:33:44:ff',
    '00-11-22-33-44-FF',
    '0011.2233.4455',
    '001122334455',
    '00:11:22:33:44:55:66:77',
    '0011.2233.4455.6677',
    '0011223344556677',
    Array.from({ length: 20 }, () => '0a').join(':'),
    '0a'.repeat(20),
  ])('%s', (text) => expect(errors(mac, text)).toEqual([]));

  it.each(['', '0011223344', '00:11:22:33:44', '00:11-22:33-44:55', '00112233445g', '0011.2233.445', '0a'.repeat(21)])(
    'not %j',
    (text) => expect(errors(mac, text)).toHaveLength(1),
  );
});

describe('numbers', () => {
  it.each([
    [{ type: 'number', maximum: 1e8 }, 2e8, '200000000: x in body should be less than or equal to 100000000'],
    [
      { type: 'number', maximum: 1e8 },
      200_000_000.5,
      '2.000000005e+08: x in body should be less than or equal to 1e+08',
    ],
    [
      { type: 'integer', maximum: 5, format: 'int32' },
      9_000_000,
      '9000000: x in body should be less than or equal to 5',
    ],
    // A limit beyond the format: everything is compared, and shown, as doubles.
    [
      { type: 'integer', format: 'int32', maximum: 4_294_967_295 },
      9_007_199_254_740_991,
      '9.007199254740991e+15: x in body should be less than or equal to 4.294967295e+09',
    ],
  ] as const)('that %j does not allow are shown as Go shows them', (x, value, text) => {
    expect(errors({ type: 'object', properties: { x } }, { x: value })).toContain(`a.x: Invalid value: ${text}`);
  });
});

describe('unknown fields', () => {
  const schema: JsonSchema = { type: 'object', properties: { b: { type: 'object' }, c: { type: 'array', items: {} } } };

  it('are those without a property', () => {
    expect(hasUnknownFields({ b: {}, c: [] }, schema)).toBe(false);
    expect(hasUnknownFields({ d: 1 }, schema)).toBe(true);
    expect(hasUnknownFields({ c: [{ d: 1 }] }, schema)).toBe(true);
  });

  it('are preserved if the schema says so', () => {
    const kept = { ...schema, 'x-kubernetes-preserve-unknown-fields': true };
    expect(hasUnknownFields({ d: { e: 1 } }, kept)).toBe(false);
    expect(hasUnknownFields({ b: { e: 1 } }, kept)).toBe(true);
  });
});

it('thousands of problems are reported in linear time', () => {
  const names = Array.from({ length: 20_000 }, (_, index) => `field${index}`);
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string', maxLength: 1 }]));
  const schema = partSchema({ type: 'object', properties });
  const value = Object.fromEntries(names.map((name) => [name, 'long']));
  // One more than is reported, so that the overflow is reported.
  const validate = (): void => expect(validateValue(schema, value, 'spec')).toHaveLength(5001);
  expect(cpuTimeRatio(validate, 1500)).toBeLessThan(1);
});
