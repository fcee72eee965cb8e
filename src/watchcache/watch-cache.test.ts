import { mkdtemp, rm } from 'node:fs/promises';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { systemClock } from '../api/time/clock.ts';
import { deadlineIn } from '../api/time/deadline.ts';
import { type Storage, StorageError, type StorageWatch, type WatchSink } from '../storage/contract.ts';
import { openEmbeddedStorage } from '../storage/embedded/engine.ts';
import { type CacheEntry, type SelectableAttributes } from './cache-entry.ts';
import type { WatchEvent } from './cache-event.ts';
import type { HistoryLimits } from './history.ts';
import { type CacheWatchRequest, WatchCache } from './watch-cache.ts';
import { WatchExpiredError } from './watch-expired-error.ts';

const root = await mkdtemp(join(tmpdir(), 'binnacle-cache-'));
afterAll(() => rm(root, { recursive: true }));

const prefix = '/registry/things/';
const all = { kind: 'all' } as const;

/** Objects in these tests: `{"label":"x","node":"n"}`. */
function readAttributes(value: Uint8Array): SelectableAttributes {
  const { label = '', node = '' } = JSON.parse(Buffer.from(value).toString()) as { label?: string; node?: string };
  return { labels: { label }, fields: { node } };
}

const labelled =
  (label: string) =>
  (entry: CacheEntry): boolean =>
    entry.attributes(readAttributes).labels['label'] === label;
const onNode =
  (node: string) =>
  (entry: CacheEntry): boolean =>
    entry.attributes(readAttributes).fields['node'] === node;

/** A store whose watches a test can end, like a lost connection. */
interface TestStorage {
  readonly storage: Storage;
  breakWatches(): void;
}

async function open(): Promise<TestStorage> {
  const storage = await openEmbeddedStorage({ dataDir: await mkdtemp(join(root, 'data-')) });
  const watches = new Set<{ readonly sink: WatchSink; readonly watch: StorageWatch }>();
  const watch: Storage['watch'] = (request, sink) => {
    const opened = storage.watch(request, sink);
    watches.add({ sink, watch: opened });
    return opened;
  };
  const breakWatches = (): void => {
    for (const each of watches) {
      each.watch.cancel();
      each.sink.failed(new StorageError('unavailable', 'the connection is lost'));
    }
    watches.clear();
  };
  return {
    storage: new Proxy(storage, { get: (target, key) => (key === 'watch' ? watch : boundTo(target, key)) }),
    breakWatches,
  };
}

function boundTo(target: Storage, key: string | symbol): unknown {
  const member: unknown = Reflect.get(target, key);
  return typeof member === 'function' ? (member.bind(target) as unknown) : member;
}

function cacheOf(storage: Storage, history?: HistoryLimits): WatchCache {
  return new WatchCache({
    storage,
    prefix,
    readAttributes,
    clock: systemClock,
    ...(history === undefined ? {} : { history }),
  });
}

async function put(storage: Storage, name: string, object: object): Promise<number> {
  const key = prefix + name;
  const { kv } = await storage.get(key);
  const value = Buffer.from(JSON.stringify(object));
  return (await storage.put({ key, value, expectedModRevision: kv?.modRevision ?? 0 })).revision;
}

async function remove(storage: Storage, name: string): Promise<number | undefined> {
  const { kv } = await storage.get(prefix + name);
  if (kv === undefined) return undefined;
  return (await storage.delete({ key: kv.key, expectedModRevision: kv.modRevision })).revision;
}

/** `ADDED a/x@5 {...}` per event. */
class Recorder {
  readonly events: string[] = [];
  ends = 0;

  event(event: WatchEvent): void {
    this.events.push(`${event.type} ${shownEntry(event.entry)}`);
  }

  ended(): void {
    this.ends += 1;
  }
}

/** Takes a millisecond per event. */
class SlowRecorder extends Recorder {
  override event(event: WatchEvent): void {
    const endMs = performance.now() + 1;
    while (performance.now() < endMs);
    super.event(event);
  }
}

