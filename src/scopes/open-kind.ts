import type { Clock } from '../api/time/clock.ts';
import { deadlineIn } from '../api/time/deadline.ts';
import { formatApiVersion, type GroupResource, type GroupVersionKind } from '../api/meta/group-version.ts';
import type { KubernetesObject } from '../api/meta/object.ts';
import type { CatalogueResource } from '../catalogue/catalogue-group.ts';
import type { KindEntry } from '../catalogue/kind-entry.ts';
import type { RequestCount, ResourceScope } from '../operations/resource-scope.ts';
import { conversionBetween, conversionTo, inVersion, withoutWaiting } from '../registry/kinds/conversion.ts';
import type { KindBehaviour } from '../registry/kinds/kind-behaviour.ts';
import { mixedCodec } from '../registry/stored/mixed-codec.ts';
import { defaultingCodec, renewalBy, schemaCodec } from '../registry/stored/schema-codec.ts';
import { type StoreFormat, storedValues, type WrittenVersion } from '../registry/stored/stored-values.ts';
import { inVersions } from '../registry/stored/stored-version.ts';
import { attributeReader } from '../registry/read/selection.ts';
import type { StoreKind, StoreLocation } from '../registry/stored/store-kind.ts';
import { convertedCodec, versionCodec } from '../registry/stored/version-codec.ts';
import { readableIn, unreadableUnlessConverted } from '../registry/stored/unconvertible.ts';
import type { PlainCodec } from '../registry/stored/stored-object.ts';
import { type CompleteStrategy, completeStrategy } from '../registry/kinds/complete-strategy.ts';
import { applyDefaults } from '../schema/default.ts';
import type { Resource } from '../schema/resource.ts';
import { isUnstructuredKind } from '../schema/unstructured.ts';
import type { Storage } from '../storage/contract.ts';
import { EncryptedStorage, type ResourceEncryption } from '../storage/encryption/encrypted-storage.ts';
import { measured } from '../storage/measured.ts';
import { translated, type Translation } from '../storage/translated.ts';
import type { ResourceUse, StoreMetrics } from './store-metrics.ts';
import { WatchCache, type WatchCacheOptions } from '../watchcache/watch-cache.ts';

/** A watch cache and the resource it is named after. */
export interface NamedCache {
  readonly group: string;
  readonly resource: string;
  readonly cache: WatchCache;
}

export interface OpenKindOptions {
  readonly storage: Storage;
  /** Where the objects of single resources are; absent: all are in `storage`. */
  readonly storageOf?: (stored: Pick<Resource, 'group' | 'plural'>) => Storage;
  /** How resources are encrypted; undefined for those that never are. */
  readonly encryptionOf?: (resource: GroupResource) => ResourceEncryption | undefined;
  readonly format: StoreFormat;
  /** Deletions leave finalizers for the garbage collector; absent: they do. */
  readonly collectsGarbage?: boolean;
  /** Writes of all kinds start from memory: another process has the store. Absent: those of encrypted kinds do. */
  readonly startsFromMemory?: boolean;
  /** See StoreLocation. */
  readonly namesUnreadable: boolean;
  /** `/registry` */
  readonly prefix: string;
  readonly clock: Clock;
  readonly metrics: StoreMetrics;
  /** Revisions before its start that a watch cache remembers; absent: as many as a start of the process may read. */
  readonly remembered?: number | undefined;
  /** Kinds in use: each adds itself and is removed on close. */
  readonly running: Set<OpenKind>;
}

/** How long to wait for the watchers of a retired kind to get the last events. */
const lastEventsMs = 1000;

/**
 * The runtime of a catalogue entry: the scopes of its resources, its store and its watch cache, each created on first
 * use.
 *
 * | state   | entered by                    | requests                         | watches                            |
 * |---------|-------------------------------|----------------------------------|------------------------------------|
 * | open    |                               | are served                       | are served                         |
 * | retired | `retire`: the entry is gone   | running ones continue            | end                                |
 * | closed  | the end of the last request   | none; a late one reopens it      | none; the cache is freed           |
 */
export class OpenKind implements RequestCount {
  readonly #entry: KindEntry;
  readonly #options: OpenKindOptions;
  readonly #scopes = new WeakMap<Resource, ResourceScope>();
  #place: StoreLocation | undefined;
  /** By the version in which objects are seen. */
  readonly #strategies = new Map<Resource, CompleteStrategy>();
  readonly #stores = new Map<Resource, StoreKind>();
  #cache: WatchCache | undefined;
  #requests = 0;
  #retired = false;

