import { expect, test } from 'vitest';
import { finish } from './turns.ts';
import { noteHuge } from './huge-objects.ts';
import type { JsonObject, JsonValue } from './json.ts';
import { encodeAny, encodeRaw } from './json-text.ts';
import { writtenInTurns } from './json-writer.ts';
import { writeAny, writeRaw } from './write-json.ts';

const long = (unit: string): string => unit.repeat(100_000 / unit.length);

const values: readonly (readonly [string, JsonValue])[] = [
  ['letters', { b: long('a'), a: [1, long('é'), null], c: 'short' }],
  ['pairs, which pieces do not cut', { a: `a${long('\u{1f600}')}`, b: long('\u{1f600}') }],
  ['lone surrogates', [long('\ud800'), long('\udc00')]],
  ['many items', { a: Array.from({ length: 12_345 }, (_, index) => ({ index, '<': '&' })), b: [] }],
  ['many items of which one is long', Array.from({ length: 301 }, (_, index) => (index === 150 ? long('a') : index))],
  ['lists in lists', [Array<JsonValue>(20_000).fill([]), [Array<JsonValue>(20_000).fill(null)], [{}]]],
  ['deep lists', nested(400, Array<JsonValue>(20_000).fill(1))],
  ['characters that are escaped', { '"<': { '': long('<\0"\u2028\\') } }],
  ['a map', hugeMap(20_000)],
  ['maps in maps after a long text', { a: long('a'), b: hugeMap(3_000), c: { d: hugeMap(3_000), e: {} }, f: {} }],
  ['integers', { a: Array<JsonValue>(20_000).fill(2n ** 63n) }],
];

function nested(depth: number, value: JsonValue): JsonValue {
  return depth === 0 ? value : [depth, depth % 2 === 0 ? { a: nested(depth - 1, value) } : [nested(depth - 1, value)]];
}

/** Unsorted keys and all kinds of text. */
function hugeMap(count: number): JsonObject {
  const texts = ['', 'a', '"\\\n<&>', 'ü\u2028', 'x'.repeat(100)];
  const map: JsonObject = { ü: 'after all letters', '"<': '', '\u{10000}': 'after U+FFFF', '\uffff': '' };
  for (let i = 0; i < count; i++) map[`k${(i * 7919) % count}`] = texts[i % texts.length] ?? '';
  noteHuge(map, 'k0');
  return map;
}

test.each(values)('with pauses, %s are written as at once', (_, value) => {
  expect(finish(writtenInTurns((out) => writeRaw(out, value))).toString()).toBe(encodeRaw(value));
  expect(finish(writtenInTurns((out) => writeAny(out, value))).toString()).toBe(
    Buffer.from(encodeAny(value)).toString(),
  );
});

test('others may write during the pauses', () => {
  const [[, first], [, second]] = [values[3] as (typeof values)[0], values[8] as (typeof values)[0]]; // in the table
  const works = [first, second].map((value) => writtenInTurns((out) => writeAny(out, value)));
  const ended: string[] = [];
  while (ended.length < works.length) {
    for (const work of works) {
      const step = work.next();
      if (step.done === true && step.value !== undefined) ended.push(step.value.toString());
    }
  }
  expect(ended.toSorted()).toEqual([first, second].map(encodeAny).toSorted());
});

test.each<[string, JsonValue, number]>([
  ['text', { a: { b: [long('a'), 'a'] } }, Math.ceil(100_000 / (16 * 1024)) + 2],
  ['list', { a: Array<JsonValue>(100_000).fill({ a: 'a' }) }, Math.ceil(1_000_000 / (32 * 1024)) + 2],
])('pauses are proportional to the %s', (_, value, expected) => {
  let pauses = 0;
  for (const _pause of writtenInTurns((out) => writeRaw(out, value))) pauses += 1;
  expect(Math.abs(pauses - expected)).toBeLessThanOrEqual(2);
});
