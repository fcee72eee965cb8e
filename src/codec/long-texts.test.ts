import { expect, test } from 'vitest';
import { encodeRaw } from '../api/json-text.ts';
import type { JsonValue } from '../api/json.ts';
import { finish } from '../api/turns.ts';
import { encodeLongTexts, hasLongText } from './long-texts.ts';

const long = (unit: string): string => unit.repeat(100_000 / unit.length);

test.each<[string, JsonValue]>([
  ['letters', { a: long('a'), b: [1, long('é'), null], c: 'short' }],
  ['pairs, which pieces do not cut', { a: `a${long('\u{1f600}')}`, b: long('\u{1f600}') }],
  ['lone surrogates', [long('\ud800'), long('\udc00')]],
  ['characters that are escaped', { '"<': { '': long('<\0"\u2028\\') } }],
])('are encoded as at once: %s', (_, value) => {
  expect(hasLongText(value)).toBe(true);
  expect(Buffer.from(finish(encodeLongTexts(value))).toString()).toBe(encodeRaw(value));
});

test('pauses are proportional to the text', () => {
  let pauses = 0;
  for (const _ of encodeLongTexts({ a: { b: [long('a'), 'a'] } })) pauses += 1;
  expect(pauses).toBe(Math.ceil(100_000 / (16 * 1024)) + 1);
});

test('short texts are no long ones', () => {
  expect(hasLongText({ a: ['b'.repeat(1000), 1, null, { c: true }] })).toBe(false);
});
