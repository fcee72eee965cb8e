import type { Clock } from '../api/clock.ts';
import type { GroupVersionKind } from '../api/group-version.ts';
import type { KubernetesObject } from '../api/object.ts';
import type { KindRegistry } from '../operations/kinds.ts';
import type { ResourceScope } from '../operations/resource-scope.ts';
import type { Converter } from '../registry/conversion.ts';
import { schemaCodec } from '../registry/schema-codec.ts';
import { attributeReader } from '../registry/selection.ts';
import type { StoreKind } from '../registry/store-kind.ts';
import type { Strategy } from '../registry/strategy.ts';
import { applyDefaults } from '../schema/default.ts';
import type { Defaulters } from '../schema/defaulters.ts';
import type { Resource } from '../schema/resource.ts';
import type { Schema } from '../schema/schema.ts';
import type { Storage } from '../storage/contract.ts';
import { WatchCache } from '../watchcache/watch-cache.ts';

export interface ResourceScopesOptions {
  /** Every resource in every version that is known. */
  readonly known: readonly Resource[];
  readonly served: readonly Resource[];
  /** What a kind does beyond its schemas; `schema` is that of the stored version. */
  behaviourOf(group: string, kind: string, schema: Schema): KindBehaviour;
  readonly storage: Storage;
  /** `/registry` */
  readonly prefix: string;
  readonly eventTtlSeconds: number;
  readonly clock: Clock;
}

export interface KindBehaviour {
  readonly strategy: Strategy;
  readonly convert: Converter;
  readonly defaults: Defaulters;
}

/** A watch cache with the resource that is first served from it. */
export interface NamedCache {
  readonly group: string;
  readonly resource: string;
  readonly cache: WatchCache;
}

/** The resources of a server by group, version and plural, with their stores. Nothing is made before it is asked for. */
export class ResourceScopes implements KindRegistry {
  readonly #options: ResourceScopesOptions;
  readonly #served = new Map<string, Resource>();
  readonly #scopes = new Map<string, ResourceScope>();
  readonly #stores = new Map<string, StoreKind>();
  readonly #caches: NamedCache[] = [];
  #kinds: Map<string, Schema> | undefined;

  constructor(options: ResourceScopesOptions) {
    this.#options = options;
    for (const resource of options.served) {
      this.#served.set(`${resource.group}/${resource.version}/${resource.plural}`, resource);
    }
  }

  /** What is served there. */
  scopeOf(group: string, version: string, plural: string): ResourceScope | undefined {
    const key = `${group}/${version}/${plural}`;
    const known = this.#scopes.get(key);
    if (known !== undefined) return known;
    const resource = this.#served.get(key);
    if (resource === undefined) return undefined;
    const scope = this.#makeScope(resource);
    this.#scopes.set(key, scope);
    return scope;
  }

  /** Schema of a kind, whether it is served or not. */
  schemaOf({ group, version, kind }: GroupVersionKind): Schema | undefined {
    if (this.#kinds === undefined) {
      this.#kinds = new Map();
      for (const resource of this.#options.known) {
        for (const served of [...resource.subresources, resource]) {
          if (served.schema !== undefined)
            this.#kinds.set(`${served.group}/${served.version}/${served.kind}`, served.schema);
        }
      }
    }
    return this.#kinds.get(`${group}/${version}/${kind}`);
  }

  /** The resource that serves a kind. */
  scopeOfKind({ group, version, kind }: GroupVersionKind): ResourceScope | undefined {
    const resource = this.#options.served.find(
      (each) => each.kind === kind && each.group === group && each.version === version,
    );
    return resource === undefined ? undefined : this.scopeOf(group, version, resource.plural);
  }

  /** Ends what the stores have under way. */
  close(): void {
    for (const { cache } of this.#caches) cache.close();
  }

  /** The watch caches that somebody has asked for. */
  caches(): readonly NamedCache[] {
    return this.#caches;
  }

  #makeScope(resource: Resource): ResourceScope {
    const { storage, group, version } = resource;
    const stored = this.#storedRecord(resource);
    const { convert, defaults } = this.#behaviourOf(stored);
    const servesStoredVersion = stored.group === group && stored.version === version;
    const convertTo = (object: KubernetesObject, target: GroupVersionKind): KubernetesObject =>
      servesStoredVersion ? object : convert(object, target);
    const store = storage === undefined ? undefined : this.#storeOf(resource);
    return {
      resource,
      groupResource: { group, resource: resource.plural },
      store,
      servesStoredVersion,
      applyDefaults: (object) => applyDefaults(resource.schema, object, defaults),
      toStored(object) {
        const converted = convertTo(object, stored);
        store?.strategy.normalize?.(converted);
        return converted;
      },
      fromStored: (object) => convertTo(object, resource),
    };
  }

  /** All versions of a kind share what it does. */
  #behaviourOf({ storage, group, kind, schema }: Resource): KindBehaviour {
    return this.#options.behaviourOf(storage?.group ?? group, storage?.kind ?? kind, schema);
  }

  /** All versions of a kind share one store. */
  #storeOf(resource: Resource): StoreKind {
    const { storage: place } = resource;
    if (place === undefined) throw new Error(`${resource.plural} is not stored`);
    const known = this.#stores.get(place.prefix);
    if (known !== undefined) return known;
    const { storage, clock, prefix, eventTtlSeconds } = this.#options;
    const { strategy } = this.#behaviourOf(this.#storedRecord(resource));
    const keyPrefix = `${prefix}/${place.prefix}/`;
    let cache: WatchCache | undefined;
    const store: StoreKind = {
      resource: this.#storedRecord(resource),
      strategy,
      codec: schemaCodec(this.#storedRecord(resource)),
      keyPrefix,
      ttlSeconds: place.prefix === 'events' ? eventTtlSeconds : undefined,
      storage,
      clock,
      cache: () => {
        if (cache === undefined) {
          cache = new WatchCache({ storage, clock, prefix: keyPrefix, readAttributes: attributeReader(strategy) });
          this.#caches.push({ group: resource.group, resource: resource.plural, cache });
        }
        return cache;
      },
    };
    this.#stores.set(place.prefix, store);
    return store;
  }

  /** The record of the version that objects are stored in. */
  #storedRecord(resource: Resource): Resource {
    const { storage: place } = resource;
    if (place === undefined) return resource;
    const { group, version, kind } = place;
    const record = this.#options.known.find(
      (candidate) => candidate.group === group && candidate.version === version && candidate.kind === kind,
    );
    // The reference stores custom resource definitions in a version that nobody serves any more; here they are stored as served.
    return record ?? resource;
  }
}
