import { duplicateField, type FieldErrors, childPath, invalidField, keyPath } from '../api/errors/field-error.ts';
import { compareBytewise, encodeAny } from '../api/json/json-text.ts';
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../api/json/json.ts';
import { isNotedFloat, keepNotes } from '../api/json/written-notes.ts';
import type { Schema } from '../schema/schema.ts';

/** Duplicates in sets and in lists with map keys. ObjectMeta has its own rules. */
export function* listInvariants(schema: Schema, value: JsonValue, path: string): FieldErrors {
  if (schema.definition === undefined) return;
  if (Array.isArray(value)) {
    if (schema.listType === 'set') yield* repeated(value, path, (index) => identity(value, index));
    if (schema.listType === 'map') yield* repeatedKeys(schema, value, path);
    if (schema.items === undefined || !mayHaveLists(schema.items)) return;
    for (const [index, item] of value.entries()) {
      yield* listInvariants(schema.items, item, keyPath(path, index));
    }
  } else if (isJsonObject(value)) yield* inObject(schema, value, path);
}

function* inObject(schema: Schema, object: JsonObject, path: string): FieldErrors {
  for (const [key, item] of Object.entries(object)) {
    const field = schema.structure?.fields.get(key);
    if (field !== undefined) yield* listInvariants(field.schema, item, childPath(path, key));
    else if (schema.type === 'map' && schema.items !== undefined)
      yield* listInvariants(schema.items, item, keyPath(path, key));
  }
}

function mayHaveLists({ type }: Schema): boolean {
  return type === 'object' || type === 'map' || type === 'array';
}

function* repeatedKeys({ listMapKeys = [] }: Schema, items: readonly JsonValue[], path: string): FieldErrors {
  const odd = items.findIndex((item) => item !== null && !isJsonObject(item));
  if (odd !== -1) {
    yield invalidField(keyPath(path, odd), items[odd], 'must be an object for an array of list-type map');
    return;
  }
  const keys = items.map((item) => keysOf(item, listMapKeys));
  yield* repeated(keys, path, (index) => keysIdentity(keys[index] ?? {}));
}

/** The keys with the types of numbers. */
function keysIdentity(keys: JsonObject): string {
  return Object.keys(keys)
    .map((name) => identity(keys, name))
    .join();
}

/** Equal numbers of different types are different; zeros of either sign are equal. */
function identity(container: JsonObject | readonly JsonValue[], key: string | number): string {
  const value = (container as { readonly [key: string | number]: JsonValue })[key]; // both have keys
  const text = value === 0 ? '0' : encodeAny(value);
  return isNotedFloat(container, key) ? `${text}.0` : text;
}

/** The item's key fields, in the order in which errors show them. */
function keysOf(item: JsonValue, names: readonly string[]): JsonObject {
  const keys: JsonObject = {};
  for (const name of names.toSorted(compareBytewise)) {
    const key = isJsonObject(item) ? getOwn(item, name) : undefined;
    if (key !== undefined) keys[name] = key;
  }
  if (isJsonObject(item)) keepNotes(item, keys);
  return keys;
}

/** Reports each duplicate value once, at its second occurrence. */
function* repeated(items: readonly JsonValue[], path: string, textOf: (index: number) => string): FieldErrors {
  const counts = new Map<string, number>();
  for (const [index, item] of items.entries()) {
    const text = textOf(index);
    const count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    if (count === 2) yield duplicateField(keyPath(path, index), item);
  }
}
