import type {
  ClientResource,
  ClientWatchEvent,
  ClientWatchOptions,
  Collection,
  Lister,
  ObjectList,
  SharedClient,
  UnreadObject,
} from '../../api/client/client.ts';
import { deadlineIn } from '../../api/time/deadline.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import { soon, type Soon } from '../../api/scheduling/soon.ts';
import { pathNotFound } from '../../api/errors/status-errors.ts';
import { TimeSlice } from '../../api/scheduling/time-slice.ts';
import { uidOf } from '../../codec/stored-object.ts';
import { decodeServed, type ResourceScope } from '../../operations/resource-scope.ts';
import { type StoreKind, keyPrefixOf } from '../../registry/stored/store-kind.ts';
import { unreadableList } from '../../registry/stored/unreadable.ts';
import { prefixEnd } from '../../storage/contract.ts';
import type { CacheEntry } from '../../watchcache/cache-entry.ts';
import type { WatchEvent } from '../../watchcache/cache-event.ts';
import type { WatchScope } from '../../watchcache/watcher-index.ts';
import { clientResources } from '../../client/in-process-client.ts';
import type { ResourceScopes } from '../../scopes/resource-scopes.ts';
import { watchEntries } from '../../client/watch-entries.ts';

const patienceMs = 60_000;

interface ScopedStore {
  readonly scope: ResourceScope;
  readonly store: StoreKind;
}

/** How a reader sees the entries of a cache. */
interface View<Item> {
  readonly item: (place: ScopedStore, entry: CacheEntry) => Soon<Item>;
  /** Absent: all entries are there. */
  readonly selects?: (entry: CacheEntry) => boolean;
}

/**
 * Reads from the watch caches. A decoded object is shared by all who hold it, so it must not be modified; unreferenced
 * objects are garbage collected. A list with objects that cannot be read fails: whoever took them for absent would
 * delete or release what belongs to them.
 */
export class SharedReader implements SharedClient {
  readonly #scopes: ResourceScopes;
  /** Large objects are promises while they are decoded. */
  readonly #objects = new WeakMap<CacheEntry, WeakRef<KubernetesObject> | Promise<KubernetesObject>>();

  constructor(scopes: ResourceScopes) {
    this.#scopes = scopes;
  }

  resources(): readonly ClientResource[] {
    return clientResources(this.#scopes.now.catalogue);
  }

  list(collection: Collection): Promise<ObjectList> {
    return this.#list(collection, this.#decoded);
  }

  watch(collection: Collection, options: ClientWatchOptions): AsyncIterable<ClientWatchEvent> {
    return this.#watch(collection, options, this.#decoded);
  }

  readonly unread: Lister<UnreadObject> = {
    list: (collection) => this.#list(collection, { item: this.#unread }),
    watch: (collection, options) => this.#watch(collection, options, { item: this.#unread }),
  };

  mentioning(text: string): Lister<KubernetesObject> {
    const sought = Buffer.from(text);
    const view: View<KubernetesObject> = { ...this.#decoded, selects: ({ value }) => mentions(value, sought) };
    return {
      list: (collection) => this.#list(collection, view),
      watch: (collection, options) => this.#watch(collection, options, view),
    };
  }

  readonly #decoded: View<KubernetesObject> = { item: (place, entry) => this.#read(place, entry) };

  readonly #unread = (place: ScopedStore, entry: CacheEntry): UnreadObject =>
    new UnreadEntry(entry.value, entry.key.slice(place.store.keyPrefix.length), () => this.#read(place, entry));

  async #list<Item>(collection: Collection, { item, selects }: View<Item>) {
    const place = this.#place(collection);
    const prefix = keyPrefixOf(place.store, collection.namespace);
    const { entries, revision, unreadable } = await place.store.cache().current(deadlineIn(patienceMs));
    const missing = unreadable?.slice(prefix, prefixEnd(prefix)) ?? [];
    if (missing.length > 0) throw unreadableList(place.store, place.scope.groupResource, missing);
    const items: Item[] = [];
    const timeSlice = new TimeSlice();
    for (const entry of entries.slice(prefix, prefixEnd(prefix))) {
      if (timeSlice.isOver) await timeSlice.next();
      if (selects?.(entry) === false) continue;
      items.push(await item(place, entry));
    }
    return { items, resourceVersion: String(revision) };
  }

  #watch<Item>(collection: Collection, { resourceVersion, signal }: ClientWatchOptions, { item, selects }: View<Item>) {
    const place = this.#place(collection);
    const scope: WatchScope =
      collection.namespace === ''
        ? { kind: 'all' }
        : { kind: 'prefix', prefix: keyPrefixOf(place.store, collection.namespace) };
    const eventOf = ({ type, entry }: WatchEvent) => soon(item(place, entry), (object) => ({ type, object }));
    return watchEntries(place.store.cache(), { scope, selects, resourceVersion, signal, item: eventOf });
  }

  #place({ group, version, resource }: Collection): ScopedStore {
    const scope = this.#scopes.now.knownScopeOf(group, version, resource);
    if (scope?.store === undefined) throw pathNotFound();
    return { scope, store: scope.store };
  }

  #read({ scope, store }: ScopedStore, entry: CacheEntry): Soon<KubernetesObject> {
    const known = this.#objects.get(entry);
    if (known instanceof Promise) return known;
    const held = known?.deref();
    if (held !== undefined) return held;
    const object = soon(decodeServed(scope, store, entry), (served) => this.#share(entry, served));
    if (object instanceof Promise) {
      this.#objects.set(entry, object);
      object.catch(() => this.#objects.delete(entry));
    }
    return object;
  }

  #share(entry: CacheEntry, object: KubernetesObject): KubernetesObject {
    this.#objects.set(entry, new WeakRef(object));
    return object;
  }
}

/** Names and uids are searched for when they are asked for. */
class UnreadEntry implements UnreadObject {
  readonly metadata: UnreadObject['metadata'];
  readonly read: () => Soon<KubernetesObject>;

  /** `path` is the key of the object, relative to the prefix of its kind. */
  constructor(bytes: Uint8Array, path: string, read: () => Soon<KubernetesObject>) {
    const slash = path.indexOf('/');
    this.metadata = {
      namespace: path.slice(0, Math.max(0, slash)),
      name: path.slice(slash + 1),
      get uid() {
        return uidOf(bytes);
      },
    };
    this.read = read;
  }
}

function mentions({ buffer, byteOffset, byteLength }: Uint8Array, text: Buffer): boolean {
  return Buffer.from(buffer, byteOffset, byteLength).includes(text);
}
