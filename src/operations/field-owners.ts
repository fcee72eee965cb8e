import { formatApiVersion, parseApiVersion } from '../api/meta/group-version.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../api/json/json.ts';
import { cloneObject, type KubernetesObject } from '../api/meta/object.ts';
import { type Soon, soon } from '../api/scheduling/soon.ts';
import { StatusError } from '../api/errors/status.ts';
import { formatSeconds } from '../registry/write/metadata.ts';
import { keepNotes } from '../api/json/written-notes.ts';
import { isTooLargeToStore } from '../registry/stored/storage-errors.ts';
import { readForm } from '../registry/stored/read-forms.ts';
import { ownableFields } from '../registry/stored/ownable-fields.ts';
import { unchangedFields } from '../registry/write/unchanged-fields.ts';
import {
  type Entries,
  managedAfterUpdate,
  type ManagedKind,
  type ManagedObject,
} from '../fieldmanagement/field-manager.ts';
import { type TypedValue } from '../fieldmanagement/merge-type.ts';
import { mergeTypeOf } from '../fieldmanagement/schema-type.ts';
import { typedValue } from '../fieldmanagement/validate.ts';
import { TypedValueError, valueError } from '../fieldmanagement/value-errors.ts';
import { prunedValue } from '../schema/custom/pruned-value.ts';
import type { Schema } from '../schema/schema.ts';
import { wireForm, wireFormBut } from '../schema/wire-form.ts';
import type { KindRegistry } from './kinds.ts';
import { convertedObject } from './converted-object.ts';
import type { ResourceScope, ServedKind } from './resource-scope.ts';

const managedKinds = new WeakMap<ResourceScope, Map<string, ManagedKind>>();

/** The target of a write. */
export interface OwnedResource {
  readonly scope: ResourceScope;
  /** Undefined for the object itself. */
  readonly subresource: { readonly name: string } | undefined;
  readonly kinds: KindRegistry;
  /** When the request was received, in milliseconds since the epoch. */
  readonly receivedMs: number;
}

/**
 * What is tracked. Owners of other versions are found in an object that is converted to theirs. Custom resources that
 * are not converted by a webhook may have fields that such a version lacks: the reference then leaves all owners of an
 * update as they are, and refuses an apply, which is possible here.
 */
type TrackedChange = 'update' | 'apply';

/** How a change of a resource, or of a subresource of it, is tracked. */
export function managedKindOf(
  { scope, subresource: part, kinds }: OwnedResource,
  change: TrackedChange = 'update',
): ManagedKind {
  const subresource = part?.name ?? '';
  const isLenient = change === 'apply' && scope.isUnstructured;
  const name = isLenient ? `${subresource} (apply)` : subresource;
  let known = managedKinds.get(scope);
  if (known === undefined) managedKinds.set(scope, (known = new Map()));
  let kind = known.get(name);
  if (kind === undefined) {
    const { resource, store } = scope;
    const own = formatApiVersion(resource.group, resource.version);
    const filter = store === undefined ? undefined : ownableFields(store, subresource, resource.version);
    const others = scope.isUnstructured ? filterOfOthers(kinds, scope, subresource) : () => filter;
    kind = {
      kind: resource,
      subresource,
      type: mergeTypeOf(resource.schema),
      isLoose: scope.isUnstructured,
      form: (object, formed) => wireFormBut(resource.schema, object, formed),
      filterOf: (apiVersion) => (apiVersion === own ? filter : others(apiVersion)),
      sharesPaths: isLenient && !scope.conversion.converterWaits,
      convert: (object, apiVersion) => convertTyped(kinds, object, { apiVersion, kind: resource.kind, isLenient }),
    };
    known.set(name, kind);
  }
  return kind;
}

/**
 * The fields of a custom resource that owners of other versions may lose: all but those that a write of the status
 * resets, in versions that requests may be for.
 */
function filterOfOthers(
  { catalogue }: KindRegistry,
  { resource, store }: ResourceScope,
  subresource: string,
): ManagedKind['filterOf'] {
  return (apiVersion) => {
    const { group, version } = parseApiVersion(apiVersion) ?? resource;
    if (store === undefined || subresource !== 'status') return undefined;
    const isSeen = resource.storage?.version === version || catalogue.served(group, version, resource.plural);
    return isSeen ? ownableFields(store, subresource, version) : undefined;
  };
}