function shownEntry({ key, value, modRevision }: CacheEntry): string {
  return `${key.slice(prefix.length)}@${modRevision} ${Buffer.from(value).toString()}`;
}

function watch(cache: WatchCache, request: Partial<CacheWatchRequest> = {}): Recorder {
  const recorder = new Recorder();
  cache.watch({ scope: all, afterRevision: undefined, ...request }, recorder);
  return recorder;
}

const soon = (): number => deadlineIn(10_000);

describe('watches', () => {
  it('see objects enter and leave their selection', async () => {
    const { storage } = await open();
    const cache = cacheOf(storage);
    await cache.ready();
    const recorder = watch(cache, { selects: labelled('in') });
    await put(storage, 'a/x', { label: 'out' });
    await put(storage, 'a/x', { label: 'in' });
    await put(storage, 'a/x', { label: 'in', v: 2 });
    await put(storage, 'a/x', { label: 'out' });
    await put(storage, 'a/x', { label: 'in', v: 3 });
    await remove(storage, 'a/x');
    expect(recorder.events).toEqual([
      'ADDED a/x@3 {"label":"in"}',
      'MODIFIED a/x@4 {"label":"in","v":2}',
      'DELETED a/x@5 {"label":"in","v":2}',
      'ADDED a/x@6 {"label":"in","v":3}',
      'DELETED a/x@7 {"label":"in","v":3}',
    ]);
    cache.close();
  });

  it('see one key, one namespace or one value of a field', async () => {
    const { storage } = await open();
    const cache = cacheOf(storage);
    await cache.ready();
    const key = watch(cache, { scope: { kind: 'key', key: `${prefix}a/x` } });
    const namespace = watch(cache, { scope: { kind: 'prefix', prefix: `${prefix}a/` } });
    const field = watch(cache, { scope: { kind: 'field', field: 'node', value: 'n1' }, selects: onNode('n1') });
    await put(storage, 'a/x', {});
    await put(storage, 'a/y', { node: 'n1' });
    await put(storage, 'ab/x', { node: 'n2' });
    await put(storage, 'a/y', { node: 'n2' });
    expect(key.events).toEqual(['ADDED a/x@2 {}']);
    expect(namespace.events).toEqual(['ADDED a/x@2 {}', 'ADDED a/y@3 {"node":"n1"}', 'MODIFIED a/y@5 {"node":"n2"}']);
    expect(field.events).toEqual(['ADDED a/y@3 {"node":"n1"}', 'DELETED a/y@5 {"node":"n1"}']);
    cache.close();
  });

  it('share events and the frames encoded from them', async () => {
    const { storage } = await open();
    const cache = cacheOf(storage);
    await cache.ready();
    const frames: Buffer[] = [];
    let made = 0;
    const receiver = {
      event: (event: WatchEvent): void => {
        frames.push(
          event.frame('json', ({ entry }) => {
            made += 1;
            return Buffer.from(entry.value);
          }),
        );
      },
      ended: (): void => undefined,
    };
    for (let i = 0; i < 100; i += 1) cache.watch({ scope: all, afterRevision: undefined }, receiver);
    await put(storage, 'a/x', {});
    expect(frames.length).toBe(100);
    expect(new Set(frames).size).toBe(1);
    expect(made).toBe(1);
    cache.close();
  });

  it('are notified in turns, each of everything once and in order', async () => {
    const { storage } = await open();
    const cache = cacheOf(storage);
    await cache.ready();
    const slow = Array.from({ length: 20 }, () => new SlowRecorder());
    for (const receiver of slow) cache.watch({ scope: all, afterRevision: undefined }, receiver);
    const writes = Array.from({ length: 8 }, (_, i) => put(storage, `a/x${i}`, {}));
    await Promise.race(writes);
    const delivered = cache.deliveredRevision;
    const { revision } = cache.snapshot();
    expect(delivered).toBeLessThan(revision);
    // New watchers already know the changes that others are still waiting for.
    const [late, since] = [watch(cache), watch(cache, { afterRevision: 1 })];
    await Promise.all(writes);
    await allDelivered(cache);
    for (const { events } of [...slow, since]) expect(events).toEqual(slow[0]?.events);
    expect(since.events.length).toBe(8);
    expect(late.events.length).toBe(8);
    expect(cache.deliveredRevision).toBe(9);
    cache.close();
  });

  it('that are ahead of others know it', async () => {
    const { storage } = await open();
    const cache = cacheOf(storage);
    await cache.ready();
    const receivers = Array.from({ length: 40 }, () => new SlowRecorder());
    const request = { scope: all, afterRevision: 1 };
    const subscriptions = receivers.map((receiver) => cache.subscribe(request, receiver));
    const revision = await put(storage, 'a/x', {});
    expect(cache.deliveredRevision).toBe(1);
    // Those that have an event are past it, and so are those that begin with it.
    const reached = receivers.map(({ events }) => (events.length > 0 ? revision : 1));
    expect(new Set(reached)).toEqual(new Set([1, revision]));
    expect(subscriptions.map(({ deliveredRevision: toldRevision }) => toldRevision)).toEqual(reached);
    expect(cache.subscribe(request, new SlowRecorder()).deliveredRevision).toBe(revision);
    await allDelivered(cache);
    expect(subscriptions.map(({ deliveredRevision: toldRevision }) => toldRevision)).toEqual(
      reached.map(() => revision),
    );
    cache.close();
  });

  it('that are notified in turns may end in between', async () => {
    const { storage } = await open();
    const cache = cacheOf(storage);
    await cache.ready();
    const slow = Array.from({ length: 40 }, () => new SlowRecorder());
    for (const receiver of slow) cache.watch({ scope: all, afterRevision: undefined }, receiver);
    await put(storage, 'a/x', {});
    expect(cache.deliveredRevision).toBe(1);
    cache.close();
    const heard = slow.map(({ events }) => events.length);
    await sleep(50);
    expect(slow.map(({ events }) => events.length)).toEqual(heard);
    expect(heard).toContain(0);
  });

  it('from before the history expire', async () => {
    const { storage } = await open();
    const cache = cacheOf(storage, { windowMs: 75_000, maxChanges: 2, maxBytes: 1000 });
    await cache.ready();
    for (let v = 0; v < 4; v += 1) await put(storage, 'a/x', { v });
    expect(() => watch(cache, { afterRevision: 2 })).toThrow(WatchExpiredError);
    expect(() => watch(cache, { afterRevision: 2 })).toThrow('revision 2 is older than the history, which starts at 3');
    expect(watch(cache, { afterRevision: 3 }).events).toEqual(['MODIFIED a/x@4 {"v":2}', 'MODIFIED a/x@5 {"v":3}']);
    expect(cache.snapshotAt(2)).toBeUndefined();
    expect(cache.snapshotAt(3)?.entries.size).toBe(1);
    cache.close();
  });

  it('of large values expire by size', async () => {
    const { storage } = await open();
    const cache = cacheOf(storage, { windowMs: 75_000, maxChanges: 1000, maxBytes: 100 });
    await cache.ready();
    for (let v = 0; v < 4; v += 1) await put(storage, 'a/x', { v, text: 'x'.repeat(60) });
    expect(() => watch(cache, { afterRevision: 3 })).toThrow(WatchExpiredError);
    expect(watch(cache, { afterRevision: 4 }).events.length).toBe(1);
    cache.close();
  });

  it('may start before the cache did, as far as the store has history', async () => {
    const { storage } = await open();
    await put(storage, 'a/x', { v: 1 });
    await put(storage, 'a/x', { v: 2 });
    await put(storage, 'a/y', {});
    await remove(storage, 'a/y');
    const cache = cacheOf(storage);
    await cache.ready();
    const past = ['MODIFIED a/x@3 {"v":2}', 'ADDED a/y@4 {}', 'DELETED a/y@5 {}'];
    expect(watch(cache, { afterRevision: 2 }).events).toEqual(past);
    expect(watch(cache, { afterRevision: 1 }).events).toEqual(['ADDED a/x@2 {"v":1}', ...past]);
    cache.close();
    await storage.compact(3);
    const later = cacheOf(storage);
    await later.ready();
    expect(watch(later, { afterRevision: 3 }).events).toEqual(past.slice(1));
    expect(() => watch(later, { afterRevision: 2 })).toThrow(WatchExpiredError);
    later.close();
  });

  it('end when the store ends its watch, and the cache restarts', async () => {
    const { storage, breakWatches } = await open();
    const cache = cacheOf(storage);
    await cache.ready();
    await put(storage, 'a/x', {});
    const recorder = watch(cache);
    breakWatches();
    expect(recorder.ends).toBe(1);
    await put(storage, 'a/y', {});
    expect((await cache.current(soon())).entries.size).toBe(2);
    const again = watch(cache, { afterRevision: 3 });
    await put(storage, 'a/z', {});
    expect(again.events).toEqual(['ADDED a/z@4 {}']);
    expect(recorder.events).toEqual(['ADDED a/x@2 {}']);
    cache.close();
    expect(again.ends).toBe(1);
  });
});

