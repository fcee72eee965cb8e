import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { startCompactor } from '../compactor.ts';
import { codeOf, Recorder, revisionOf, valueText } from '../conformance/fixture.ts';
import { type Storage, StorageError } from '../contract.ts';
import { type EmbeddedOptions, openEmbeddedStorage } from './engine.ts';

const root = await mkdtemp(join(tmpdir(), 'binnacle-engine-'));
afterAll(() => rm(root, { recursive: true }));

class Store {
  readonly options: EmbeddedOptions & { readonly dataDir: string };
  storage: Storage;

  private constructor(options: EmbeddedOptions & { readonly dataDir: string }, storage: Storage) {
    this.options = options;
    this.storage = storage;
  }

  static async open(options: Partial<Omit<EmbeddedOptions, 'dataDir'>> = {}): Promise<Store> {
    const all = { dataDir: await mkdtemp(join(root, 'data-')), ...options };
    return new Store(all, await openEmbeddedStorage(all));
  }

  async reopen(): Promise<void> {
    await this.storage[Symbol.asyncDispose]();
    this.storage = await openEmbeddedStorage(this.options);
  }

  async put(key: string, value: string, expectedModRevision = 0, ttlSeconds = 0): Promise<number> {
    const ttl = ttlSeconds > 0 ? { ttlSeconds } : {};
    return revisionOf(await this.storage.put({ key, value: Buffer.from(value), expectedModRevision, ...ttl }));
  }

  async read(key: string, revision?: number): Promise<string | undefined> {
    const { kv } = await this.storage.get(key, revision === undefined ? {} : { revision });
    return kv && valueText(kv.value);
  }

  watch(afterRevision: number): Recorder {
    const recorder = new Recorder('');
    recorder.handle = this.storage.watch({ start: '/', end: '0', afterRevision }, recorder);
    return recorder;
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.storage[Symbol.asyncDispose]();
  }
}

test('an empty store is at revision 1 and the first write at 2', async () => {
  await using store = await Store.open();
  expect(await store.storage.currentRevision()).toBe(1);
  expect(await store.put('/a', '1')).toBe(2);
});

test('keeps values, revisions and history when reopened', async () => {
  await using store = await Store.open();
  await store.put('/a', '1');
  await store.put('/a', '2', 2);
  await store.put('/b', '1');
  await store.storage.delete({ key: '/b', expectedModRevision: 4 });
  await store.reopen();
  expect(await store.storage.currentRevision()).toBe(5);
  expect((await store.storage.get('/a')).kv).toMatchObject({ createRevision: 2, modRevision: 3 });
  expect([await store.read('/a', 2), await store.read('/b', 4), await store.read('/b')]).toEqual(['1', '1', undefined]);
  const watch = store.watch(1);
  expect(await store.put('/b', '2')).toBe(6);
  await watch.until(({ all }) => all.length === 5);
  expect(watch.lines).toEqual(['2+/a=1', '3+/a=2 (2=1)', '4+/b=1', '5-/b (4=1)', '6+/b=2']);
});

test('never reuses a revision, even when every row of the log has been compacted away', async () => {
  await using store = await Store.open();
  await store.put('/a', '1');
  await store.storage.delete({ key: '/a', expectedModRevision: 2 });
  await store.storage.compact(3);
  await sleep(50);
  await store.reopen();
  expect(await store.storage.currentRevision()).toBe(3);
  expect(await store.put('/a', '1')).toBe(4);
});

test('after a restart, a watch reads the changes of its range, and keeps no others in memory', async () => {
  await using store = await Store.open();
  const start = await store.storage.currentRevision();
  const other = Buffer.alloc(1000, 'x').toString();
  await store.put('/mine', '1');
  await Promise.all(Array.from({ length: 5000 }, (_, n) => store.put(`/other/${n}`, other)));
  await store.put('/mine', '2', start + 1);
  await store.reopen();
  const watch = new Recorder('/');
  watch.handle = store.storage.watch({ start: '/mine', end: '/mine\0', afterRevision: start }, watch);
  await watch.until(({ all }) => all.length === 2);
  expect(watch.lines).toEqual([`${start + 1}+mine=1`, `${start + 5002}+mine=2 (${start + 1}=1)`]);
  for (const { value } of watch.all) expect(value?.buffer.byteLength).toBeLessThan(100);
});

