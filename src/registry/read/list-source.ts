import type { KeyValue } from '../../storage/contract.ts';
import { CacheEntry } from '../../watchcache/cache-entry.ts';
import type { CacheSnapshot } from '../../watchcache/snapshots.ts';
import type { ListOrigin } from '../stored/list-cost.ts';
import type { StoreKind } from '../stored/store-kind.ts';
import type { Unreadable } from '../stored/unreadable.ts';

/** The objects of a resource at one revision, in key order. */
export interface ListSource {
  readonly from: ListOrigin;
  readonly revision: number;
  /** Slice size for readers that filter. */
  readonly sliceSize: number;
  get(key: string): Promise<CacheEntry | undefined>;
  /** At most `limit` entries of `start <= key < end`. */
  slice(start: string, end: string, limit: number): Promise<readonly CacheEntry[]>;
  count(start: string, end: string): Promise<number>;
  /** Unreadable objects in `start <= key < end`, among slices already read. */
  unreadable(start: string, end: string): readonly Unreadable[];
}

/** A state in the watch cache. */
export function snapshotSource({ revision, entries, unreadable }: CacheSnapshot): ListSource {
  return {
    from: 'cache',
    revision,
    sliceSize: 250,
    get: (key) => Promise.resolve(entries.get(key)),
    slice: (start, end, limit) => Promise.resolve(entries.slice(start, end, limit)),
    count: (start, end) => Promise.resolve(entries.count(start, end)),
    unreadable: (start, end) => unreadable?.slice(start, end) ?? [],
  };
}

/** A historical state in storage. Calls reject with a StorageError. */
export function storageSource({ storage, renew }: Pick<StoreKind, 'storage' | 'renew'>, revision: number): ListSource {
  const unreadable: Unreadable[] = [];
  const entriesOf = (kvs: readonly KeyValue[]): CacheEntry[] => {
    const entries: CacheEntry[] = [];
    for (const { key, value, modRevision, unreadable: why } of kvs) {
      if (why === undefined) entries.push(new CacheEntry(key, value, modRevision, renew));
      else unreadable.push({ key, modRevision, unreadable: why });
    }
    return entries;
  };
  return {
    from: 'store',
    revision,
    // Each slice may make the store scan its log.
    sliceSize: 5000,
    async get(key) {
      const { kv } = await storage.get(key, { revision });
      return kv === undefined ? undefined : entriesOf([kv])[0];
    },
    async slice(start, end, limit) {
      const { kvs } = await storage.range({ start, end, revision, ...(Number.isFinite(limit) ? { limit } : {}) });
      return entriesOf(kvs);
    },
    async count(start, end) {
      const { count } = await storage.range({ start, end, revision, limit: 1 });
      return count;
    },
    unreadable: (start, end) => within(unreadable, start, end),
  };
}

/** A source that counts the objects read from it. */
export interface CountedSource {
  readonly source: ListSource;
  readonly fetched: number;
}

export function countedSource(below: ListSource): CountedSource {
  let fetched = 0;
  const source: ListSource = {
    ...below,
    async get(key) {
      const entry = await below.get(key);
      if (entry !== undefined) fetched += 1;
      return entry;
    },
    async slice(start, end, limit) {
      const slice = await below.slice(start, end, limit);
      fetched += slice.length;
      return slice;
    },
  };
  return {
    source,
    get fetched() {
      return fetched;
    },
  };
}

function within(unreadable: readonly Unreadable[], start: string, end: string): readonly Unreadable[] {
  return unreadable.filter(({ key }) => start <= key && key < end).toSorted((a, b) => (a.key < b.key ? -1 : 1));
}
