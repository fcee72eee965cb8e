import { expect, test } from 'vitest';
import type { JsonValue } from './json.ts';
import { isDeeperThan } from './json-depth.ts';

test('lists and objects count as levels, scalars do not', () => {
  expect(isDeeperThan('a', 0)).toBe(false);
  expect(isDeeperThan([], 0)).toBe(true);
  const value: JsonValue = { a: [], b: [1, { c: null }] };
  expect(isDeeperThan(value, 2)).toBe(true);
  expect(isDeeperThan(value, 3)).toBe(false);
});

test('what is deeper than the stack is found to be', () => {
  const deep = JSON.parse(`${'[{"a":'.repeat(5_000)}1${'}]'.repeat(5_000)}`) as JsonValue;
  expect(isDeeperThan(deep, 2_500)).toBe(true);
});