describe('reads', () => {
  it('of an idle cache advance with the store', async () => {
    const { storage } = await open();
    const cache = cacheOf(storage);
    await put(storage, 'a', {});
    await cache.ready();
    const { revision } = cache.snapshot();
    const { revision: elsewhere } = await storage.put({
      key: '/registry/other/a',
      value: Buffer.from('{}'),
      expectedModRevision: 0,
    });
    expect(elsewhere).toBeGreaterThan(revision);
    await cache.freshen();
    expect(cache.snapshot().revision).toBe(elsewhere);
    cache.close();
  });

  it('wait for a revision, but not forever', async () => {
    const { storage } = await open();
    const cache = cacheOf(storage);
    await cache.ready();
    const waiting = cache.waitFor(2, soon());
    await storage.put({ key: '/registry/others/a', value: Buffer.from('{}'), expectedModRevision: 0 });
    // A write of another resource: only progress reports it.
    expect(await cache.current(soon())).toMatchObject({ revision: 2 });
    expect(await waiting).toBe(true);
    expect(await cache.waitFor(3, deadlineIn(20))).toBe(false);
    cache.close();
  });

  it('are refused while the store is unreadable, and work again afterwards', async () => {
    const { storage } = await open();
    const broken = new StorageError('unavailable', 'away');
    let away = true;
    const range: Storage['range'] = (request) => (away ? Promise.reject(broken) : storage.range(request));
    const cache = cacheOf(
      new Proxy(storage, { get: (target, key) => (key === 'range' ? range : boundTo(target, key)) }),
    );
    await expect(cache.current(soon())).rejects.toBe(broken);
    away = false;
    expect((await cache.current(soon())).entries.size).toBe(0);
    cache.close();
  });

  it('in progress when the cache restarted show a state at its own version', async () => {
    const { storage, breakWatches } = await open();
    const requested = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    const filled = Promise.withResolvers<void>();
    const currentRevision: Storage['currentRevision'] = async () => {
      const revision = await storage.currentRevision();
      requested.resolve();
      await answer.promise;
      return revision;
    };
    let watches = 0;
    const mayTell = Promise.withResolvers<void>();
    const watchOf: Storage['watch'] = (request, sink) => {
      watches += 1;
      if (watches === 1) return storage.watch(request, sink);
      // The second start has listed and waits for its watch.
      filled.resolve();
      let opened: StorageWatch | undefined;
      void mayTell.promise.then(() => {
        opened = storage.watch(request, sink);
        opened.requestProgress();
      });
      return { requestProgress: () => opened?.requestProgress(), cancel: () => opened?.cancel() };
    };
    const replaced: ReadonlyMap<string | symbol, unknown> = new Map<string, unknown>([
      ['currentRevision', currentRevision],
      ['watch', watchOf],
    ]);
    const cache = cacheOf(new Proxy(storage, { get: (target, key) => replaced.get(key) ?? boundTo(target, key) }));
    await put(storage, 'a', {});
    await cache.ready();
    const reading = cache.current(soon());
    await requested.promise;
    breakWatches();
    const later = await put(storage, 'b', {});
    await filled.promise;
    answer.resolve();
    setTimeout(() => mayTell.resolve(), 20);
    const { revision, entries } = await reading;
    expect(entries.get(`${prefix}b`)?.modRevision).toBe(revision >= later ? later : undefined);
    // A watch from there misses nothing.
    const before = revision >= later ? later - 1 : revision;
    expect(watch(cache, { afterRevision: before }).events).toEqual([`ADDED b@${later} {}`]);
    cache.close();
  });

  it('begin even if the store is compacted between the first list and the watch', async () => {
    const { storage } = await open();
    await put(storage, 'a', {});
    let lists = 0;
    const range: Storage['range'] = async (request) => {
      const page = await storage.range(request);
      lists += 1;
      if (lists > 1) return page;
      await put(storage, 'b', {});
      await storage.compact(await put(storage, 'c', {}));
      return page;
    };
    const cache = cacheOf(
      new Proxy(storage, { get: (target, key) => (key === 'range' ? range : boundTo(target, key)) }),
    );
    const { revision, entries } = await cache.current(soon());
    expect({ revision, size: entries.size, lists }).toEqual({ revision: 4, size: 3, lists: 2 });
    cache.close();
  });

  it('wait for the first list no longer than their deadline', async () => {
    const { storage } = await open();
    const range: Storage['range'] = () => new Promise(() => undefined);
    const cache = cacheOf(
      new Proxy(storage, { get: (target, key) => (key === 'range' ? range : boundTo(target, key)) }),
    );
    await expect(cache.current(deadlineIn(20))).rejects.toThrow('the watch cache was not initialized in time');
    cache.close();
  });

  it('of more than a page of objects are of one revision', async () => {
    const { storage } = await open();
    const names = Array.from({ length: 6000 }, (_, index) => `n/${String(index).padStart(5, '0')}`);
    await Promise.all(
      names.map((name) => storage.put({ key: prefix + name, value: Buffer.from('{}'), expectedModRevision: 0 })),
    );
    const cache = cacheOf(storage);
    const snapshot = await cache.current(soon());
    expect(snapshot.entries.slice(prefix, `${prefix}z`).map(({ key }) => key.slice(prefix.length))).toEqual(names);
    cache.close();
  });
});