interface OwnersVersion {
  readonly apiVersion: string;
  readonly kind: string;
  /** Whether fields that the version lacks are left out. */
  readonly isLenient: boolean;
}

/** Converts an object to another version of its kind; undefined if a built-in kind does not have that version. */
function convertTyped(kinds: KindRegistry, object: TypedValue, target: OwnersVersion): Soon<TypedValue | undefined> {
  const value = isJsonObject(object.value) ? object.value : {};
  const { apiVersion } = value;
  if (apiVersion === target.apiVersion || typeof apiVersion !== 'string') return object;
  if (parseApiVersion(target.apiVersion) === undefined) {
    throw new TypedValueError(valueError(`unexpected GroupVersion string: ${target.apiVersion}`));
  }
  const from = scopeOf(kinds, apiVersion, target.kind);
  const to = scopeOf(kinds, target.apiVersion, target.kind);
  if (from === undefined) return undefined;
  if (to === undefined || from.resource.group !== to.resource.group) {
    // Events are served in two groups, but the reference converts no fields between those.
    if (!from.isUnstructured) return undefined;
    const why = `request to convert CR to an invalid group/version: ${target.apiVersion}`;
    throw new TypedValueError(valueError(why));
  }
  const usesWebhook = from.conversion.converterWaits;
  if (from.isUnstructured && !usesWebhook) return renamed(to.resource.schema, value, target);
  const typed = convertedObject(from.resource, value, 'failed to convert new object');
  // The store of a custom resource takes objects of any version, and converts them to its own.
  const converted = from.isUnstructured
    ? to.conversion.toStored(typed)
    : soon(from.conversion.toStored(typed), (stored) => to.conversion.fromStored(stored));
  return soon(converted, (seen) => {
    const written = wireForm(to.resource.schema, withoutManagedFields(seen));
    return typedValue(mergeTypeOf(to.resource.schema), written, { allowDuplicates: false });
  });
}

/** An object of a kind that is not converted by a webhook in another version. */
function renamed(schema: Schema, value: Readonly<JsonObject>, { apiVersion, isLenient }: OwnersVersion): TypedValue {
  const named = keepNotes(value, { ...value, apiVersion });
  const fitting = isLenient ? prunedValue(schema, named, { keepsNulls: true }) : named;
  return typedValue(mergeTypeOf(schema), fitting, { allowDuplicates: false });
}

function scopeOf(kinds: KindRegistry, apiVersion: string, kind: string): ResourceScope | undefined {
  const parsed = parseApiVersion(apiVersion);
  return parsed === undefined ? undefined : kinds.scopeOfKind({ ...parsed, kind });
}

/** As JSON, without `metadata.managedFields`. */
function withoutManagedFields(object: Readonly<KubernetesObject>): JsonObject {
  const { managedFields: _, ...metadata } = object.metadata;
  // Objects are JSON-shaped.
  return { ...object, metadata };
}

/** An object in the version of the request, as ownership tracking sees it. */
export function ownedView(schema: Schema, object: Readonly<KubernetesObject>): ManagedObject {
  const written = wireForm(schema, withoutManagedFields(object));
  return { object: written, entries: object.metadata.managedFields };
}

/** The owners' view of a stored object; undefined is one that does not exist yet. */
export async function storedView(
  { scope }: OwnedResource,
  stored: Readonly<KubernetesObject> | undefined,
): Promise<ManagedObject> {
  if (stored === undefined) return emptyView(scope.resource);
  // The schemas of kinds have metadata.
  const served = (await servedForm(scope, stored)) as KubernetesObject;
  return { object: withoutManagedFields(served), entries: stored.metadata.managedFields };
}

/** The owners' view of an object about to be stored, which need not be in wire form. */
async function writtenView(
  { scope: { conversion } }: OwnedResource,
  stored: Readonly<KubernetesObject>,
): Promise<ManagedObject> {
  const served = conversion.serves(stored) ? stored : await conversion.fromStored(cloneObject(stored));
  return { object: withoutManagedFields(served), entries: stored.metadata.managedFields };
}

