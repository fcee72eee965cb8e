import { keptBy } from '../../api/collections/kept-by.ts';
import type { OrderedMap } from '../../api/collections/ordered-map.ts';
import { prefixEnd } from '../../storage/contract.ts';
import type { CacheEntry } from '../../watchcache/cache-entry.ts';
import { objectKey, type StoreKind, keyPrefixOf } from './store-kind.ts';

/**
 * Size in bytes of a stored object, as far as this thread can tell without asking the store; undefined: it is absent,
 * or not known.
 */
export function storedBytes(kind: StoreKind, namespace: string, name: string): number | undefined {
  const key = objectKey(kind, namespace, name);
  return kind.storage.sizeOf?.(key) ?? kind.openedCache?.()?.sizeOf(key);
}

/**
 * Whether any stored object of a namespace is larger than `bytes`, as far as this thread can tell without asking the
 * store. `namespace` is empty for all.
 */
export function holdsLarger(kind: StoreKind, namespace: string, bytes: number): boolean {
  const prefix = keyPrefixOf(kind, namespace);
  const cache = kind.openedCache?.();
  if (cache?.isServing !== true) return kind.storage.holdsLarger?.(prefix, bytes) ?? false;
  const { entries } = cache.snapshot();
  const known = resultsFor(entries);
  const question = `${bytes} ${prefix}`;
  let result = known.get(question);
  if (result === undefined) {
    result = entries.slice(prefix, prefixEnd(prefix)).some(({ value }) => value.length > bytes);
    known.set(question, result);
  }
  return result;
}

/** A state does not change: pages of one list ask once. */
const resultsFor = keptBy<OrderedMap<CacheEntry>, Map<string, boolean>>(() => new Map());
