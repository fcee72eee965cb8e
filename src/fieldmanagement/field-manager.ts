import { isUnreadableTime } from '../api/time/time.ts';
import type { JsonObject } from '../api/json/json.ts';
import type { GroupVersionKind } from '../api/meta/group-version.ts';
import { capUpdateManagers } from './cap-managers.ts';
import {
  decodeManaged,
  emptyManaged,
  encodeManaged,
  type Managed,
  ManagedFieldsError,
  managerId,
} from './managed-entries.ts';
import type { MergeType } from './merge-type.ts';
import { checkedValue, decodedValue } from './mismatches.ts';
import { FieldPathError } from './path-element.ts';
import type { Ownership } from './managers.ts';
import { Shapes } from './value-shape.ts';
import { equalValues } from './values.ts';
import { stripMetadata } from './strip-metadata.ts';
import { type Ownerships, updateOwners } from './updater.ts';
import { formatApiVersion } from '../api/meta/group-version.ts';

/** One version of a kind, or of a subresource, for tracking ownership. */
export interface ManagedKind extends Ownerships {
  readonly kind: GroupVersionKind;
  /** Empty for the object itself. */
  readonly subresource: string;
  readonly type: MergeType;
  /** Whether stored objects may not fit the schema, as custom resources whose definition has changed. */
  readonly isLoose?: boolean;
  /** Converts written objects to their wire form, but for fields that have it; absent if they all do. */
  form?(object: Readonly<JsonObject>, formed: readonly string[]): JsonObject;
}

/** An object in wire form in the kind's version, with its managedFields split off. */
export interface ManagedObject {
  readonly object: Readonly<JsonObject>;
  /** `metadata.managedFields`. */
  readonly entries: readonly JsonObject[] | undefined;
  /** Names of fields in wire form, of an object that is not; absent: none. */
  readonly formed?: readonly string[];
}

/** managedFields; undefined: none. */
export type Entries = JsonObject[] | undefined;

const unknownManager = 'unknown';

/** Stands for the write itself until its fields are joined with those the manager owned before. */
const currentOperation = 'current-operation';

/** managedFields after `manager` wrote the object without apply. For a create, `live` is empty. */
export async function managedAfterUpdate(
  kind: ManagedKind,
  {
    live,
    updated,
    manager,
    now,
  }: {
    readonly live: ManagedObject;
    /** In any form. */
    readonly updated: ManagedObject;
    readonly manager: string;
    /** RFC 3339, whole seconds. */
    readonly now: string;
  },
): Promise<Entries> {
  const managed = kind.subresource === '' ? requestedManaged(kind, live, updated) : decodeOrNone(live.entries);
  const { object, formed = [] } = updated;
  const write = { live: live.object, updated: object, formed, manager, now };
  // Existing objects without managedFields stay untracked.
  const isTracked = managed.owners.size > 0;
  if (!isTracked && uidOf(live.object) !== '') return undefined;
  const after = isTracked ? await ownUpdated(kind, managed, write) : await ownCreated(kind, write);
  return encodeManaged(after);
}

interface Write {
  readonly live: Readonly<JsonObject>;
  readonly updated: Readonly<JsonObject>;
  readonly formed: readonly string[];
  readonly manager: string;
  readonly now: string;
}

async function ownUpdated(kind: ManagedKind, managed: Managed, write: Write): Promise<Managed> {
  const updated = kind.form === undefined ? write.updated : kind.form(write.updated, write.formed);
  return await trackUpdate(kind, { ...write, updated, managed });
}

interface CreatedOwner {
  /** The previous state: an empty object of the kind. */
  readonly empty: Readonly<JsonObject>;
  readonly owner: Ownership | undefined;
}

/** The creator owns everything in the object, so objects of the same shape share one result. */
const createdOwners = new Shapes<CreatedOwner>(2 * 1024 * 1024);
const kindNumbers = new WeakMap<ManagedKind, number>();
let kindCount = 0;