/** A random history: writes, and watches that start between them. */
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('put' as const),
      name: fc.constantFrom('a/x', 'a/y', 'b/x', 'b/y', 'c/z'),
      label: fc.constantFrom('in', 'out'),
      node: fc.constantFrom('n1', 'n2'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('delete' as const),
      name: fc.constantFrom('a/x', 'a/y', 'b/x', 'b/y', 'c/z'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('watch' as const),
      scope: fc.constantFrom<CacheWatchRequest['scope']>(
        all,
        { kind: 'prefix', prefix: `${prefix}a/` },
        { kind: 'key', key: `${prefix}b/x` },
        { kind: 'field', field: 'node', value: 'n1' },
      ),
      selected: fc.boolean(),
      back: fc.option(fc.nat(6)),
    }),
  },
);

type State = ReadonlyMap<string, { readonly text: string; readonly revision: number }>;

it('delivers every matching change to every watch once and in order, and never modifies a snapshot', async () => {
  const { storage } = await open();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const cache = cacheOf(storage);
      const first = await cache.current(soon());
      const states: { readonly revision: number; readonly state: State }[] = [
        { revision: first.revision, state: stateOf(first.entries.slice(prefix, `${prefix}~`)) },
      ];
      const watches: { readonly recorder: Recorder; readonly request: CacheWatchRequest; readonly from: number }[] = [];
      for (const each of steps) {
        const last = states.at(-1) ?? { revision: 0, state: new Map() };
        if (each.kind === 'watch') {
          const selects = selectorOf(each.scope, each.selected);
          const from = each.back === null ? undefined : Math.max(first.revision, last.revision - each.back);
          const request: CacheWatchRequest = {
            scope: each.scope,
            afterRevision: from,
            ...(selects === undefined ? {} : { selects }),
          };
          watches.push({ recorder: watch(cache, request), request, from: last.revision });
          continue;
        }
        const { name } = each;
        const text = JSON.stringify(each.kind === 'put' ? { label: each.label, node: each.node } : {});
        const revision =
          each.kind === 'put' ? await put(storage, name, JSON.parse(text) as object) : await remove(storage, name);
        if (revision === undefined) continue;
        const state = new Map(last.state);
        if (each.kind === 'put') state.set(name, { text, revision });
        else state.delete(name);
        states.push({ revision, state });
      }
      for (const { revision, state } of states) {
        expect(stateOf(cache.snapshotAt(revision)?.entries.slice(prefix, `${prefix}~`) ?? [])).toEqual(
          new Map([...state].sort()),
        );
      }
      await allDelivered(cache);
      for (const { recorder, request, from } of watches) {
        expect(recorder.events).toEqual(expectedEvents(states, request, from));
      }
      cache.close();
    }),
    { numRuns: 60 },
  );
});

