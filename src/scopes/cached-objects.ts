import type { StoredCollection, StoredObjects } from '../api/contracts/stored-objects.ts';
import { deadlineIn } from '../api/time/deadline.ts';
import { keptBy } from '../api/collections/kept-by.ts';
import type { KubernetesObject } from '../api/meta/object.ts';
import type { OrderedMap } from '../api/collections/ordered-map.ts';
import { soon, type Soon } from '../api/scheduling/soon.ts';
import { objectKey, type StoreKind, keyPrefixOf } from '../registry/stored/store-kind.ts';
import { decoded } from '../registry/stored/stored-object.ts';
import { readable, unreadableList } from '../registry/stored/unreadable.ts';
import { prefixEnd } from '../storage/contract.ts';
import type { CacheEntry } from '../watchcache/cache-entry.ts';
import type { CacheSnapshot } from '../watchcache/snapshots.ts';
import type { ResourceScopes } from './resource-scopes.ts';

const patienceMs = 10_000;

/**
 * Reads stored objects from the watch caches, decoding each version and collecting each list once. Objects that cannot
 * be read are not absent: reads that concern them fail.
 */
export class CachedObjects implements StoredObjects {
  readonly #scopes: ResourceScopes;
  /** A kind may be seen in several versions. */
  readonly #decoded = keptBy<StoreKind, WeakMap<CacheEntry, Readonly<KubernetesObject>>>(() => new WeakMap());
  /** Lists of a state, by version and prefix. */
  readonly #lists = keptBy<OrderedMap<CacheEntry>, Map<string, readonly Readonly<KubernetesObject>[]>>(() => new Map());

  constructor(scopes: ResourceScopes) {
    this.#scopes = scopes;
  }

  list(collection: StoredCollection, namespace = ''): Soon<readonly Readonly<KubernetesObject>[]> {
    const store = this.#storeOf(collection);
    if (store === undefined) return [];
    const prefix = keyPrefixOf(store, namespace);
    return soon(this.#known(store), (snapshot) => {
      const { entries } = snapshot;
      checkReadable(store, snapshot, prefix);
      const lists = this.#lists(entries);
      const name = `${store.resource.version} ${prefix}`;
      const known = lists.get(name);
      if (known !== undefined) return known;
      const decode = (entry: CacheEntry) => this.#decode(store, entry);
      return soon(decoding(entries.slice(prefix, prefixEnd(prefix)), decode), (objects) => {
        // An empty one costs nothing, and there are as many as namespaces that ever were.
        if (objects.length > 0) lists.set(name, objects);
        return objects;
      });
    });
  }

  async *scan(collection: StoredCollection, namespace: string): AsyncGenerator<Readonly<KubernetesObject>> {
    const store = this.#storeOf(collection);
    if (store === undefined) return;
    const prefix = keyPrefixOf(store, namespace);
    const snapshot = await this.#known(store);
    checkReadable(store, snapshot, prefix);
    yield* decoded(store.codec, snapshot.entries.slice(prefix, prefixEnd(prefix)));
  }

  get(
    collection: StoredCollection,
    { namespace, name }: { readonly namespace: string; readonly name: string },
  ): Soon<Readonly<KubernetesObject> | undefined> {
    const store = this.#storeOf(collection);
    if (store === undefined) return undefined;
    const key = objectKey(store, namespace, name);
    return soon(this.#known(store), ({ entries }) => {
      const entry = entries.get(key);
      return entry === undefined ? this.#latest(store, key) : this.#decode(store, entry);
    });
  }

  /** An object that the cache lacks may just have been created by another server. */
  async #latest(store: StoreKind, key: string): Promise<Readonly<KubernetesObject> | undefined> {
    const { entries, unreadable } = await store.cache().current(deadlineIn(patienceMs));
    const entry = entries.get(key);
    if (entry !== undefined) return this.#decode(store, entry);
    if (unreadable?.get(key) === undefined) return undefined;
    // It may be readable by now: keys may be known again.
    const { kv } = await store.storage.get(key);
    return kv === undefined ? undefined : store.codec.decode(readable(store, kv));
  }

  /**
   * The state of the watch cache, without checking that it is the latest: admission would query the store several times
   * per write.
   */
  #known(store: StoreKind): Soon<CacheSnapshot> {
    const cache = store.cache();
    if (cache.isServing) return cache.snapshot();
    return cache.ready(deadlineIn(patienceMs)).then(() => store.cache().snapshot());
  }

  #storeOf({ group, version, plural }: StoredCollection): StoreKind | undefined {
    return this.#scopes.now.scopeOf(group, version, plural)?.store;
  }

  #decode(store: StoreKind, entry: CacheEntry): Readonly<KubernetesObject> {
    const decoded = this.#decoded(store);
    const known = decoded.get(entry);
    if (known !== undefined) return known;
    const object = store.codec.decode(entry);
    decoded.set(entry, object);
    return object;
  }
}

function checkReadable(store: StoreKind, { unreadable }: CacheSnapshot, prefix: string): void {
  const found = unreadable?.slice(prefix, prefixEnd(prefix)) ?? [];
  const { group, plural: resource } = store.resource;
  if (found.length > 0) throw unreadableList(store, { group, resource }, found);
}

async function decoding<T>(entries: readonly CacheEntry[], decode: (entry: CacheEntry) => Soon<T>): Promise<T[]> {
  const objects: T[] = [];
  for (const entry of entries) objects.push(await decode(entry));
  return objects;
}