/** Owners of a newly created object; `live` is empty. Objects of the same shape have wire forms of the same shape. */
async function ownCreated(kind: ManagedKind, write: Write): Promise<Managed> {
  const { live: empty, updated, manager, now } = write;
  const id = managerIdOf(kind, manager, 'Update');
  const shape = createdOwners.of(numberOf(kind), kind.type, { base: empty, value: updated });
  let created = shape?.known;
  if (created === undefined || !equalValues(created.empty, empty)) {
    const { owners } = await ownUpdated(kind, emptyManaged(), write);
    created = { empty, owner: owners.get(id) };
    if (shape !== undefined) shape.known = created;
  }
  const { owner } = created;
  return owner === undefined ? emptyManaged() : { owners: new Map([[id, owner]]), times: new Map([[id, now]]) };
}

function numberOf(kind: ManagedKind): number {
  let number = kindNumbers.get(kind);
  if (number === undefined) kindNumbers.set(kind, (number = kindCount += 1));
  return number;
}

/** Owners after an update by `manager`. Throws a TypedValueError for objects that cannot be compared. */
export async function trackUpdate(
  kind: ManagedKind,
  {
    live,
    updated,
    managed,
    manager,
    now,
  }: {
    readonly live: Readonly<JsonObject>;
    readonly updated: Readonly<JsonObject>;
    readonly managed: Managed;
    readonly manager: string;
    readonly now: string;
  },
): Promise<Managed> {
  const apiVersion = apiVersionOf(kind);
  const id = managerIdOf(kind, manager, 'Update');
  const typed = kind.isLoose === true ? checkedValue : decodedValue;
  const liveTyped = typed(kind.type, live);
  const updatedTyped = typed(kind.type, updated);
  const write = { live: liveTyped, apiVersion, managers: managed.owners, manager: currentOperation };
  const owners = await updateOwners(kind, write, updatedTyped);
  stripMetadata(owners, currentOperation);
  const own = owners.get(currentOperation);
  owners.delete(currentOperation);
  const times = new Map(managed.times);
  if (own !== undefined) {
    const before = owners.get(id);
    const set = before === undefined ? own.set : before.set.union(own.set);
    const known = managed.owners.get(id)?.set;
    // The JSON of a set is written once: a manager that changes what it owns keeps its set.
    owners.set(id, { ...own, set: known?.equals(set) === true ? known : set });
    times.set(id, now);
  }
  const result = { owners, times };
  capUpdateManagers(result);
  return result;
}

/** `apps/v1`, as in managedFields. */
export function apiVersionOf({ kind: { group, version } }: Pick<ManagedKind, 'kind'>): string {
  return formatApiVersion(group, version);
}

/** The identifier of a manager that writes the kind. */
export function managerIdOf(
  { kind, subresource }: ManagedKind,
  manager: string,
  operation: 'Apply' | 'Update',
): string {
  return managerId({
    manager: manager === '' ? unknownManager : manager,
    operation,
    apiVersion: apiVersionOf({ kind }),
    subresource,
  });
}

/** A request may reset managedFields, with an empty list or one empty entry, or send its own. */
function requestedManaged({ isLoose = false }: ManagedKind, live: ManagedObject, updated: ManagedObject): Managed {
  const requested = isLoose && hasUnreadableTime(updated.entries) ? undefined : updated.entries;
  if (isReset(requested, isLoose)) return emptyManaged();
  const given = requested === undefined ? emptyManaged() : decodeOrNone(requested);
  return given.owners.size === 0 ? decodeOrNone(live.entries) : given;
}

/** Whether managed fields are reset; an empty list of a custom resource (`isLoose`) counts as no list. */
function isReset(entries: readonly JsonObject[] | undefined, isLoose: boolean): boolean {
  if (entries === undefined) return false;
  const [first] = entries;
  return first === undefined ? !isLoose : entries.length === 1 && Object.keys(first).length === 0;
}

/** The reference reads the entries of a custom resource again, as one list. */
function hasUnreadableTime(entries: readonly JsonObject[] | undefined): boolean {
  return entries?.some(({ time }) => typeof time === 'string' && isUnreadableTime(time)) === true;
}

function decodeOrNone(entries: readonly JsonObject[] | undefined): Managed {
  try {
    return decodeManaged(entries);
  } catch (error) {
    if (error instanceof ManagedFieldsError || error instanceof FieldPathError) return emptyManaged();
    throw error;
  }
}

export function uidOf({ metadata }: Readonly<JsonObject>): string {
  // Objects always have metadata.
  const uid = (metadata as JsonObject | undefined)?.['uid'];
  return typeof uid === 'string' ? uid : '';
}