/** Changes are told in turns, so that some may be pending when a turn was over. */
async function allDelivered(cache: WatchCache): Promise<void> {
  while (cache.deliveredRevision < cache.snapshot().revision) await setImmediate();
}

function stateOf(entries: readonly CacheEntry[]): State {
  return new Map(
    entries.map(({ key, value, modRevision }) => [
      key.slice(prefix.length),
      { text: Buffer.from(value).toString(), revision: modRevision },
    ]),
  );
}

function selectorOf(
  scope: CacheWatchRequest['scope'],
  selected: boolean,
): ((entry: CacheEntry) => boolean) | undefined {
  const byLabel = labelled('in');
  if (scope.kind !== 'field') return selected ? byLabel : undefined;
  const byField = onNode(scope.value);
  return (entry) => byField(entry) && (!selected || byLabel(entry));
}

/** The model: differences between the selected objects of successive states. */
function expectedEvents(
  states: readonly { readonly revision: number; readonly state: State }[],
  { scope, selects, afterRevision }: CacheWatchRequest,
  from: number,
): string[] {
  const selectedOf = (state: State): State =>
    new Map(
      [...state]
        .filter(([name, { text }]) => {
          const key = prefix + name;
          if (scope.kind === 'key' && key !== scope.key) return false;
          if (scope.kind === 'prefix' && !key.startsWith(scope.prefix)) return false;
          // Selectors only use attributes.
          const entry = { attributes: () => readAttributes(Buffer.from(text)) } as unknown as CacheEntry;
          return selects?.(entry) ?? true;
        })
        .sort(),
    );
  const start = afterRevision ?? from;
  let before = selectedOf(states.findLast(({ revision }) => revision <= start)?.state ?? new Map());
  const events: string[] = [];
  if (afterRevision === undefined)
    for (const [name, { text, revision }] of before) events.push(`ADDED ${name}@${revision} ${text}`);
  for (const { revision, state } of states.filter((each) => each.revision > start)) {
    const now = selectedOf(state);
    for (const [name, { text, revision: changed }] of now) {
      if (changed === revision) events.push(`${before.has(name) ? 'MODIFIED' : 'ADDED'} ${name}@${revision} ${text}`);
    }
    for (const [name, { text }] of before) if (!now.has(name)) events.push(`DELETED ${name}@${revision} ${text}`);
    before = now;
  }
  return events;
}
