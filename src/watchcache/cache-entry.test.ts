import { expect, test } from 'vitest';
import { CacheEntry } from './cache-entry.ts';

/** Counts how often an object of this size is encoded. */
function counted(sizeBytes: number): { readonly encode: () => Uint8Array; count: number } {
  const calls = { count: 0, encode: () => (calls.count++, new Uint8Array(sizeBytes)) };
  return calls;
}

const entry = (): CacheEntry => new CacheEntry('/registry/pods/default/a', new Uint8Array(), 1);

test('another encoding is computed once while there is room', () => {
  const [one, calls] = [entry(), counted(1000)];
  expect(one.encodedBytes(calls.encode)).toBe(1000);
  expect(one.encoded(calls.encode)).toBe(one.encoded(calls.encode));
  expect(calls.count).toBe(1);
});

test('without room it is computed again, but its size is cached', () => {
  const sizeBytes = 33 * 1024 * 1024;
  const [one, calls] = [entry(), counted(sizeBytes)];
  expect([one.encodedBytes(calls.encode), one.encodedBytes(calls.encode)]).toEqual([sizeBytes, sizeBytes]);
  expect(calls.count).toBe(1);
  one.encoded(calls.encode);
  one.encoded(calls.encode);
  expect(calls.count).toBe(3);
});

test('entries beyond the limit do not keep theirs', () => {
  const entries = Array.from({ length: 40 }, entry);
  const calls = counted(1024 * 1024);
  for (const one of entries) one.encoded(calls.encode);
  for (const one of entries) one.encoded(calls.encode);
  expect(calls.count).toBeGreaterThanOrEqual(48);
  expect(calls.count).toBeLessThan(80);
});
