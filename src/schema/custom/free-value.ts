import { copyJson, isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../api/json.ts';
import type { Schema } from '../schema.ts';

/*
 * Values of custom resources are free JSON: one of another type than its schema says stays as it is. What goes is
 *
 * | what | unless |
 * |---|---|
 * | a property that its schema does not know | the schema of the object preserves unknown fields |
 * | a property that is null | it may be null, or nulls are kept; one that has a default has that |
 */

/** What the pruning of one value needs of those who decode it. */
export interface FreeParts {
  /** A value that is known by this schema, which may be of a Go type. Undefined: it goes. */
  known(schema: Schema, value: JsonValue, path: PathPart): JsonValue | undefined;
  /** A property that nobody knows; it goes. */
  unknown(path: PathPart): void;
  /** Nulls stay for validation to refuse. */
  readonly keepsNulls?: boolean;
}

export type PathPart = string | number;

/** A value without what goes. Parts that stay as they are are shared. */
export function freeValue(schema: Schema, value: JsonValue, parts: FreeParts): JsonValue {
  if (Array.isArray(value)) return freeList(schema, value, parts);
  return isJsonObject(value) ? freeObject(schema, value, parts) : exactNumber(value);
}

/** Integers that Go's int64 does not hold are floating-point numbers. */
function exactNumber(value: JsonValue): JsonValue {
  if (typeof value === 'bigint') return BigInt.asIntN(64, value) === value ? value : Number(value);
  return value === 0 ? 0 : value;
}

function freeList(schema: Schema, list: JsonValue[], parts: FreeParts): JsonValue[] {
  const items = itemsOf(schema, 'array');
  if (items === undefined && schema.preserveUnknownFields === true) return list;
  let out = list;
  for (let index = 0; index < list.length; index++) {
    const before = list[index] as JsonValue; // within bounds
    const given = before === null ? nullItem(items) : before;
    const after = parts.known(items ?? nothingKnown, given, index) ?? null;
    if (after === before) continue;
    if (out === list) out = list.slice();
    out[index] = after;
  }
  return out;
}

function freeObject(schema: Schema, object: JsonObject, parts: FreeParts): JsonObject {
  const values = schema.type === 'map' ? (schema.items ?? nothingKnown) : undefined;
  let copy: JsonObject | undefined;
  for (const key in object) {
    const before = object[key] as JsonValue; // an own key
    const part = schema.structure?.fields.get(key)?.schema ?? values;
    let after: JsonValue | undefined = before;
    if (part !== undefined) after = property(part, before, { parts, key });
    else if (!preserves(schema)) {
      parts.unknown(key);
      after = undefined;
    }
    if (copy === undefined) {
      if (after === before) continue;
      copy = keysBefore(object, key);
    }
    if (after !== undefined) setOwn(copy, key, after);
  }
  return copy ?? object;
}

function property(
  schema: Schema,
  value: JsonValue,
  { parts, key }: { readonly parts: FreeParts; readonly key: string },
): JsonValue | undefined {
  if (value === null && schema.definition !== undefined && schema !== nothingKnown) {
    if (schema.definition.nullable === true) return null;
    return defaultOf(schema) ?? (parts.keepsNulls === true ? null : undefined);
  }
  return parts.known(schema, value, key);
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

/** Nothing is known of what stands here, and nothing in it is kept. */
const nothingKnown: Schema = {
  type: 'object',
  goType: '',
  structure: { goName: '', fields: new Map() },
  definition: { nullable: true },
};

/** A copy of the keys that come before `end`. To delete from a whole copy would make it a slow object. */
function keysBefore(value: Readonly<JsonObject>, end: string): JsonObject {
  const copy: JsonObject = {};
  for (const key in value) {
    if (key === end) break;
    setOwn(copy, key, value[key] as JsonValue); // an own key
  }
  return copy;
}

/** A value as its schema keeps it, where nobody minds what goes. Metadata in it stays as it is. */
export function prunedValue(schema: Schema, value: JsonValue): JsonValue {
  const parts: FreeParts = {
    known: (part, inner) => (part.definition === undefined ? inner : freeValue(part, inner, parts)),
    unknown: () => undefined,
  };
  return freeValue(schema, value, parts);
}