  constructor(entry: KindEntry, options: OpenKindOptions) {
    this.#entry = entry;
    this.#options = options;
  }

  /** The watch cache, if in use, under the first served version. */
  get cache(): NamedCache | undefined {
    const named = this.#entry.versions.find(({ served }) => served)?.resource;
    if (this.#cache === undefined || named === undefined) return undefined;
    return { group: named.group, resource: named.plural, cache: this.#cache };
  }

  begin(): void {
    this.#requests += 1;
  }

  end(): void {
    this.#requests -= 1;
    if (this.#retired && this.#requests === 0) this.close();
  }

  /** The scope of a resource of this entry. */
  scopeOf({ entry, resource }: CatalogueResource): ResourceScope {
    const known = this.#scopes.get(resource);
    if (known !== undefined) return known;
    const scope = this.#makeScope(entry, resource);
    this.#scopes.set(resource, scope);
    return scope;
  }

  /** Where the objects of a resource of this entry are; undefined for those that are not stored. */
  placeOf({ entry, resource }: Pick<CatalogueResource, 'entry' | 'resource'>): StoreLocation | undefined {
    if (resource.storage === undefined) return undefined;
    return (this.#place ??= this.#makePlace(entry, storedRecord(entry, resource)));
  }

  /** The entry was removed from the catalogue. */
  retire(): void {
    this.#retired = true;
    this.begin();
    void this.#endWatches().finally(() => this.end());
  }

  async #endWatches(): Promise<void> {
    await this.#cache?.retire(deadlineIn(lastEventsMs));
  }

  /** Ends everything in progress. */
  close(): void {
    this.#cache?.close();
    this.#cache = undefined;
    this.#options.running.delete(this);
  }

  #makeScope(entry: KindEntry, resource: Resource): ResourceScope {
    const { behaviour } = entry;
    const stored = storedRecord(entry, resource);
    const { group } = resource;
    const { converter, mixesVersions = false, seesVersions = false } = behaviour;
    const place = this.placeOf({ entry, resource });
    const store = place === undefined ? undefined : this.#storeOf(entry, place, seesVersions ? resource : stored);
    const normalize = (object: KubernetesObject): void => store?.strategy.normalize?.(object);
    const storesOthers = mixesVersions || !converter.waits || resource.version !== stored.version;
    const conversion = seesVersions
      ? conversionTo(resource, converter, { storesOthers })
      : conversionBetween(resource, stored, { converter, normalize });
    return {
      resource,
      groupResource: { group, resource: resource.plural },
      isUnstructured: isUnstructuredKind(resource),
      store,
      conversion:
        converter.waits && place !== undefined ? unreadableUnlessConverted(conversion, place, resource) : conversion,
      applyDefaults: (object) => applyDefaults(resource.schema, object, behaviour.defaulters, this.#options.clock),
      responses: behaviour.responses,
      tableOf: (kind) => behaviour.tableOf(kind),
      requests: this,
    };
  }

  /** All versions of a kind share one place. */
  #makePlace(entry: KindEntry, stored: Resource): StoreLocation {
    const { behaviour, written } = entry;
    const { clock, prefix, format, namesUnreadable } = this.#options;
    const use = this.#useOf(stored);
    const complete = (object: KubernetesObject): void => this.#strategyOf(behaviour, stored).complete?.(object);
    const values = { stored, written: this.#writtenVersion(written), strategy: { complete }, clock, ...behaviour };
    const below = this.#storageOf(stored, use);
    const storage = translated(below, translationOf(entry, storedValues(values, format)), () => use.unreadable());
    const { storage: place } = stored;
    if (place === undefined) throw new Error(`${stored.plural} is not stored`);
    const startsFromMemory = this.#options.startsFromMemory === true || below instanceof EncryptedStorage;
    return { resource: stored, keyPrefix: `${prefix}/${place.prefix}/`, storage, startsFromMemory, namesUnreadable };
  }

  #storageOf(stored: Resource, use: ResourceUse): Storage {
    const { storage, storageOf, encryptionOf } = this.#options;
    const below = measured(storageOf?.(stored) ?? storage, use);
    const encryption = encryptionOf?.({ group: stored.group, resource: stored.plural });
    return encryption === undefined ? below : new EncryptedStorage(below, encryption);
  }

  #strategyOf(behaviour: KindBehaviour, seen: Resource): CompleteStrategy {
    let strategy = this.#strategies.get(seen);
    if (strategy === undefined) {
      strategy = completeStrategy(behaviour.strategyOf(seen), seen);
      this.#strategies.set(seen, strategy);
    }
    return strategy;
  }

  #storeOf(entry: KindEntry, place: StoreLocation, seen: Resource): StoreKind {
    let store = this.#stores.get(seen);
    if (store === undefined) this.#stores.set(seen, (store = this.#makeStore(entry, place, seen)));
    return store;
  }

