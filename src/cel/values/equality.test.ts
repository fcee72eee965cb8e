import { expect, test } from 'vitest';
import { MapValue } from './collections.ts';
import { equals } from './equality.ts';
import { Double, Uint, type Value } from './value.ts';

const depth = 20_000;

function nested(core: Value, around: (value: Value) => Value): Value {
  let value = core;
  for (let level = 0; level < depth; level += 1) value = around(value);
  return value;
}

function inMap(value: Value): Value {
  const map = new MapValue();
  map.set('a', value);
  return map;
}

test.each<readonly [string, (value: Value) => Value]>([
  ['data of lists', (value) => [value]],
  ['data of maps', (value) => ({ a: value }) as Value],
  ['maps that an expression writes', inMap],
  ['lists in maps', (value) => inMap([value])],
])('%s may be nested deeply', (_, around) => {
  expect(equals(nested(1, around), nested(1, around))).toBe(true);
  expect(equals(nested(1, around), nested(2, around))).toBe(false);
  expect(equals(nested(1, around), nested(new Double(1), around))).toBe(true);
  expect(equals(nested(Uint.of(1), around), nested('1', around))).toBe(false);
});

test('the first items that differ decide', () => {
  expect(equals([1, [2, { a: [3] }]], [1, [2, { a: [3] }]])).toBe(true);
  expect(equals([1, [2, { a: [3] }]], [1, [2, { a: [3, 4] }]])).toBe(false);
  expect(equals([1, [2, { a: [3] }]], [1, [2, { b: [3] }]])).toBe(false);
  expect(equals([], {})).toBe(false);
  expect(equals({ a: null }, { a: 0 })).toBe(false);
});
