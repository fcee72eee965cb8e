import type { StoreKind } from './store-kind.ts';
import { CacheEntry } from '../watchcache/cache-entry.ts';
import type { Snapshot } from '../watchcache/snapshots.ts';

/** The objects of a resource at one revision, in order of their keys. */
export interface ListSource {
  readonly revision: number;
  /** How much is asked for at once by those who select from it. */
  readonly sliceSize: number;
  get(key: string): Promise<CacheEntry | undefined>;
  /** At most `limit` entries of `start <= key < end`. */
  slice(start: string, end: string, limit: number): Promise<readonly CacheEntry[]>;
  count(start: string, end: string): Promise<number>;
}

/** A state that the watch cache holds. */
export function snapshotSource({ revision, entries }: Snapshot): ListSource {
  return {
    revision,
    sliceSize: 250,
    get: (key) => Promise.resolve(entries.get(key)),
    slice: (start, end, limit) => Promise.resolve(entries.slice(start, end, limit)),
    count: (start, end) => Promise.resolve(entries.count(start, end)),
  };
}

/** A state that the store still knows. Calls reject with a StorageError. */
export function storageSource({ storage, renew }: Pick<StoreKind, 'storage' | 'renew'>, revision: number): ListSource {
  return {
    revision,
    // The store may have to look through its log for each slice.
    sliceSize: 5000,
    async get(key) {
      const { kv } = await storage.get(key, { revision });
      return kv === undefined ? undefined : new CacheEntry(kv.key, kv.value, kv.modRevision, renew);
    },
    async slice(start, end, limit) {
      const { kvs } = await storage.range({ start, end, revision, ...(Number.isFinite(limit) ? { limit } : {}) });
      return kvs.map(({ key, value, modRevision }) => new CacheEntry(key, value, modRevision, renew));
    },
    async count(start, end) {
      const { count } = await storage.range({ start, end, revision, limit: 1 });
      return count;
    },
  };
}
