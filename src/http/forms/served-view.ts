import type { KubernetesObject } from '../../api/object.ts';
import { Turns } from '../../api/turns.ts';
import type { ResourceScope } from '../../operations/resource-scope.ts';
import type { Conversion } from '../../registry/conversion.ts';
import { schemaCodec } from '../../registry/schema-codec.ts';
import type { StoreKind } from '../../registry/store-kind.ts';
import { CacheEntry } from '../../watchcache/cache-entry.ts';
import { WatchEvent } from '../../watchcache/cache-event.ts';

// Where conversion is asynchronous, objects are converted in groups, and the results are shown like stored objects.

const views = new WeakMap<ResourceScope, ResourceScope>();

const asItIs: Conversion = {
  servesStoredVersion: true,
  waits: false,
  renames: true,
  toStored: (object) => object,
  fromStored: (object) => object,
  allFromStored: (objects) => objects,
};

/** The resource as if its objects were stored in the served version: for entries that were converted. */
export function servedView(scope: ResourceScope): ResourceScope {
  let view = views.get(scope);
  if (view === undefined) {
    const { resource, store } = scope;
    const served = store === undefined ? undefined : { ...store, resource, codec: schemaCodec(resource) };
    view = { ...scope, store: served, conversion: asItIs };
    views.set(scope, view);
  }
  return view;
}

/** Objects converted per group. */
const groupSize = 500;

/** Entries converted to the served version. */
export async function servedEntries(
  scope: ResourceScope,
  entries: readonly CacheEntry[],
): Promise<readonly CacheEntry[]> {
  const { store } = scope;
  if (store === undefined) throw new Error(`${scope.resource.plural} are not stored`);
  const served: CacheEntry[] = [];
  for (let at = 0; at < entries.length; at += groupSize) {
    served.push(...(await convertedGroup(scope, store, entries.slice(at, at + groupSize))));
  }
  return served;
}

async function convertedGroup(
  scope: ResourceScope,
  store: StoreKind,
  entries: readonly CacheEntry[],
): Promise<readonly CacheEntry[]> {
  const turns = new Turns();
  const objects: KubernetesObject[] = [];
  for (const entry of entries) {
    if (turns.isOver) await turns.next();
    objects.push(store.codec.decode(entry));
  }
  const converted = await scope.conversion.allFromStored(objects);
  const codec = schemaCodec(scope.resource);
  const served: CacheEntry[] = [];
  for (const [index, { key, modRevision }] of entries.entries()) {
    const object = converted[index];
    if (object === undefined) throw new Error('the converter returned a different number of objects');
    if (turns.isOver) await turns.next();
    served.push(new CacheEntry(key, codec.encode(object), modRevision));
  }
  return served;
}

/** Events converted to the served version; `others` pass through. All watches of a version share the results. */
export function servedEvents<Other>(
  scope: ResourceScope,
  events: readonly (WatchEvent | Other)[],
): Promise<readonly (WatchEvent | Other)[]> {
  const { group, version } = scope.resource;
  const fresh: FreshEvent[] = [];
  const convert = (event: WatchEvent): Promise<WatchEvent> => {
    const { promise, resolve, reject } = Promise.withResolvers<WatchEvent>();
    fresh.push({ event, resolve, reject });
    return promise;
  };
  const served = events.map((event) =>
    event instanceof WatchEvent ? event.frame(`served/${group}/${version}`, convert) : event,
  );
  if (fresh.length > 0) void convertFresh(scope, fresh);
  return Promise.all(served);
}

/** An event not requested in this version before. */
interface FreshEvent {
  readonly event: WatchEvent;
  readonly resolve: (served: WatchEvent) => void;
  readonly reject: (error: unknown) => void;
}

async function convertFresh(scope: ResourceScope, fresh: readonly FreshEvent[]): Promise<void> {
  try {
    const stored = fresh.map(({ event }) => event.entry);
    const entries = await servedEntries(scope, stored);
    for (const [index, { event, resolve }] of fresh.entries()) {
      const entry = entries[index];
      if (entry !== undefined) resolve(new WatchEvent(event.type, entry));
    }
  } catch (error) {
    for (const { reject } of fresh) reject(error);
  }
}
