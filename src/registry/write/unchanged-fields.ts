import { bottomUp } from '../../api/collections/bottom-up.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../api/json/json.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import { hasNotedEmpties } from '../../api/json/written-notes.ts';
import type { Schema, Structure } from '../../schema/schema.ts';
import { isUnstructured } from '../../schema/unstructured.ts';
import { wireForm } from '../../schema/wire-form.ts';
import { readState } from '../stored/read-forms.ts';

// Most writes change few fields of an object. Whoever knows the others need not look into them again.

/**
 * Names of the fields of an object, metadata excluded, that have the values of an object read for a change: written
 * alike, validated alike. None if they are stored in a form that this server would not write.
 */
export function unchangedFields(
  schema: Schema,
  object: Readonly<KubernetesObject>,
  old: Readonly<KubernetesObject>,
): readonly string[] {
  const { structure } = schema;
  if (structure === undefined || isUnstructured(schema) || !isStoredAsWritten(schema, old)) return [];
  const names: string[] = [];
  for (const name in object) {
    if (name === 'metadata') continue;
    const [value, before] = [object[name] as JsonValue, old[name] as JsonValue | undefined]; // JSON-shaped
    if (before !== undefined && (value === before || isSameField(structure, name, [value, before]))) names.push(name);
  }
  return names;
}

/** Gives the object the unchanged fields of the other one, the same in memory, and those of its metadata. */
export function shareUnchangedFields(schema: Schema, object: KubernetesObject, old: Readonly<KubernetesObject>): void {
  const names = unchangedFields(schema, object, old);
  if (names.length === 0) return;
  for (const name of names) object[name] = old[name]!;
  const [metadata, before]: readonly [JsonObject, Readonly<JsonObject>] = [object.metadata, old.metadata];
  for (const name in metadata) {
    const [value, known] = [metadata[name], before[name]];
    // The entries of managedFields change with each write.
    if (typeof known === 'object' && name !== 'managedFields' && isSame(value, known)) metadata[name] = known;
  }
}

function isStoredAsWritten(schema: Schema, old: Readonly<KubernetesObject>): boolean {
  const state = readState(old);
  if (state === undefined) return false;
  state.isInWireForm ??= wireForm(schema, state.parsed) === state.parsed;
  return state.isInWireForm;
}

function isSameField({ fields }: Structure, name: string, [value, before]: readonly [JsonValue, JsonValue]): boolean {
  const field = fields.get(name);
  return field !== undefined && !hasFreeParts(field.schema) && isSame(value, before);
}

/** Deep equality, ignoring the order of keys, of values without notes. */
const isSame = bottomUp((a: JsonValue | undefined, b: JsonValue | undefined): boolean => {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return Object.is(a, b);
  if (a === b) return true;
  if (hasNotedEmpties(a)) return false;
  if (Array.isArray(a)) return Array.isArray(b) && areListsSame(a, b);
  return isJsonObject(b) && areObjectsSame(a, b);
}, true);

function areListsSame(a: readonly JsonValue[], b: readonly JsonValue[]): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) if (!isSame(a[index], b[index])) return false;
  return true;
}

function areObjectsSame(a: Readonly<JsonObject>, b: Readonly<JsonObject>): boolean {
  let count = 0;
  for (const key in a) {
    if (!Object.hasOwn(b, key) || !(key === 'fieldsV1' ? isSameText : isSame)(a[key], b[key])) return false;
    count += 1;
  }
  for (const _ in b) count -= 1;
  return count === 0;
}

/** Equality of a field that is stored in the order in which it was sent. */
function isSameText(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

const withFreeParts = new WeakMap<Structure, boolean>();

/** Whether values of a schema contain some, besides `fieldsV1`, that keep the order of their keys. */
function hasFreeParts({ type, format, items, structure, preserveUnknownFields }: Schema): boolean {
  if (type === 'any') return format !== 'int-or-string' && format !== 'fields-v1';
  if (items !== undefined) return hasFreeParts(items);
  if (structure === undefined) return type === 'object' || type === 'map' || type === 'array';
  if (preserveUnknownFields === true) return true;
  const known = withFreeParts.get(structure);
  if (known !== undefined) return known;
  // A recursive type finds itself without any.
  withFreeParts.set(structure, false);
  const found = [...structure.fields.values()].some((field) => hasFreeParts(field.schema));
  withFreeParts.set(structure, found);
  return found;
}
