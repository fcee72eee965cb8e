import { expect, test } from 'vitest';
import { systemClock } from '../api/time/clock.ts';
import { deadlineIn } from '../api/time/deadline.ts';
import { openEmbeddedStorage } from '../storage/embedded/engine.ts';
import { prefixEnd, type Storage, StorageError, type WatchRequest, type WatchSink } from '../storage/contract.ts';
import { translated } from '../storage/translated.ts';
import { WatchCache } from './watch-cache.ts';
import { WatchExpiredError } from './watch-expired-error.ts';

const prefix = '/registry/things/';

test('unreadable values are kept apart: watchers keep the last state until it is deleted or replaced', async () => {
  const storage = await openEmbeddedStorage({ dataDir: undefined });
  const values = translated(storage, {
    read(value) {
      if (value[0] !== 0x7b) throw new Error('no object');
      return { value };
    },
    write: (value) => value,
  });
  const put = async (key: string, text: string, expectedModRevision: number): Promise<number> => {
    const written = await storage.put({ key: prefix + key, value: Buffer.from(text), expectedModRevision });
    return written.revision;
  };
  const before = await put('old', 'broken before', 0);
  const cache = new WatchCache({
    storage: values,
    prefix,
    clock: systemClock,
    readAttributes: () => ({ labels: {}, fields: {} }),
  });
  await cache.ready();
  expect(cache.snapshot().unreadable?.get(`${prefix}old`)).toMatchObject({ unreadable: { message: 'no object' } });
  const received: string[] = [];
  cache.watch(
    { scope: { kind: 'all' }, afterRevision: undefined },
    {
      event: ({ type, entry }) =>
        received.push(`${type} ${entry.key} ${entry.modRevision} ${Buffer.from(entry.value).toString()}`),
      ended: (reason) => received.push(reason),
    },
  );
  const first = await put('a', '{"label":"1"}', 0);
  const second = await put('b', '{"label":"1"}', 0);
  const third = await put('a', 'broken', first);
  const fourth = await put('b', 'broken', second);
  expect(
    cache
      .snapshot()
      .unreadable?.slice(prefix, prefixEnd(prefix))
      .map(({ key }) => key),
  ).toEqual(['a', 'b', 'old'].map((key) => prefix + key));
  expect(cache.snapshot().entries.get(`${prefix}a`)).toBeUndefined();
  await storage.delete({ key: `${prefix}a`, expectedModRevision: third });
  await put('b', '{"label":"2"}', fourth);
  await storage.delete({ key: `${prefix}old`, expectedModRevision: before });
  await cache.current(deadlineIn(5000));
  expect(cache.snapshot().unreadable).toBeUndefined();
  expect(received).toEqual([
    `ADDED ${prefix}a 3 {"label":"1"}`,
    `ADDED ${prefix}b 4 {"label":"1"}`,
    `DELETED ${prefix}a 7 {"label":"1"}`,
    `MODIFIED ${prefix}b 8 {"label":"2"}`,
    // Whether the watcher knows `old` is not known.
    'outdated',
  ]);
  const receiver = { event: () => undefined, ended: () => undefined };
  const from = (afterRevision: number) => cache.watch({ scope: { kind: 'all' }, afterRevision }, receiver);
  expect(() => from(8)).toThrow(WatchExpiredError);
  from(9)();
  cache.close();
  await storage[Symbol.asyncDispose]();
});

test('a cache whose keys change while it is filled reads everything anew', async () => {
  const storage = await openEmbeddedStorage({ dataDir: undefined });
  await storage.put({ key: `${prefix}a`, value: Buffer.from('{}'), expectedModRevision: 0 });
  let watches = 0;
  const changing: Storage = new Proxy(storage, {
    get(target, name) {
      if (name !== 'watch') {
        const member: unknown = Reflect.get(target, name, target);
        return typeof member === 'function' ? (member.bind(target) as unknown) : member;
      }
      return (request: WatchRequest, sink: WatchSink) => {
        const watch = target.watch(request, sink);
        watches += 1;
        if (watches > 1) return watch;
        watch.cancel();
        sink.failed(new StorageError('outdated', 'other keys'));
        return watch;
      };
    },
  });
  const readAttributes = () => ({ labels: {}, fields: {} });
  const cache = new WatchCache({ storage: changing, prefix, clock: systemClock, readAttributes });
  await cache.ready();
  expect(watches).toBe(2);
  expect(cache.snapshot().entries.get(`${prefix}a`)).toBeDefined();
  cache.close();
  await storage[Symbol.asyncDispose]();
});
