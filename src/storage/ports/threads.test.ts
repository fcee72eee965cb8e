import { once } from 'node:events';
import { setImmediate as nextRound } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { codeOf, Recorder, revisionOf, valueText } from '../conformance/fixture.ts';
import type { Storage, StorageEvent, StorageWatch, WriteResult } from '../contract.ts';
import { openEmbeddedStorage } from '../embedded/engine.ts';
import { PortStorage } from './port-storage.ts';
import { blockBytes } from './shared-blocks.ts';
import { StorePorts } from './store-ports.ts';
import { StoreThread } from './testdata/store-thread-fixture.ts';
import type { WriterData } from './testdata/writer-thread.ts';

const everything = { start: '/', end: '0' };

test('a write acknowledged on one thread is seen by consistent reads on another, without a message', async () => {
  await using store = await StoreThread.start();
  await using storage = await store.open();
  const recorder = new Recorder('');
  const watch = storage.watch({ ...everything, afterRevision: 1 }, recorder);
  watch.requestProgress();
  await recorder.until(({ progressed }) => progressed.length > 0);
  const writers = await Promise.all([startWriter(store, 2000), startWriter(store, 2000)]);
  let reads = 0;
  // No round of the event loop between reads and their checks: what is seen was taken out of the port by the reader.
  while (writers.some(({ isRunning }) => isRunning())) {
    for (let n = 0; n < 50; n++) {
      const acknowledged = Math.max(...writers.map(({ acknowledged: last }) => last()));
      expect(await storage.currentRevision()).toBeGreaterThanOrEqual(acknowledged);
      expect(recorder.all.at(-1)?.revision ?? 1).toBeGreaterThanOrEqual(acknowledged);
      watch.requestProgress();
      expect(recorder.progressed.at(-1)).toBeGreaterThanOrEqual(acknowledged);
      reads += 1;
    }
    await nextRound();
  }
  expect(reads).toBeGreaterThan(50);
  await storage.currentRevision();
  expect(recorder.all.map(({ revision }) => revision)).toEqual(Array.from({ length: 4000 }, (_, n) => n + 2));
});

test('a thread that ends leaves nothing behind, and its writes are complete or were not made', async () => {
  await using engine = await openEmbeddedStorage({ dataDir: undefined });
  const watched = new CountedWatches(engine);
  const ports = new StorePorts(watched.storage, engine);
  const connection = ports.connect();
  const worker = new Worker(new URL('./testdata/watching-thread.ts', import.meta.url), {
    workerData: connection,
    transferList: [connection.port],
  });
  await once(worker, 'message');
  expect([ports.size, watched.running]).toEqual([1, 3]);
  await worker.terminate();
  await watched.none();
  expect(ports.size).toBe(0);
  const put = (key: string): Promise<WriteResult> =>
    engine.put({ key, value: Buffer.from('1'), expectedModRevision: 0 });
  // A write of the thread may have been under way.
  const revision = revisionOf(await put('/after'));
  expect(revisionOf(await put('/later'))).toBe(revision + 1);
});

test('when the thread of the store ends, writes are in doubt and everything else fails', async () => {
  const store = await StoreThread.start();
  await using storage = await store.open();
  const recorder = new Recorder('');
  storage.watch({ ...everything, afterRevision: 1 }, recorder);
  await storage.put({ key: '/a', value: Buffer.from('1'), expectedModRevision: 0 });
  const codes = Promise.all([
    codeOf(storage.put({ key: '/b', value: Buffer.from('1'), expectedModRevision: 0 })),
    codeOf(storage.delete({ key: '/a', expectedModRevision: 2 })),
    codeOf(storage.get('/a')),
  ]);
  await store.kill();
  // They may have been answered just before.
  for (const [at, code] of (await codes).entries())
    expect(['none', at < 2 ? 'unknown' : 'unavailable']).toContain(code);
  await recorder.until(({ error }) => error !== undefined);
  expect(recorder.error?.code).toBe('unavailable');
  expect(await codeOf(storage.currentRevision())).toBe('unavailable');
  const late = new Recorder('');
  storage.watch({ ...everything, afterRevision: 1 }, late);
  await late.until(({ error }) => error !== undefined);
  expect(await codeOf(storage.get('/a'))).toBe('unavailable');
});

test('the bytes of a value exist once, whoever wrote it', async () => {
  await using engine = await openEmbeddedStorage({ dataDir: undefined });
  const put = (storage: Storage, key: string): Promise<unknown> =>
    storage.put({ key, value: Buffer.from('value'), expectedModRevision: 0 });
  await put(engine, '/before');
  const ports = new StorePorts(engine, engine);
  await using first = new PortStorage(ports.connect());
  await using second = new PortStorage(ports.connect());
  await put(engine, '/engine');
  await put(first, '/first');
  for (const key of ['/before', '/engine', '/first']) {
    const found = await Promise.all([engine, first, second].map((storage) => storage.get(key)));
    const values = found.map(({ kv }) => kv!.value);
    values[0]![0] = 'V'.charCodeAt(0);
    expect(values.map((value) => valueText(value))).toEqual(['Value', 'Value', 'Value']);
  }
});

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const forgetful = { events: () => undefined, progress: () => undefined, failed: () => undefined };