/** The written object with the fields of the live one that it has not changed, which need not be compared. */
function withLiveFields(
  { scope }: OwnedResource,
  { live: stored, updated: written }: TrackedWrite,
  { live, updated }: { readonly live: ManagedObject; readonly updated: ManagedObject },
): ManagedObject {
  if (stored === undefined || !scope.conversion.serves(stored)) return updated;
  const formed = unchangedFields(scope.resource.schema, written, stored);
  const object = keepNotes(updated.object, { ...updated.object });
  for (const name of formed) object[name] = live.object[name] as JsonValue; // what is stored has been read
  return { ...updated, object, formed };
}

/** A stored object as a client would read it. */
export async function servedForm(
  { resource: { schema }, conversion }: ResourceScope,
  stored: Readonly<KubernetesObject>,
): Promise<JsonObject> {
  if (conversion.serves(stored)) return readForm(stored) ?? wireForm(schema, stored);
  return wireForm(schema, await conversion.fromStored(cloneObject(stored)));
}

const emptyViews = new WeakMap<ServedKind, ManagedObject>();

/** An empty object of a kind. */
export function emptyView(served: ServedKind): ManagedObject {
  let view = emptyViews.get(served);
  if (view === undefined) {
    const { group, version, kind, schema } = served;
    const object = { apiVersion: formatApiVersion(group, version), kind, metadata: {} };
    view = { object: wireForm(schema, object), entries: undefined };
    emptyViews.set(served, view);
  }
  return view;
}

/** The time of a request as written in managedFields. */
export function changeTime({ receivedMs }: Pick<OwnedResource, 'receivedMs'>): string {
  return formatSeconds(receivedMs);
}

/** A write other than apply. Both objects are in the storage version. */
interface TrackedWrite {
  /** Undefined for a create. */
  readonly live: Readonly<KubernetesObject> | undefined;
  readonly updated: KubernetesObject;
  readonly manager: string;
}

/** Sets the managedFields of `updated`. */
export async function trackOwners(resource: OwnedResource, write: TrackedWrite): Promise<void> {
  setEntries(write.updated, await ownersAfter(resource, write));
}

async function ownersAfter(resource: OwnedResource, write: TrackedWrite): Promise<Entries> {
  const live = await storedView(resource, write.live);
  const updated = withLiveFields(resource, write, { live, updated: await writtenView(resource, write.updated) });
  const { manager } = write;
  return await entriesAfter(managedKindOf(resource), { live, updated, manager, now: changeTime(resource) });
}

/** A kind without a store of its own, in a single version, as what is written through `subresource` is tracked. */
export function managedPart({ group, version, kind, schema }: ServedKind, subresource: string): ManagedKind {
  const apiVersion = formatApiVersion(group, version);
  return {
    kind: { group, version, kind },
    subresource,
    type: mergeTypeOf(schema),
    filterOf: () => undefined,
    convert: (object, target) => (target === apiVersion ? object : undefined),
  };
}

/** Sets the managedFields of an object of such a kind that `manager` creates. */
export async function trackCreatedPart(
  {
    served,
    subresource,
    receivedMs,
  }: { readonly served: ServedKind; readonly subresource: string; readonly receivedMs: number },
  object: KubernetesObject,
  manager: string,
): Promise<void> {
  setEntries(object, undefined);
  const updated = ownedView(served.schema, object);
  const write = { live: emptyView(served), updated, manager, now: changeTime({ receivedMs }) };
  setEntries(object, await entriesAfter(managedPart(served, subresource), write));
}

/** An object that managedFields make too large to store is stored without them, and untracked. */
export async function withoutOwnersIfTooLarge<T>(write: (tracking: boolean) => Promise<T>): Promise<T> {
  try {
    return await write(true);
  } catch (error) {
    if (!isTooLargeToStore(error)) throw error;
    return write(false);
  }
}

/**
 * Ownership tracking never fails a write: if the objects cannot be compared, or not be converted to the version of an
 * owner, the owners stay as they were.
 */
export async function entriesAfter(
  kind: ManagedKind,
  write: {
    readonly live: ManagedObject;
    readonly updated: ManagedObject;
    readonly manager: string;
    readonly now: string;
  },
): Promise<Entries> {
  try {
    return await managedAfterUpdate(kind, write);
  } catch (error) {
    if (!(error instanceof TypedValueError || error instanceof StatusError)) throw error;
    return write.live.entries === undefined ? undefined : [...write.live.entries];
  }
}

export function setEntries({ metadata }: KubernetesObject, entries: Entries): void {
  if (entries === undefined) delete metadata.managedFields;
  else metadata.managedFields = entries;
}
