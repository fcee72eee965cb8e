import { TimeSlice } from '../../api/scheduling/time-slice.ts';
import type { ResourceScope } from '../../operations/resource-scope.ts';
import type { Conversion } from '../../registry/kinds/conversion.ts';
import { schemaCodec } from '../../registry/stored/schema-codec.ts';
import { decodeAll } from '../../registry/stored/stored-object.ts';
import type { StoreKind } from '../../registry/stored/store-kind.ts';
import { CacheEntry } from '../../watchcache/cache-entry.ts';
import { WatchEvent } from '../../watchcache/cache-event.ts';

// Where conversion is asynchronous, objects are converted in groups, and the results are shown like stored objects.

const views = new WeakMap<ResourceScope, ResourceScope>();

const asItIs: Conversion = {
  servesStoredVersion: true,
  serves: () => true,
  waits: false,
  converterWaits: false,
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

/** What has been converted to a served version, by stored bytes: it lasts as long as they do. */
type Converted = WeakMap<Uint8Array, CacheEntry>;

const conversions = new WeakMap<ResourceScope, Converted>();

function convertedTo(scope: ResourceScope): Converted {
  let converted = conversions.get(scope);
  if (converted === undefined) {
    converted = new WeakMap();
    conversions.set(scope, converted);
  }
  return converted;
}

/** Whether no webhook has to be called to serve these entries. */
export function areConverted(scope: ResourceScope, entries: readonly CacheEntry[]): boolean {
  const converted = convertedTo(scope);
  return entries.every(({ value }) => converted.has(value));
}

/** Entries in the served version. Each is converted when it is first asked for. */
export async function servedEntries(
  scope: ResourceScope,
  entries: readonly CacheEntry[],
): Promise<readonly CacheEntry[]> {
  const converted = convertedTo(scope);
  await convertAnew(
    scope,
    entries.filter(({ value }) => !converted.has(value)),
  );
  return entries.map((entry) => {
    const served = converted.get(entry.value);
    if (served === undefined) throw new Error('the entry has been converted');
    return served.modRevision === entry.modRevision ? served : served.at(entry.modRevision);
  });
}

/** Converts what has been converted before as well. */
export async function convertAnew(scope: ResourceScope, entries: readonly CacheEntry[]): Promise<void> {
  const { store } = scope;
  if (store === undefined) throw new Error(`${scope.resource.plural} are not stored`);
  for (let at = 0; at < entries.length; at += groupSize) {
    await convertGroup(scope, store, entries.slice(at, at + groupSize));
  }
}

async function convertGroup(scope: ResourceScope, store: StoreKind, entries: readonly CacheEntry[]): Promise<void> {
  const served = await scope.conversion.allFromStored(await decodeAll(store.codec, entries));
  const timeSlice = new TimeSlice();
  const codec = schemaCodec(scope.resource);
  const converted = convertedTo(scope);
  for (const [index, { key, value, modRevision }] of entries.entries()) {
    const object = served[index];
    if (object === undefined) throw new Error('the converter returned a different number of objects');
    if (timeSlice.isOver) await timeSlice.next();
    const bytes = codec.encode(object);
    // What is stored in this version already is not kept twice.
    converted.set(value, new CacheEntry(key, bytes.equals(value) ? value : bytes, modRevision));
  }
}

/** Events converted to a version, which all its watches share. */
type ServedEvents = WeakMap<WatchEvent, Promise<WatchEvent>>;

const eventsByScope = new WeakMap<ResourceScope, ServedEvents>();

/** Events converted to the served version; `others` pass through. After a failure they can be asked for again. */
export function servedEvents<Other>(
  scope: ResourceScope,
  events: readonly (WatchEvent | Other)[],
): Promise<readonly (WatchEvent | Other)[]> {
  const shared = eventsByScope.get(scope) ?? new WeakMap<WatchEvent, Promise<WatchEvent>>();
  eventsByScope.set(scope, shared);
  const isFresh = (event: WatchEvent | Other): event is WatchEvent => event instanceof WatchEvent && !shared.has(event);
  shareFresh(scope, events.filter(isFresh), shared);
  return Promise.all(
    events.map((event) => Promise.resolve(event instanceof WatchEvent ? (shared.get(event) ?? event) : event)),
  );
}

function shareFresh(scope: ResourceScope, fresh: readonly WatchEvent[], shared: ServedEvents): void {
  if (fresh.length === 0) return;
  const converting = servedEntries(
    scope,
    fresh.map(({ entry }) => entry),
  );
  for (const [index, event] of fresh.entries()) {
    const served = converting.then((entries) => {
      const entry = entries[index];
      return entry === undefined ? event : new WatchEvent(event.type, entry);
    });
    shared.set(event, served);
    served.catch(() => shared.delete(event));
  }
}