  #useOf({ group, plural }: Resource): ResourceUse {
    return this.#options.metrics.of({ group, resource: plural });
  }

  #makeStore(entry: KindEntry, place: StoreLocation, seen: Resource): StoreKind {
    const { resource: stored, keyPrefix: prefix, storage } = place;
    const { behaviour, ttlSeconds, pagesAnyVersion = false, begunAt } = entry;
    const { clock, format, remembered } = this.#options;
    const use = this.#useOf(stored);
    const strategy = this.#strategyOf(behaviour, seen);
    const readAttributes = attributeReader(strategy);
    // Others may know another form of a custom kind, or none.
    const renews = behaviour.renews === true || (format.custom !== undefined && isUnstructuredKind(stored));
    const asStored = codecOfStored(entry, stored, (version) =>
      renews ? defaultingCodec(version, behaviour.defaulters, clock) : schemaCodec(version),
    );
    const renew = renews ? renewalBy(asStored) : undefined;
    return {
      ...place,
      resource: seen,
      strategy,
      ...seenThrough(behaviour, place, { seen, asStored, renews }),
      renew,
      ttlSeconds,
      clock,
      pagesAnyVersion,
      collectsGarbage: this.#options.collectsGarbage ?? true,
      listed: (cost) => use.listed(cost),
      watches: (resource) => use.watches(resource),
      openedCache: () => this.#cache,
      cache: () =>
        (this.#cache ??= this.#openCache({ storage, clock, prefix, readAttributes, renew, begunAt, remembered, use })),
    };
  }

  /** Undefined if no other release shares the store. */
  #writtenVersion(written: GroupVersionKind | undefined): WrittenVersion | undefined {
    const schema = written === undefined ? undefined : this.#options.format.schemaOf(written);
    return written === undefined || schema === undefined ? undefined : { ...written, schema };
  }

  #openCache(options: WatchCacheOptions): WatchCache {
    const cache = new WatchCache(options);
    this.#options.running.add(this);
    // A late request only reads; watches would never get events.
    if (this.#retired) void cache.retire(0);
    return cache;
  }
}

function translationOf({ behaviour, versions }: KindEntry, translation: Translation): Translation {
  if (behaviour.losesVersions !== true) return translation;
  const known = versions.map(({ resource: { group, version } }) => formatApiVersion(group, version));
  return inVersions(new Set(known), translation);
}

/** Objects are read and written by the schema of the version that they are in. */
function codecOfStored(
  { behaviour, versions }: KindEntry,
  stored: Resource,
  codecOf: (version: Resource) => PlainCodec,
): PlainCodec {
  if (behaviour.seesVersions !== true) return codecOf(stored);
  return mixedCodec({ stored, versions: versions.map(({ resource }) => resource) }, codecOf);
}

/** How requests for one version see what is stored. */
function seenThrough(
  { converter, seesVersions = false }: KindBehaviour,
  place: StoreLocation,
  how: { readonly seen: Resource; readonly asStored: PlainCodec; readonly renews: boolean },
): Pick<StoreKind, 'codec' | 'inStoredVersion'> {
  if (!seesVersions) return { codec: how.asStored };
  const stored = place.resource;
  const toSeen = inVersion(how.seen, converter);
  if (converter.waits) {
    const codec = convertedCodec({ ...how, stored, toWritten: inVersion(stored, converter) });
    return { codec, inStoredVersion: readableIn(place, how.seen, toSeen) };
  }
  const seenNow = (object: KubernetesObject): KubernetesObject => withoutWaiting(toSeen(object));
  return { codec: versionCodec({ ...how, stored, toSeen: seenNow }), inStoredVersion: seenNow };
}

/** The record of the version that objects are stored in. */
function storedRecord({ versions }: KindEntry, resource: Resource): Resource {
  const { storage: place } = resource;
  if (place === undefined) return resource;
  const record = versions.find(
    ({ resource: { group, version, kind } }) =>
      group === place.group && version === place.version && kind === place.kind,
  );
  // The reference stores CustomResourceDefinitions in a version that is no longer served; here they are stored as
  // served.
  return record?.resource ?? resource;
}