test('compaction survives a restart, even one in progress', async () => {
  await using store = await Store.open();
  let revision = 0;
  for (let n = 0; n < 700; n++) revision = await store.put('/a', `${n}`, revision);
  await store.storage.compact(revision - 1);
  await store.reopen();
  expect(await codeOf(store.storage.get('/a', { revision: revision - 2 }))).toBe('compacted');
  expect(await store.read('/a', revision - 1)).toBe('698');
  const watch = store.watch(revision - 1);
  await watch.until(({ all }) => all.length === 1);
  expect(watch.lines).toEqual([`${revision}+/a=699 (${revision - 1}=698)`]);
});

test('compaction frees space for later writes', async () => {
  await using store = await Store.open();
  const value = 'x'.repeat(100_000);
  let revision = 0;
  for (let n = 0; n < 300; n++) {
    revision = await store.put('/a', value, revision);
    if (n % 20 === 19) {
      await store.storage.compact(revision);
      await sleep(10);
    }
  }
  await store.reopen();
  // 30 MB were written; what remains is the last value, one interval of history and rows waiting for the sweep.
  expect((await stat(join(store.options.dataDir, 'binnacle.db'))).size).toBeLessThan(12e6);
});

test('space unused between two compactions is returned to the file system', async () => {
  await using store = await Store.open();
  const file = join(store.options.dataDir, 'binnacle.db');
  let revision = 0;
  for (let n = 0; n < 600; n++) revision = await store.put('/a', 'x'.repeat(100_000), revision);
  expect((await stat(file)).size).toBeGreaterThan(50e6);
  for (let n = 0; n < 2; n++) {
    await store.storage.compact(revision);
    revision = await store.put('/a', String(n), revision);
    // The sweep continues in slices.
    await sleep(300);
  }
  await store.storage.compact(revision);
  await expect.poll(async () => (await stat(file)).size, { timeout: 10_000 }).toBeLessThan(25e6);
  await store.reopen();
  expect(await store.read('/a')).toBe('1');
});

test('a TTL continues across a restart', async () => {
  let aheadMs = 0;
  await using store = await Store.open({ clock: { now: () => Date.now() + aheadMs } });
  await store.put('/short', 'x', 0, 100);
  await store.put('/long', 'x', 0, 1000);
  // It expires in a second or two: a clock that jumps later would be noticed later.
  aheadMs = 99_000;
  await store.reopen();
  const watch = store.watch(3);
  await watch.until(({ all }) => all.length > 0);
  expect(watch.lines).toEqual(['4-/short (2=x)']);
  expect(await store.read('/long')).toBe('x');
});

test('a second opener of the directory is refused', async () => {
  await using store = await Store.open();
  await store.put('/a', '1');
  await expect(openEmbeddedStorage(store.options)).rejects.toThrow(
    /cannot open the store in .*: it is in use by another process/,
  );
  await store.put('/b', '1');
  // The failed attempt has not released the lock against other processes.
  const open = `new (require('node:sqlite').DatabaseSync)(process.argv[1]).exec('BEGIN IMMEDIATE')`;
  const path = join(store.options.dataDir, 'binnacle.db');
  await expect(promisify(execFile)(process.execPath, ['-e', open, path])).rejects.toThrow('database is locked');
});

test('a file that is not a store is refused', async () => {
  const dataDir = await mkdtemp(join(root, 'data-'));
  await writeFile(join(dataDir, 'binnacle.db'), 'not a database at all, '.repeat(100));
  await expect(openEmbeddedStorage({ dataDir })).rejects.toThrow(/file is not a database/);
});

test('values may be views of larger buffers', async () => {
  await using store = await Store.open();
  const large = Buffer.alloc(1 << 20, 'x');
  revisionOf(await store.storage.put({ key: '/a', value: large.subarray(10, 15), expectedModRevision: 0 }));
  const { kv } = await store.storage.get('/a');
  expect(kv?.value.buffer.byteLength).toBe(5);
});

