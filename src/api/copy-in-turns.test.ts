import { expect, test } from 'vitest';
import { copyInTurns } from './copy-in-turns.ts';
import { copyJson, isJsonObject, type JsonObject, type JsonValue } from './json.ts';
import { finish } from './turns.ts';

function mapOf(count: number, value: JsonValue): JsonObject {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`key-${i}`, value]));
}

const large: JsonObject = {
  small: { list: [1, null, 'a', { b: true }], ['__proto__']: 1 },
  map: mapOf(5000, { inner: [1, { a: 2 }] }),
  list: Array.from({ length: 3000 }, (_, i) => ({ i, map: i === 7 ? mapOf(900, 'x') : {} })),
  end: 'after',
};

test('equals the original, including key order, and shares nothing', () => {
  const copy = finish(copyInTurns(large));
  expect(JSON.stringify(copy)).toBe(JSON.stringify(copyJson(large)));
  expect(sharedParts(copy, large)).toBe(0);
});

test('pauses only in large objects', () => {
  expect(pausesOf({ small: large['small'] ?? null })).toBe(0);
  // One before listing the members, one per 500 of them.
  expect(pausesOf(large)).toBe(1 + 10 + (1 + 6) + (1 + 2));
});

function pausesOf(object: JsonObject): number {
  const work = copyInTurns(object);
  let pauses = 0;
  while (work.next().done !== true) pauses++;
  return pauses;
}

function sharedParts(a: JsonValue, b: JsonValue | undefined): number {
  if (typeof a !== 'object' || a === null) return 0;
  const own = a === b ? 1 : 0;
  return Object.keys(a).reduce((count, key) => count + sharedParts(at(a, key), at(b, key)), own);
}

function at(value: JsonValue | undefined, key: string): JsonValue {
  if (Array.isArray(value)) return value[Number(key)] ?? null;
  return isJsonObject(value) ? (value[key] ?? null) : null;
}
