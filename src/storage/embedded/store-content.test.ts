import { expect, test } from 'vitest';
import { codeOf, Recorder } from '../conformance/fixture.ts';
import { type EmbeddedStorage, openMemoryStorage } from './engine.ts';
import { restoredContent } from './store-content.ts';

async function put(storage: EmbeddedStorage, key: string, value: string, ttlSeconds?: number): Promise<number> {
  const { kv } = await storage.get(key);
  const request = { key, value: Buffer.from(value), expectedModRevision: kv?.modRevision ?? 0 };
  const written = await storage.put(ttlSeconds === undefined ? request : { ...request, ttlSeconds });
  expect(written.succeeded).toBe(true);
  return written.revision;
}

async function read(storage: EmbeddedStorage, key: string, revision?: number): Promise<string | undefined> {
  const { kv } = await storage.get(key, revision === undefined ? {} : { revision });
  return kv && Buffer.from(kv.value).toString();
}

const everything = { start: '/', end: '0' };

function watch(storage: EmbeddedStorage, afterRevision: number): Recorder {
  const recorder = new Recorder('/');
  storage.watch({ ...everything, afterRevision }, recorder);
  return recorder;
}

test('a store with the content of another one has its keys, revisions and history, and goes its own way', async () => {
  await using first = openMemoryStorage();
  const before = await put(first, '/a', '1');
  await put(first, '/a', '2');
  await put(first, '/b', '1');
  await using second = openMemoryStorage(await first.content());
  expect(await second.range(everything)).toEqual(await first.range(everything));
  expect(await read(second, '/a', before)).toBe('1');
  const seen = watch(second, before);
  const written = await put(second, '/c', '1');
  expect(written).toBe(5);
  await put(first, '/d', '1');
  expect(await read(second, '/d')).toBeUndefined();
  expect(await read(first, '/c')).toBeUndefined();
  await seen.until(({ all }) => all.length === 3);
  expect(seen.lines).toEqual(['3+a=2 (2=1)', '4+b=1', '5+c=1']);
});

test('content of earlier has its revisions, and everything read since has to be read again', async () => {
  await using first = openMemoryStorage();
  const kept = await put(first, '/a', '1');
  const content = await first.content();
  await put(first, '/a', '2');
  const last = await put(first, '/b', '1');
  await using second = openMemoryStorage(restoredContent(content, last));
  expect((await second.range(everything)).kvs.map(({ key, modRevision }) => `${key} ${modRevision}`)).toEqual([
    `/a ${kept}`,
  ]);
  expect(await codeOf(second.get('/a', { revision: last }))).toBe('compacted');
  const seen = watch(second, last);
  await seen.until(({ error }) => error !== undefined);
  expect(seen.error?.code).toBe('compacted');
  const now = await second.currentRevision();
  expect(now).toBeGreaterThan(last);
  expect(await put(second, '/b', '2')).toBe(now + 1);
});

test('keys with a TTL expire in copies too', async () => {
  let nowMs = 1_000_000;
  const clock = { now: () => nowMs };
  await using first = openMemoryStorage(undefined, { clock });
  await put(first, '/short', '1', 60);
  const content = await first.content();
  nowMs += 61_000;
  await using second = openMemoryStorage(content, { clock });
  await expect.poll(() => read(second, '/short'), { timeout: 10_000 }).toBeUndefined();
});

test('what the history of a store in memory has forgotten is compacted', async () => {
  await using storage = openMemoryStorage(undefined, { history: { events: 2 } });
  const first = await put(storage, '/a', '1');
  for (const value of ['2', '3', '4']) await put(storage, '/a', value);
  expect(await codeOf(storage.get('/a', { revision: first }))).toBe('compacted');
  expect(await read(storage, '/a', first + 1)).toBe('2');
  expect(storage.compactedRevision).toBe(first + 1);
  expect(await read(openMemoryStorage(await storage.content()), '/a', first + 2)).toBe('3');
});
