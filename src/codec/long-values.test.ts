import { expect, test } from 'vitest';
import { encodeRaw } from '../api/json-text.ts';
import type { JsonValue } from '../api/json.ts';
import { finish } from '../api/turns.ts';
import { encodeLong, isLong } from './long-values.ts';

const long = (unit: string): string => unit.repeat(100_000 / unit.length);

test.each<[string, JsonValue]>([
  ['letters', { a: long('a'), b: [1, long('é'), null], c: 'short' }],
  ['pairs, which pieces do not cut', { a: `a${long('\u{1f600}')}`, b: long('\u{1f600}') }],
  ['lone surrogates', [long('\ud800'), long('\udc00')]],
  ['many items', { a: Array.from({ length: 1_234 }, (_, index) => ({ index, '<': '&' })), b: [] }],
  ['many items of which one is long', Array.from({ length: 301 }, (_, index) => (index === 150 ? long('a') : index))],
  ['lists in lists', [Array<JsonValue>(200).fill([]), [Array<JsonValue>(101).fill(null)], [{}]]],
  ['characters that are escaped', { '"<': { '': long('<\0"\u2028\\') } }],
])('are encoded as at once: %s', (_, value) => {
  expect(isLong(value)).toBe(true);
  expect(Buffer.from(finish(encodeLong(value))).toString()).toBe(encodeRaw(value));
});

test.each<[string, JsonValue, number]>([
  ['text', { a: { b: [long('a'), 'a'] } }, Math.ceil(100_000 / (16 * 1024)) + 1],
  ['list', { a: Array<JsonValue>(10_000).fill({ a: 'a' }) }, 101],
])('pauses are proportional to the %s', (_, value, expected) => {
  let pauses = 0;
  for (const _pause of encodeLong(value)) pauses += 1;
  expect(pauses).toBe(expected);
});

test('ordinary values are not long', () => {
  expect(isLong({ a: ['b'.repeat(1000), 1, null, { c: true }] })).toBe(false);
});