/** Collects garbage until the threads keep at most so many blocks, and returns how many they keep. */
async function blocksOf(threads: readonly PortStorage[], atMost: number): Promise<number> {
  const blocks = (): number => Math.max(...threads.map((thread) => thread.blocks));
  for (let round = 0; round < 200 && blocks() > atMost; round++) {
    collect();
    await nextRound();
  }
  return blocks();
}

test('blocks whose values are gone are given up by all threads', async () => {
  await using engine = await openEmbeddedStorage({ dataDir: undefined, history: { supersededBytes: blockBytes } });
  const ports = new StorePorts(engine, engine);
  await using first = new PortStorage(ports.connect());
  await using second = new PortStorage(ports.connect());
  const kept = await first.put({ key: '/kept', value: Buffer.from('kept'), expectedModRevision: 0 });
  second.watch({ ...everything, afterRevision: kept.revision }, forgetful);
  let modRevision = 0;
  for (let n = 0; n < 200; n++) {
    const writer = [engine, first, second][n % 3]!;
    const value = Buffer.alloc(blockBytes / 8, `${n}`);
    modRevision = revisionOf(await writer.put({ key: '/a', value, expectedModRevision: modRevision }));
  }
  expect(await blocksOf([first, second], 8)).toBeLessThanOrEqual(8);
  expect(valueText((await second.get('/kept')).kv!.value)).toBe('kept');
  expect((await first.get('/a')).kv!.value.length).toBe(blockBytes / 8);
});

test('values that stay do not keep the blocks of those beside them', async () => {
  await using engine = await openEmbeddedStorage({ dataDir: undefined, history: { events: 0 } });
  const ports = new StorePorts(engine, engine);
  await using thread = new PortStorage(ports.connect());
  const held = new Map<string, Uint8Array>();
  const keep = ({ key, value }: { readonly key: string; readonly value: Uint8Array | undefined }): void => {
    if (value !== undefined) held.set(key, value);
  };
  const sink = { ...forgetful, events: (all: readonly StorageEvent[]) => all.forEach(keep) };
  thread.watch({ ...everything, afterRevision: 1 }, { ...sink, moved: (kvs) => kvs.forEach(keep) });
  const large = Buffer.alloc(blockBytes / 8, 'x');
  let modRevision = 0;
  for (let n = 0; n < 800; n++) {
    modRevision = revisionOf(await thread.put({ key: '/changing', value: large, expectedModRevision: modRevision }));
    if (n % 8 === 0) await engine.put({ key: `/staying/${n}`, value: Buffer.from(`${n}`), expectedModRevision: 0 });
    if (n % 8 === 4) await thread.put({ key: `/staying/${n}`, value: Buffer.from(`${n}`), expectedModRevision: 0 });
  }
  expect(await blocksOf([thread], 60)).toBeLessThanOrEqual(60);
  for (let n = 0; n < 800; n += 4) {
    expect(valueText(held.get(`/staying/${n}`)!)).toBe(`${n}`);
    expect(valueText((await thread.get(`/staying/${n}`)).kv!.value)).toBe(`${n}`);
  }
});

interface Writer {
  acknowledged(): number;
  isRunning(): boolean;
}

async function startWriter(store: StoreThread, writes: number): Promise<Writer> {
  const connection = await store.connect();
  const acknowledged = new SharedArrayBuffer(8);
  const worker = new Worker(new URL('./testdata/writer-thread.ts', import.meta.url), {
    workerData: { connection, acknowledged, writes } satisfies WriterData,
    transferList: [connection.port],
  });
  let running = true;
  worker.once('exit', () => (running = false));
  const cell = new BigInt64Array(acknowledged);
  return { acknowledged: () => Number(Atomics.load(cell, 0)), isRunning: () => running };
}

/** A store that knows how many watches run. */
class CountedWatches {
  readonly storage: Storage;
  running = 0;
  readonly #none = Promise.withResolvers<void>();

  constructor(storage: Storage) {
    const watch: Storage['watch'] = (request, sink): StorageWatch => {
      const running = storage.watch(request, sink);
      this.running += 1;
      const cancel = (): void => {
        running.cancel();
        this.running -= 1;
        if (this.running === 0) this.#none.resolve();
      };
      return { requestProgress: () => running.requestProgress(), cancel };
    };
    // Methods of the engine expect itself.
    this.storage = new Proxy(storage, {
      get: (target, name) => {
        if (name === 'watch') return watch;
        const found: unknown = Reflect.get(target, name, target);
        return typeof found === 'function' ? (found.bind(target) as unknown) : found;
      },
    });
  }

  /** Resolves when all have been cancelled. */
  none(): Promise<void> {
    return this.#none.promise;
  }
}

test('the thread of the store is not behind the others when something else was changed last', async () => {
  await using engine = await openEmbeddedStorage({ dataDir: undefined });
  const ports = new StorePorts(engine, engine);
  const recorder = new Recorder('');
  const watch = engine.watch({ start: '/a/', end: '/a0', afterRevision: 1 }, recorder);
  watch.requestProgress();
  await recorder.until(({ progressed }) => progressed.length > 0);
  const written = await engine.put({ key: '/b/1', value: Buffer.from('1'), expectedModRevision: 0 });
  watch.takeIn?.();
  // Nobody else can tell.
  expect(recorder.progressed.at(-1)).toBe(1);
  await using other = new PortStorage(ports.connect());
  expect(await other.currentRevision()).toBe(written.revision);
  watch.takeIn?.();
  expect(recorder.progressed.at(-1)).toBe(written.revision);
});
