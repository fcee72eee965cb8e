import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { describeWithEtcd, EtcdProcess } from '../../test/etcd-process.ts';
import { systemClock } from '../api/time/clock.ts';
import { deadlineIn } from '../api/time/deadline.ts';
import { testStorage } from '../storage/conformance/suite.ts';
import type {
  DeleteRequest,
  GetResult,
  KeyValue,
  PutRequest,
  RangeResult,
  Storage,
  WriteResult,
} from '../storage/contract.ts';
import { openEmbeddedStorage } from '../storage/embedded/engine.ts';
import { openEtcdStorage } from '../storage/etcd/engine.ts';
import { StoreThread, withEnd } from '../storage/ports/testdata/store-thread-fixture.ts';
import type { CacheEntry } from './cache-entry.ts';
import { WatchCache } from './watch-cache.ts';

const root = await mkdtemp(join(tmpdir(), 'binnacle-cached-'));
afterAll(() => rm(root, { recursive: true }));

/** The store as seen by readers of the watch cache: the contract of the store must hold for them too. */
function behindCache(storage: Storage): Storage {
  const cache = new WatchCache({
    storage,
    prefix: '/conformance/',
    readAttributes: () => ({ labels: {}, fields: {} }),
    clock: systemClock,
  });
  const current = () => cache.current(deadlineIn(10_000));
  /** The cache does not keep createRevision. */
  const withCreation = async ({ key, value, modRevision }: CacheEntry): Promise<KeyValue> => {
    const { kv } = await storage.get(key, { revision: modRevision });
    return { key, value, modRevision, createRevision: kv?.createRevision ?? 0 };
  };
  const get = async (key: string): Promise<GetResult> => {
    const { revision, entries } = await current();
    const entry = entries.get(key);
    return { kv: entry === undefined ? undefined : await withCreation(entry), revision };
  };
  const range = async (start: string, end: string, limit = Infinity): Promise<RangeResult> => {
    const { revision, entries } = await current();
    const kvs = entries.slice(start, end, limit).map((entry) => ({ ...entryOf(entry), createRevision: 0 }));
    const count = entries.count(start, end);
    return { kvs, revision, count, more: kvs.length < count };
  };
  return {
    get: (key, options) => (options?.revision === undefined ? get(key) : storage.get(key, options)),
    range: (request) =>
      request.revision === undefined ? range(request.start, request.end, request.limit) : storage.range(request),
    put: (request) => storage.put(request),
    delete: (request) => storage.delete(request),
    watch: (request, sink) => storage.watch(request, sink),
    currentRevision: () => storage.currentRevision(),
    compact: (revision) => storage.compact(revision),
    get compactedRevision() {
      return storage.compactedRevision;
    },
    check: () => storage.check(),
    async [Symbol.asyncDispose]() {
      cache.close();
      await storage[Symbol.asyncDispose]();
    },
  };
}

function entryOf({ key, value, modRevision }: CacheEntry): Pick<KeyValue, 'key' | 'value' | 'modRevision'> {
  return { key, value, modRevision };
}

testStorage({
  name: 'embedded behind the watch cache',
  open: async () => behindCache(await openEmbeddedStorage({ dataDir: await mkdtemp(join(root, 'data-')) })),
});

testStorage({
  name: 'embedded behind the watch cache of another thread, while a third one writes',
  async open() {
    const store = await StoreThread.start();
    const [reader, writer] = [behindCache(await store.open()), await store.open()];
    // What is acknowledged on one thread is known on others as soon as they read.
    const seen = async (written: WriteResult): Promise<WriteResult> => {
      await reader.currentRevision();
      return written;
    };
    const storage: Storage = Object.assign(Object.create(reader) as Storage, {
      put: (request: PutRequest) => writer.put(request).then(seen),
      delete: (request: DeleteRequest) => writer.delete(request).then(seen),
    });
    return withEnd(storage, async () => {
      await writer[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
    });
  },
});

describeWithEtcd('with etcd', () => {
  let etcd: EtcdProcess;
  beforeAll(async () => {
    etcd = await EtcdProcess.start();
  });
  afterAll(() => etcd[Symbol.asyncDispose]());

  testStorage({
    name: 'etcd behind the watch cache',
    open: async () => behindCache(await openEtcdStorage({ servers: [etcd.url] })),
  });
});
