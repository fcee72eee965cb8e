import { expect, test } from 'vitest';
import { cpuTimeRatio } from '../../test/cpu-time.ts';
import { isEmptyObject, noteHuge } from './huge-objects.ts';
import type { JsonObject } from './json.ts';

function hugeObject(): JsonObject {
  const object: JsonObject = {};
  for (let i = 0; i < 200_000; i++) object[`key-${i}`] = i;
  return object;
}

test('an object is empty when it has no keys of its own', () => {
  expect(isEmptyObject({})).toBe(true);
  expect(isEmptyObject({ a: 1 })).toBe(false);
});

test('a huge object is checked again when its noted key is gone', () => {
  const object = hugeObject();
  noteHuge(object, 'key-7');
  expect(isEmptyObject(object)).toBe(false);
  delete object['key-7'];
  expect(isEmptyObject(object)).toBe(false);
  for (const key of Object.keys(object)) delete object[key];
  expect(isEmptyObject(object)).toBe(true);
});

test('a noted huge object is checked in constant time', () => {
  const object = hugeObject();
  noteHuge(object, 'key-7');
  const ask = (): void => {
    for (let i = 0; i < 1000; i++) isEmptyObject(object);
  };
  expect(cpuTimeRatio(ask, 150, 3)).toBeLessThan(1);
});
