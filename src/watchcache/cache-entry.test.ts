import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
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

test('what is kept keeps no memory of others', async () => {
  await collectGarbage();
  const [one, pooled] = [entry(), Buffer.allocUnsafe(100).fill(7)];
  expect(pooled.buffer.byteLength).toBeGreaterThan(pooled.length);
  const kept = one.encoded(() => pooled);
  expect([...kept]).toEqual(Array.from({ length: 100 }, () => 7));
  expect(kept.buffer.byteLength).toBe(pooled.length);
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

/** How many of these entries keep their encoded form. */
function keeping(entries: readonly CacheEntry[]): number {
  const calls = counted(1024 * 1024);
  for (const one of entries) one.encoded(calls.encode);
  const made = calls.count;
  for (const one of entries) one.encoded(calls.encode);
  return entries.length - (calls.count - made);
}

test('superseded states keep none, and give their room back at once', async () => {
  await collectGarbage();
  const earlier = Array.from({ length: 40 }, entry);
  const room = keeping(earlier);
  expect(room).toBeGreaterThan(0);
  expect(keeping(Array.from({ length: 40 }, entry))).toBe(0);
  for (const one of earlier) one.supersede();
  expect(keeping(Array.from({ length: room }, entry))).toBe(room);
  expect(keeping(earlier)).toBe(0);
});

test('its length is known for good', () => {
  const [one, calls] = [entry(), counted(1000)];
  one.encodedBytes(calls.encode);
  one.supersede();
  expect(one.encodedBytes(calls.encode)).toBe(1000);
  expect(calls.count).toBe(1);
});

/** What no longer exists gives its room back. */
async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void; // V8's, by that flag
  setFlagsFromString('--no-expose-gc');
  collect();
  await sleep(10);
}