/** The thread's reaction to each key: testdata/failing-worker.ts. */
test.for([
  { key: '/fail/before', kept: false },
  { key: '/fail/after', kept: true },
  { key: '/fail/exit', kept: false },
])('a failure with an unknown outcome ($key): the store recovers and continues', async ({ key, kept }) => {
  await using store = await Store.open({ workerUrl: new URL('./testdata/failing-worker.ts', import.meta.url) });
  await store.put('/a', '1');
  const watch = store.watch(1);
  const together = await Promise.allSettled([store.put('/with', '1'), store.put(key, '1')]);
  for (const result of together) {
    expect(result.status === 'rejected' && result.reason instanceof StorageError && result.reason.code).toBe('unknown');
  }
  expect(await store.read('/a')).toBe('1');
  expect(await store.storage.currentRevision()).toBe(2);
  await store.storage.check();
  expect(await store.read(key)).toBe(kept ? '1' : undefined);
  const next = await store.put('/b', '1');
  expect(next).toBe(kept ? 5 : 3);
  await watch.until(({ all }) => all.at(-1)?.revision === next);
  expect(watch.lines).toEqual(kept ? ['2+/a=1', '3+/with=1', `4+${key}=1`, '5+/b=1'] : ['2+/a=1', '3+/b=1']);
});

test('files deleted under a running server: no more writes are acknowledged, reads continue', async () => {
  await using store = await Store.open();
  await store.put('/a', '1');
  await rm(store.options.dataDir, { recursive: true });
  await expect(store.put('/b', '1')).rejects.toThrow('the files of the store have been deleted');
  await expect(store.put('/b', '1')).rejects.toThrow('the store cannot be reopened');
  await expect(store.storage.check()).rejects.toThrow('the store cannot be reopened');
  // Nor with an empty store in its place.
  await mkdir(store.options.dataDir);
  await expect(store.put('/b', '1')).rejects.toThrow(
    'it has been replaced: it ends at revision 1, but 2 was acknowledged',
  );
  expect(await store.read('/a')).toBe('1');
});

test('without space a write is refused, those based on it too, and the next one succeeds', async () => {
  await using store = await Store.open({ workerUrl: new URL('./testdata/failing-worker.ts', import.meta.url) });
  const watch = store.watch(1);
  const first = store.put('/fail/full', '1');
  // Now the first is being written, and its failure cannot have arrived yet.
  await new Promise((resolve) => setImmediate(resolve));
  const results = await Promise.allSettled([first, store.put('/fail/full', '2', 2), store.put('/b', '1')]);
  for (const result of results) {
    expect(result.status === 'rejected' && result.reason instanceof StorageError && result.reason.code).toBe(
      'unavailable',
    );
  }
  expect(await store.storage.currentRevision()).toBe(1);
  expect(await store.put('/c', '1')).toBe(2);
  await watch.until(({ all }) => all.length === 1);
  expect(watch.lines).toEqual(['2+/c=1']);
});

test('the compactor discards what is older than an interval', async () => {
  await using store = await Store.open();
  const errors: unknown[] = [];
  using _compactor = startCompactor(store.storage, { intervalMs: 30, onError: (error) => errors.push(error) });
  const first = await store.put('/a', '1');
  await store.put('/a', '2', first);
  const deadline = Date.now() + 5000;
  while ((await codeOf(store.storage.get('/a', { revision: first }))) === 'none' && Date.now() < deadline)
    await sleep(10);
  expect(await codeOf(store.storage.get('/a', { revision: first }))).toBe('compacted');
  expect(await store.read('/a')).toBe('2');
  expect(errors).toEqual([]);
});

describe('a store in memory', () => {
  test('is gone when it is closed', async () => {
    for (let time = 0; time < 2; time++) {
      await using storage = await openEmbeddedStorage({ dataDir: undefined });
      expect((await storage.get('/a')).kv).toBeUndefined();
      const written = await storage.put({ key: '/a', value: Buffer.from('1'), expectedModRevision: 0 });
      expect(revisionOf(written)).toBe(2);
    }
  });
});
