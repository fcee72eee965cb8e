import { isJsonObject, type JsonObject, type JsonValue } from '../api/json/json.ts';
import { stringValue } from '../api/json/json-parts.ts';
import { compareBytewise, encodeRaw } from '../api/json/json-text.ts';
import { TextCache } from '../api/text/text-cache.ts';
import { shareFields } from '../api/json/shared-fields.ts';
import type { FieldSet } from './field-set.ts';
import { readFieldsV1, writeFieldsV1 } from './fields-v1.ts';
import type { Ownership } from './managers.ts';

/** The owners of the fields of one object, with the times of their last changes. */
export interface Managed {
  readonly owners: Map<string, Ownership>;
  /** RFC 3339, whole seconds, by manager id; absent if unknown. */
  readonly times: Map<string, string>;
}

export function emptyManaged(): Managed {
  return { owners: new Map(), times: new Map() };
}

/** The identity of a manager: an entry without time and fields, and for Apply without its version. */
export interface ManagerIdentity {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  /** Empty for the object itself. */
  readonly subresource: string;
}

/** The id of a manager: the same JSON as in the reference, which orders entries of equal time by it. */
export function managerId({ manager, operation, apiVersion, subresource }: ManagerIdentity): string {
  return encodeRaw({
    ...(manager === '' ? {} : { manager }),
    operation,
    ...(operation === 'Apply' || apiVersion === '' ? {} : { apiVersion }),
    ...(subresource === '' ? {} : { subresource }),
  });
}

/** Parses an id from `managerId`. */
export function managerOf(id: string): ManagerIdentity & { readonly time: string } {
  return managers.remember(id, readManager);
}

/** A few managers write most objects. */
const managers = new TextCache<ReturnType<typeof managerOf>>(64 * 1024);

function readManager(id: string): ReturnType<typeof managerOf> {
  // Ids come from managerId. Ours never have a time, but messages would show one.
  const identity = JSON.parse(id) as Partial<ReturnType<typeof managerOf>>;
  const { manager = '', operation, apiVersion = '', subresource = '', time = '' } = identity;
  return { manager, operation: operation === 'Apply' ? 'Apply' : 'Update', apiVersion, subresource, time };
}

/** Thrown for malformed managedFields. */
export class ManagedFieldsError extends Error {
  readonly code = 'MANAGED_FIELDS';
}

/** Sets by their shared JSON, and the reverse. */
const readFields = new WeakMap<JsonObject, FieldSet>();
const writtenFields = new WeakMap<FieldSet, JsonObject>();

/** Reads `metadata.managedFields`; throws a ManagedFieldsError or a FieldPathError. */
export function decodeManaged(entries: readonly JsonObject[] | undefined): Managed {
  const managed = emptyManaged();
  for (const [index, entry] of (entries ?? []).entries()) {
    const { operation, apiVersion, fieldsType, fieldsV1, time } = entry;
    if (operation !== 'Apply' && operation !== 'Update') {
      throw new ManagedFieldsError('operation must be `Apply` or `Update`');
    }
    if (typeof apiVersion !== 'string' || apiVersion === '')
      throw new ManagedFieldsError('apiVersion must not be empty');
    if (fieldsType === undefined || fieldsType === '') {
      throw new ManagedFieldsError(`missing fieldsType in managed fields entry ${index}`);
    }
    if (fieldsType !== 'FieldsV1') {
      throw new ManagedFieldsError(`invalid fieldsType ${JSON.stringify(fieldsType)} in managed fields entry ${index}`);
    }
    const id = managerId({
      manager: stringValue(entry['manager']),
      operation,
      apiVersion,
      subresource: stringValue(entry['subresource']),
    });
    managed.owners.set(id, { set: readSet(fieldsV1), apiVersion, applied: operation === 'Apply' });
    if (typeof time === 'string') managed.times.set(id, time);
    else managed.times.delete(id);
  }
  return managed;
}

function readSet(fields: JsonValue | undefined): FieldSet {
  if (!isJsonObject(fields)) return readFieldsV1(fields).set;
  const known = readFields.get(fields);
  if (known !== undefined) return known;
  const shared = shareFields(fields);
  const read = readFields.get(shared);
  if (read !== undefined) return read;
  const { set, isCanonical } = readFieldsV1(shared);
  readFields.set(shared, set);
  // A client may have written the keys in any order.
  if (isCanonical) writtenFields.set(set, shared);
  return set;
}

/** Writes `metadata.managedFields`: Apply entries first, then by time; undefined when there are no owners. */
export function encodeManaged({ owners, times }: Managed): JsonObject[] | undefined {
  if (owners.size === 0) return undefined;
  const entries: JsonObject[] = [];
  for (const [id, ownership] of owners) {
    const fieldsV1 = writtenFields.get(ownership.set) ?? writtenAnew(ownership.set);
    entries.push(entryOf(id, ownership, { fieldsV1, time: times.get(id) }));
  }
  return entries.sort(compareEntries);
}

function writtenAnew(set: FieldSet): JsonObject {
  const fieldsV1 = shareFields(writeFieldsV1(set));
  writtenFields.set(set, fieldsV1);
  if (!readFields.has(fieldsV1)) readFields.set(fieldsV1, set);
  return fieldsV1;
}

function entryOf(
  id: string,
  { apiVersion, applied }: Ownership,
  { fieldsV1, time }: { readonly fieldsV1: JsonObject; readonly time: string | undefined },
): JsonObject {
  const { manager, operation, subresource } = managerOf(id);
  return {
    ...(manager === '' ? {} : { manager }),
    operation: applied ? 'Apply' : operation,
    apiVersion,
    ...(time === undefined ? {} : { time }),
    fieldsType: 'FieldsV1',
    fieldsV1,
    ...(subresource === '' ? {} : { subresource }),
  };
}

/** Apply entries first, then by time, manager, version and subresource. */
export function compareEntries(a: JsonObject, b: JsonObject): number {
  return (
    compareBytewise(stringValue(a['operation']), stringValue(b['operation'])) ||
    compareTimes(stringValue(a['time']), stringValue(b['time'])) ||
    compareBytewise(stringValue(a['manager']), stringValue(b['manager'])) ||
    compareBytewise(stringValue(a['apiVersion']), stringValue(b['apiVersion'])) ||
    compareBytewise(stringValue(a['subresource']), stringValue(b['subresource']))
  );
}

/** Thousands of entries share a few times. */
function compareTimes(a: string, b: string): number {
  return a === b ? 0 : secondsOf(a) - secondsOf(b);
}

/** Seconds since the epoch; 0 without a time. */
export function secondsOf(time: string | undefined): number {
  return time === undefined || time === '' ? 0 : Math.floor(Date.parse(time) / 1000);
}
