import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from './json.ts';
import { encodeAny, encodeRaw } from './json-text.ts';
import { written, writtenText } from './json-writer.ts';
import { writeAny, writeItems, writeMap, writeRaw } from './write-json.ts';

const long = (unit: string): string => unit.repeat(100_000 / unit.length);

const values: readonly (readonly [string, JsonValue])[] = [
  ['letters', { b: long('a'), a: [1, long('é'), null], c: 'short' }],
  ['pairs', { a: `a${long('\u{1f600}')}`, b: long('\u{1f600}') }],
  ['lone surrogates', [long('\ud800'), long('\udc00')]],
  ['many items', { a: Array.from({ length: 12_345 }, (_, index) => ({ index, '<': '&' })), b: [] }],
  ['deep lists', nested(5_000, [1])],
  ['characters that are escaped', { '"<': { '': long('<\0"\u2028\\') } }],
  ['a map', largeMap(20_000)],
  ['integers', { a: Array<JsonValue>(20_000).fill(2n ** 63n) }],
];

function nested(depth: number, value: JsonValue): JsonValue {
  let whole = value;
  for (let level = 0; level < depth; level++) whole = level % 2 === 0 ? { a: whole } : [level, whole];
  return whole;
}

/** Unsorted keys and all kinds of text. */
function largeMap(count: number): JsonObject {
  const texts = ['', 'a', '"\\\n<&>', 'ü\u2028', 'x'.repeat(100)];
  const map: JsonObject = { ü: 'after all letters', '"<': '', '\u{10000}': 'after U+FFFF', '\uffff': '' };
  for (let i = 0; i < count; i++) map[`k${(i * 7919) % count}`] = texts[i % texts.length] ?? '';
  return map;
}

test.each(values)('%s are written as they are encoded', (_, value) => {
  expect(writtenText((out) => writeRaw(out, value))).toBe(Buffer.from(encodeRaw(value)).toString());
  expect(written((out) => writeAny(out, value)).equals(Buffer.from(encodeAny(value)))).toBe(true);
});

test('lists and maps are written with their items, maps in the order of their keys', () => {
  const map: JsonObject = { b: [1, 'x'], a: [] };
  const item = (out: Parameters<typeof writeRaw>[0], value: JsonValue | undefined): void =>
    writeItems(out, value as JsonValue[], writeRaw); // as above
  expect(writtenText((out) => writeMap(out, map, item))).toBe('{"a":[],"b":[1,"x"]}');
  expect(writtenText((out) => writeMap(out, {}, item))).toBe('{}');
});

test('what was written before an error is discarded', () => {
  const failing = (): unknown =>
    written((out) => {
      writeRaw(out, [1]);
      throw new Error('cannot be written');
    });
  expect(failing).toThrow('cannot be written');
  expect(writtenText((out) => writeRaw(out, [2]))).toBe('[2]');
});
