import type {
  ClientResource,
  ClientWatchEvent,
  ClientWatchOptions,
  Collection,
  ObjectList,
  ReadingClient,
} from '../../api/client.ts';
import type { Clock } from '../../api/clock.ts';
import type { KubernetesObject } from '../../api/object.ts';
import type { Soon } from '../../api/soon.ts';
import { pathNotFound } from '../../api/status-errors.ts';
import { Turns } from '../../api/turns.ts';
import type { ResourceScope } from '../../operations/resource-scope.ts';
import type { StoreKind } from '../../registry/store-kind.ts';
import { prefixEnd } from '../../storage/contract.ts';
import type { CacheEntry } from '../../watchcache/cache-entry.ts';
import type { WatchScope } from '../../watchcache/watcher-index.ts';
import { clientResources } from '../in-process-client.ts';
import type { ResourceScopes } from '../resource-scopes.ts';
import { watchEntries } from '../watch-entries.ts';

const deadlineMs = 60_000;

interface Place {
  readonly scope: ResourceScope;
  readonly store: StoreKind;
}

/**
 * Reads from the watch caches. An object that several of its users hold is read once: they share it, and nobody changes it. What nobody
 * holds is forgotten.
 */
export class SharedReader implements ReadingClient {
  readonly #scopes: ResourceScopes;
  readonly #clock: Clock;
  readonly #objects = new WeakMap<CacheEntry, WeakRef<KubernetesObject>>();

  constructor(scopes: ResourceScopes, clock: Clock) {
    this.#scopes = scopes;
    this.#clock = clock;
  }

  resources(): readonly ClientResource[] {
    return clientResources(this.#scopes.now.catalogue);
  }

  async list(collection: Collection): Promise<ObjectList> {
    const place = this.#place(collection);
    const prefix = prefixOf(place, collection);
    const { entries, revision } = await place.store.cache().current(this.#clock.now() + deadlineMs);
    const items: KubernetesObject[] = [];
    const turns = new Turns();
    for (const entry of entries.slice(prefix, prefixEnd(prefix))) {
      if (turns.isOver) await turns.next();
      items.push(await this.#read(place, entry));
    }
    return { items, resourceVersion: String(revision) };
  }

  async *watch(collection: Collection, options: ClientWatchOptions): AsyncIterable<ClientWatchEvent> {
    const place = this.#place(collection);
    const scope: WatchScope =
      collection.namespace === '' ? { kind: 'all' } : { kind: 'prefix', prefix: prefixOf(place, collection) };
    for await (const { type, entry } of watchEntries(place.store.cache(), scope, options)) {
      yield { type, object: await this.#read(place, entry) };
    }
  }

  #place({ group, version, resource }: Collection): Place {
    const scope = this.#scopes.now.knownScopeOf(group, version, resource);
    if (scope?.store === undefined) throw pathNotFound();
    return { scope, store: scope.store };
  }

  #read({ scope, store }: Place, entry: CacheEntry): Soon<KubernetesObject> {
    const known = this.#objects.get(entry)?.deref();
    if (known !== undefined) return known;
    const object = scope.conversion.fromStored(store.codec.decode(entry));
    return object instanceof Promise ? object.then((late) => this.#share(entry, late)) : this.#share(entry, object);
  }

  #share(entry: CacheEntry, object: KubernetesObject): KubernetesObject {
    this.#objects.set(entry, new WeakRef(object));
    return object;
  }
}

function prefixOf({ store }: Place, { namespace }: Collection): string {
  return namespace === '' ? store.keyPrefix : `${store.keyPrefix}${namespace}/`;
}
