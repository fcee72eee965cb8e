import { expect, test } from 'vitest';
import { Fixture, Recorder } from '../conformance/fixture.ts';
import { LayeredStorage } from '../layered.ts';
import { openEmbeddedStorage } from '../embedded/engine.ts';
import type { StorageWatch, WatchRequest, WatchSink } from '../contract.ts';
import { SharedWatches } from './shared-watches.ts';

/** Knows the watches that run in the store. */
class Watched extends LayeredStorage {
  readonly running = new Set<WatchRequest>();

  override watch(request: WatchRequest, sink: WatchSink): StorageWatch {
    const watch = super.watch(request, sink);
    this.running.add(request);
    const cancel = (): void => {
      this.running.delete(request);
      watch.cancel();
    };
    return { requestProgress: () => watch.requestProgress(), cancel };
  }
}

async function open(): Promise<{ readonly below: Watched; readonly store: Fixture } & AsyncDisposable> {
  const below = new Watched(await openEmbeddedStorage({ dataDir: undefined }));
  const store = new Fixture(new SharedWatches(below));
  return { below, store, [Symbol.asyncDispose]: () => below[Symbol.asyncDispose]() as Promise<void> };
}

const seen = (watch: Recorder): number[] => watch.all.map(({ revision }) => revision);

test('who watches the same range shares a watch, and gets what is after its own start', async () => {
  await using opened = await open();
  const { below, store } = opened;
  const first = store.watch(1);
  for (const name of ['a', 'b', 'c']) await store.put(name, 'x');
  const second = store.watch(2);
  const later = store.watch(6);
  for (const name of ['d', 'e', 'f']) await store.put(name, 'x');
  await later.until(({ all }) => all.length === 1);
  expect([first, second, later].map(seen)).toEqual([[2, 3, 4, 5, 6, 7], [3, 4, 5, 6, 7], [7]]);
  expect(below.running.size).toBe(1);
  first.handle?.cancel();
  second.handle?.cancel();
  await store.put('g', 'x');
  expect(seen(later).at(-1)).toBe(8);
  expect([seen(first).length, below.running.size]).toEqual([6, 1]);
  later.handle?.cancel();
  expect(below.running.size).toBe(0);
});

test('who begins before what is remembered catches up by a watch of its own', async () => {
  await using opened = await open();
  const { below, store } = opened;
  const first = store.watch(1);
  for (let n = 0; n < 600; n++) await store.put(`key${n}`, 'x');
  const old = store.watch(1);
  const young = store.watch(500);
  await old.until(({ all }) => all.length === 600);
  await young.until(({ all }) => all.length === 101);
  expect(seen(old)).toEqual(seen(first));
  expect(seen(young)[0]).toBe(501);
  await store.put('last', 'x');
  await old.until(({ all }) => all.length === 601);
  expect(seen(old)).toEqual(seen(first));
  expect(below.running.size).toBe(1);
});

test('of progress, who catches up and the others hear together', async () => {
  await using opened = await open();
  const { below, store } = opened;
  await store.put('a', 'x');
  const first = store.watch(2);
  const late = store.watch(1);
  late.handle?.requestProgress();
  // Another range moves the revision on.
  await below.put({ key: 'another', value: Buffer.from('x'), expectedModRevision: 0 });
  await late.until(({ progressed }) => progressed.length > 0);
  expect(first.progressed).toEqual(late.progressed);
  expect([seen(first), seen(late)]).toEqual([[], [2]]);
  late.handle?.cancel();
  expect(below.running.size).toBe(1);
});

test('who catches up hears of a failure, once', async () => {
  await using opened = await open();
  const { below, store } = opened;
  for (const name of ['a', 'b', 'c']) await store.put(name, 'x');
  store.watch(4);
  await below.compact(3);
  const late = store.watch(1);
  await late.until(({ error }) => error !== undefined);
  expect(late.error?.code).toBe('compacted');
});

test('progress goes to all, whoever asked, and so does a failure', async () => {
  await using opened = await open();
  const { below, store } = opened;
  const [first, second] = [store.watch(1), store.watch(1)];
  second.handle?.requestProgress();
  await second.until(({ progressed }) => progressed.length === 1);
  expect(first.progressed).toEqual(second.progressed);
  await below[Symbol.asyncDispose]();
  expect([first.error?.code, second.error?.code]).toEqual(['closed', 'closed']);
});
