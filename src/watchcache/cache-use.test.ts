import { expect, test } from 'vitest';
import { systemClock } from '../api/time/clock.ts';
import { deadlineIn } from '../api/time/deadline.ts';
import { type Storage, StorageError, type WatchSink } from '../storage/contract.ts';
import { openEmbeddedStorage } from '../storage/embedded/engine.ts';
import { translated } from '../storage/translated.ts';
import type { CacheEntry } from './cache-entry.ts';
import { type CacheUse, unnoticed } from './cache-use.ts';
import { WatchCache } from './watch-cache.ts';

const prefix = '/registry/things/';
const soon = (): number => deadlineIn(1000);

function cacheOf(storage: Storage, use: CacheUse = unnoticed): WatchCache {
  const readAttributes = () => ({ labels: {}, fields: {} });
  return new WatchCache({ storage, prefix, readAttributes, clock: systemClock, use });
}

async function put(storage: Storage, name: string, text = '{}'): Promise<number> {
  const { kv } = await storage.get(prefix + name);
  const value = Buffer.from(text);
  return (await storage.put({ key: prefix + name, value, expectedModRevision: kv?.modRevision ?? 0 })).revision;
}

async function remove(storage: Storage, name: string): Promise<void> {
  const { kv } = await storage.get(prefix + name);
  await storage.delete({ key: prefix + name, expectedModRevision: kv?.modRevision ?? 0 });
}

/** The store with other members. */
function altered(storage: Storage, members: Partial<Storage>): Storage {
  return new Proxy(storage, {
    get(target, name) {
      const member: unknown = Reflect.get(name in members ? members : target, name);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}

test('fillings, waits, reads and deliveries are told', async () => {
  await using below = await openEmbeddedStorage({ dataDir: undefined });
  const sinks: WatchSink[] = [];
  const storage = altered(below, {
    watch(request, sink) {
      sinks.push(sink);
      return below.watch(request, sink);
    },
  });
  const received: string[] = [];
  const timed = (what: string, seconds: number): void => {
    expect(seconds).toBeGreaterThanOrEqual(0);
    expect(seconds).toBeLessThan(10);
    received.push(what);
  };
  const cache = cacheOf(storage, {
    filled: (seconds) => timed('filled', seconds),
    notFilled: () => received.push('not filled'),
    waited: (seconds) => timed('waited', seconds),
    readLatest: (succeeded) => received.push(succeeded ? 'read' : 'not read'),
    dispatched: (seconds, events) => timed(`${events} delivered`, seconds),
  });
  const take = (): readonly string[] => received.splice(0);
  await cache.current(soon());
  expect(take()).toEqual(['filled', 'read']);
  const revision = await put(below, 'x');
  expect(await cache.waitFor(revision, soon())).toBe(true);
  expect(await cache.waitFor(revision + 1, deadlineIn(10))).toBe(false);
  // Nobody was watching.
  expect(take()).toEqual(['waited']);
  const watch = (selects: (entry: CacheEntry) => boolean): (() => void) =>
    cache.watch(
      { scope: { kind: 'all' }, selects, afterRevision: revision },
      { event: () => undefined, ended: () => undefined },
    );
  const ends = [watch(() => true), watch(() => true), watch(() => false)];
  await put(below, 'y');
  expect(take()).toEqual(['2 delivered']);
  for (const end of ends) end();
  for (const sink of sinks.splice(0)) sink.failed(new StorageError('unavailable', 'the connection is lost'));
  await expect.poll(take).toEqual(['filled']);
  cache.close();
});

test('failures to fill the cache are told', async () => {
  await using below = await openEmbeddedStorage({ dataDir: undefined });
  const received: string[] = [];
  const cache = cacheOf(altered(below, { range: () => Promise.reject(new StorageError('unavailable', 'away')) }), {
    ...unnoticed,
    notFilled: () => received.push('not filled'),
    readLatest: (succeeded) => received.push(succeeded ? 'read' : 'not read'),
  });
  await expect(cache.current(soon())).rejects.toThrow('away');
  expect(received).toEqual(['not filled', 'not read']);
  cache.close();
});

test('the size of objects is that in the store, including unreadable ones', async () => {
  await using storage = await openEmbeddedStorage({ dataDir: undefined });
  const cache = cacheOf(
    translated(storage, {
      read(value) {
        if (value[0] !== 0x7b) throw new Error('no object');
        return { value: Buffer.concat([value, Buffer.from('     ')]) };
      },
      write: (value) => value,
    }),
  );
  await put(storage, 'a');
  await put(storage, 'b', 'broken');
  expect(cache.storedBytes).toBeUndefined();
  await cache.ready();
  expect(cache.storedBytes).toBe(8);
  await put(storage, 'c', '{"a":1}');
  await put(storage, 'a', '{ }');
  expect(cache.storedBytes).toBe(16);
  await put(storage, 'b');
  await remove(storage, 'c');
  expect(cache.storedBytes).toBe(5);
  await remove(storage, 'b');
  expect(cache.storedBytes).toBe(3);
  cache.close();
});
