import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { valueText } from './conformance/fixture.ts';
import type { Storage, StorageEvent } from './contract.ts';
import { openEmbeddedStorage } from './embedded/engine.ts';
import { translated, type Translation } from './translated.ts';

const root = await mkdtemp(join(tmpdir(), 'binnacle-translated-'));
afterAll(() => rm(root, { recursive: true }));

/** Stored values are prefixed with an angle bracket. */
const bracket: Translation = {
  read(value) {
    if (value[0] !== 0x3e) throw new Error('no bracket');
    return { value: value.subarray(1) };
  },
  write: (value) => Buffer.concat([Buffer.from('>'), value]),
};

async function open(): Promise<{ readonly below: Storage; readonly above: Storage }> {
  const below = await openEmbeddedStorage({ dataDir: await mkdtemp(join(root, 'data-')) });
  return { below, above: translated(below, bracket) };
}

const put = (storage: Storage, key: string, text: string, expectedModRevision = 0) =>
  storage.put({ key, value: Buffer.from(text), expectedModRevision });

test('values are translated in all calls', async () => {
  const { below, above } = await open();
  const events: StorageEvent[] = [];
  const watch = above.watch(
    { start: 'a', end: 'b', afterRevision: 1 },
    { events: (batch) => events.push(...batch), progress: () => undefined, failed: () => undefined },
  );
  const written = await put(above, 'a', '1');
  expect(valueText((await below.get('a')).kv!.value)).toBe('>1');
  expect(valueText((await above.get('a')).kv!.value)).toBe('1');
  expect((await above.range({ start: 'a', end: 'b' })).kvs.map(({ value }) => valueText(value))).toEqual(['1']);
  const refused = await put(above, 'a', '3');
  expect(!refused.succeeded && valueText(refused.current!.value)).toBe('1');
  await put(below, 'a', '>2', written.revision);
  await above.delete({ key: 'a', expectedModRevision: (await above.get('a')).kv!.modRevision });
  const sizes = events.map(({ storedBytes, previous }) => [storedBytes, previous?.storedBytes]);
  expect(sizes).toEqual([
    [2, undefined],
    [2, 2],
    [undefined, 2],
  ]);
  const texts = events.map(({ value, previous }) => [value, previous?.value].map((bytes) => bytes && valueText(bytes)));
  expect(texts).toEqual([
    ['1', undefined],
    ['2', '1'],
    [undefined, '2'],
  ]);
  watch.cancel();
  await above[Symbol.asyncDispose]();
});

test('values that move are translated where they are now, but not those that are no part of the store', async () => {
  const below = await openEmbeddedStorage({ dataDir: undefined });
  const half: Translation = {
    read: (value) => ({ value: value[0] === 0x3e ? value.subarray(1) : Buffer.from('made') }),
    write: (value) => value,
  };
  const moved: string[] = [];
  const sink = { events: () => undefined, progress: () => undefined, failed: () => undefined };
  const watch = translated(below, half).watch(
    { start: 'a', end: 'c', afterRevision: 1 },
    { ...sink, moved: (kvs) => moved.push(...kvs.map(({ key, value }) => `${key}=${valueText(value)}`)) },
  );
  await put(below, 'a', '>1');
  await put(below, 'b', 'other');
  const sharing = { heldBytes: 0, begunBytes: 0, applied: () => undefined, compacted: () => undefined };
  const copy = (value: Uint8Array): Uint8Array => {
    const memory = new SharedArrayBuffer(value.length);
    const copied = Buffer.from(memory);
    copied.set(value);
    return copied;
  };
  below.shareWith({ ...sharing, share: copy, copy });
  expect(moved).toEqual(['a=1']);
  watch.cancel();
  await below[Symbol.asyncDispose]();
});

test('an unreadable value says so, and nothing else fails', async () => {
  const { below, above } = await open();
  const received: (readonly [key: string, unreadable: string | undefined])[] = [];
  above.watch(
    { start: 'a', end: 'c', afterRevision: 1 },
    {
      events: (events) => received.push(...events.map(({ key, unreadable }) => [key, unreadable?.message] as const)),
      progress: () => undefined,
      failed: () => undefined,
    },
  );
  await put(below, 'a', 'x');
  await put(above, 'b', '1');
  expect((await above.get('a')).kv).toMatchObject({
    value: Buffer.from('x'),
    unreadable: { kind: 'undecodable', message: 'no bracket' },
  });
  const { kvs } = await above.range({ start: 'a', end: 'c' });
  expect(kvs.map(({ value, unreadable }) => [valueText(value), unreadable?.message])).toEqual([
    ['x', 'no bracket'],
    ['1', undefined],
  ]);
  expect(received).toEqual([
    ['a', 'no bracket'],
    ['b', undefined],
  ]);
  await above[Symbol.asyncDispose]();
});
