import { copyJson, isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../api/json/json.ts';
import { keepNotes } from '../../api/json/written-notes.ts';
import type { Schema } from '../schema.ts';

/*
 * Values of custom resources are free-form JSON: a value of another type than its schema says is kept. Pruned are
 *
 * | what | unless |
 * |---|---|
 * | a property unknown to the schema | the object's schema preserves unknown fields |
 * | a null property | it is nullable; with a default it gets the default |
 */

/** Callbacks of the decoder for pruning one value. */
export interface FreeParts {
  /** Decodes a value in a container with its schema, which may be of a Go type. Undefined drops it. */
  known(schema: Schema, value: JsonValue, path: PathPart, container: Schema): JsonValue | undefined;
  /** Reports an unknown property that is dropped. */
  unknown(path: PathPart): void;
  /** Nulls stay for validation to refuse. */
  readonly keepsNulls?: boolean;
  /** Unknown properties stay, and are not reported. */
  readonly keepsUnknown?: boolean;
}

export type PathPart = string | number;

/** The pruned value; unchanged parts are shared. */
export function freeValue(schema: Schema, value: JsonValue, parts: FreeParts): JsonValue {
  if (Array.isArray(value)) return freeList(schema, value, parts);
  return isJsonObject(value) ? freeObject(schema, value, parts) : exactNumber(value);
}

/** Integers beyond int64 become floating-point numbers, as in Go. */
function exactNumber(value: JsonValue): JsonValue {
  if (typeof value === 'bigint') return BigInt.asIntN(64, value) === value ? value : Number(value);
  return value;
}

function freeList(schema: Schema, list: JsonValue[], parts: FreeParts): JsonValue[] {
  const items = itemsOf(schema, 'array');
  if (items === undefined && (schema.preserveUnknownFields === true || holdsListsAlone(schema, list))) return list;
  let out = list;
  for (let index = 0; index < list.length; index++) {
    const before = list[index] as JsonValue; // within bounds
    const given = before === null ? nullItem(items) : before;
    const after = parts.known(items ?? nothingKnown, given, index, schema) ?? null;
    if (Object.is(after, before)) continue;
    if (out === list) {
      out = keepNotes(list, list.slice());
    }
    out[index] = after;
  }
  return out;
}

/** Whether a list that the schema does not expect holds nothing to be pruned. No recursion: it may be deep. */
function holdsListsAlone(schema: Schema, list: readonly JsonValue[]): boolean {
  // Looked at once, from the outermost list.
  if (schema === nothingKnown) return false;
  const waiting = [list];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const item of next) {
      if (Array.isArray(item)) waiting.push(item);
      else if (isJsonObject(item) || !Object.is(exactNumber(item), item)) return false;
    }
  }
  return true;
}

function freeObject(schema: Schema, object: JsonObject, parts: FreeParts): JsonObject {
  const values = schema.type === 'map' ? (schema.items ?? nothingKnown) : undefined;
  let copy: JsonObject | undefined;
  for (const key in object) {
    const before = object[key] as JsonValue; // an own key
    const part = schema.structure?.fields.get(key)?.schema ?? values;
    let after: JsonValue | undefined = before;
    if (part !== undefined) after = property(part, before, { parts, key, container: schema });
    else if (parts.keepsUnknown !== true && !preserves(schema)) {
      parts.unknown(key);
      after = undefined;
    }
    if (copy === undefined) {
      if (Object.is(after, before)) continue;
      copy = keepNotes(object, keysBefore(object, key));
    }
    if (after !== undefined) setOwn(copy, key, after);
  }
  return copy ?? object;
}

function property(
  schema: Schema,
  value: JsonValue,
  { parts, key, container }: { readonly parts: FreeParts; readonly key: string; readonly container: Schema },
): JsonValue | undefined {
  if (value === null && schema.definition !== undefined && schema !== nothingKnown) {
    if (schema.definition.nullable === true) return null;
    return defaultOf(schema) ?? (parts.keepsNulls === true ? null : undefined);
  }
  // Metadata are a struct in Go, which is never null.
  if (value === null && schema.definition === undefined && schema.structure !== undefined) return {};
  return parts.known(schema, value, key, container);
}

function nullItem(items: Schema | undefined): JsonValue {
  return items === undefined || items.definition?.nullable === true ? null : (defaultOf(items) ?? null);
}

function defaultOf({ default: value }: Schema): JsonValue | undefined {
  // Defaults in schemas are JSON.
  return value === undefined ? undefined : copyJson(value as JsonValue);
}

function preserves({ preserveUnknownFields, definition }: Schema): boolean {
  return preserveUnknownFields === true || definition?.['x-kubernetes-preserve-unknown-fields'] === true;
}

function itemsOf({ type, items }: Schema, wanted: Schema['type']): Schema | undefined {
  return type === wanted ? items : undefined;
}

/** A schema that knows nothing and preserves nothing. */
const nothingKnown: Schema = {
  type: 'object',
  goType: '',
  structure: { goName: '', fields: new Map() },
  definition: { nullable: true },
};

/** Copies the keys before `end`. Deleting keys from a full copy would turn it into a slow dictionary-mode object. */
function keysBefore(value: Readonly<JsonObject>, end: string): JsonObject {
  const copy: JsonObject = {};
  for (const key in value) {
    if (key === end) break;
    setOwn(copy, key, value[key] as JsonValue); // an own key
  }
  return copy;
}
