import { describe, expect, it } from 'vitest';
import { convertedIntegers } from './converted-integers.ts';
import { DecodeError } from './decode-errors.ts';
import type { Field, Schema } from './schema.ts';

const int32: Schema = { type: 'integer', format: 'int32', goType: 'int32' };
const int64: Schema = { type: 'integer', format: 'int64', goType: 'int64' };

describe('integers', () => {
  it.each([
    [int32, 7, 7],
    [int32, -7, -7],
    [int32, 3_000_000_000, -1_294_967_296],
    [int32, 2n ** 62n, 0],
    [int32, 10n ** 20n, 0],
    [int64, 3_000_000_000, 3_000_000_000],
    [int64, 2n ** 62n, 2n ** 62n],
    [int64, 10n ** 19n, -(2n ** 63n)],
    [int64, 1e20, -(2n ** 63n)],
  ])('%o: %s', (schema, value, expected) => {
    expect(convertedIntegers(schema, value)).toBe(expected);
  });

  it.each([
    [int32, 1.5, 'cannot convert float64 to int32'],
    [int64, -0.25, 'cannot convert float64 to int64'],
  ])('%o: %s is refused', (schema, value, message) => {
    expect(() => convertedIntegers(schema, value)).toThrow(new DecodeError(message));
  });
});

it('are found at any depth, and nothing else is changed', () => {
  const field = (name: string, schema: Schema): [string, Field] => [
    name,
    { name, schema, required: false, pointer: false, omit: 'empty' },
  ];
  const fields = new Map([
    field('list', { type: 'array', goType: '[]int32', items: int32 }),
    field('map', { type: 'map', goType: 'map[string]int32', items: int32 }),
    field('number', { type: 'number', goType: 'float64' }),
  ]);
  const schema: Schema = { type: 'object', goType: 'v1.X', structure: { goName: 'X', fields } };
  const value = { list: [2 ** 31, 1], map: { __proto__: null, a: 2 ** 32 }, number: 1.5, other: 2.5, none: null };
  expect(convertedIntegers(schema, value)).toEqual({
    list: [-(2 ** 31), 1],
    map: { a: 0 },
    number: 1.5,
    other: 2.5,
    none: null,
  });
});
