import { copyJson, type JsonObject, type JsonValue, setOwn } from '../api/json.ts';
import { metaFields } from './prune.ts';
import type { Schema } from './schema.ts';

/*
 * Defaults of custom resources stand in their schema, and a null counts as no value unless the schema allows it:
 *
 * | value | default | nullable | becomes |
 * |---|---|---|---|
 * | absent, null | yes | no | the default |
 * | null | no | no | absent |
 * | null | | yes | null |
 * | absent | no | | absent |
 *
 * The reference prunes unknown fields after the first row and before the second.
 */

/** Fills in defaults. Shares with `object` what stays as it is. */
export function withSchemaDefaults(schema: Schema, object: JsonObject): JsonObject {
  return defaultedObject({ ...schema, embeddedResource: true }, object);
}

/** Takes out nulls that are not allowed and have no default. Shares with `object` what stays as it is. */
export function withoutDisallowedNulls(schema: Schema, object: JsonObject): JsonObject {
  return clearedObject({ ...schema, embeddedResource: true }, object);
}

function isDisallowedNull(schema: Schema | undefined, value: JsonValue | undefined): boolean {
  return value === null && schema !== undefined && schema.nullable !== true;
}

/** Defaults are JSON. */
function defaultOf(schema: Schema | undefined): JsonValue | undefined {
  return schema?.default as JsonValue | undefined;
}

function fieldSchema(schema: Schema, key: string): Schema | undefined {
  if (schema.embeddedResource === true && metaFields.has(key)) return undefined;
  return schema.structure?.fields.get(key)?.schema ?? (schema.type === 'map' ? schema.items : undefined);
}

function defaulted(schema: Schema | undefined, value: JsonValue): JsonValue {
  if (schema === undefined || typeof value !== 'object' || value === null) return value;
  return Array.isArray(value)
    ? eachItem(value, (item) => defaultedItem(schema.items, item))
    : defaultedObject(schema, value);
}

/** Of a list or a map: it is there, so only a null can have a default. */
function defaultedItem(schema: Schema | undefined, value: JsonValue): JsonValue {
  return defaulted(schema, isDisallowedNull(schema, value) ? copyJson(defaultOf(schema) ?? null) : value);
}

function defaultedObject(schema: Schema, value: JsonObject): JsonObject {
  let filled = value;
  for (const [name, field] of schema.structure?.fields ?? []) {
    const fallback = fieldSchema(schema, name) === undefined ? undefined : defaultOf(field.schema);
    if (fallback === undefined) continue;
    const present = Object.hasOwn(value, name) ? value[name] : undefined;
    if (present !== undefined && !isDisallowedNull(field.schema, present)) continue;
    if (filled === value) filled = { ...value };
    setOwn(filled, name, copyJson(fallback));
  }
  return eachField(filled, (key, item) => {
    const below = fieldSchema(schema, key);
    return schema.type === 'map' ? defaultedItem(below, item) : defaulted(below, item);
  });
}

function cleared(schema: Schema | undefined, value: JsonValue): JsonValue {
  if (schema === undefined || typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? eachItem(value, (item) => cleared(schema.items, item)) : clearedObject(schema, value);
}

function clearedObject(schema: Schema, value: JsonObject): JsonObject {
  return eachField(value, (key, item) => {
    const below = fieldSchema(schema, key);
    return isDisallowedNull(below, item) && defaultOf(below) === undefined ? undefined : cleared(below, item);
  });
}

function eachItem(value: JsonValue[], change: (item: JsonValue) => JsonValue): JsonValue[] {
  let changed = value;
  for (const [index, before] of value.entries()) {
    const after = change(before);
    if (after === before) continue;
    if (changed === value) changed = value.slice();
    changed[index] = after;
  }
  return changed;
}

/** What becomes undefined goes. */
function eachField(value: JsonObject, change: (key: string, item: JsonValue) => JsonValue | undefined): JsonObject {
  const changed: JsonObject = {};
  let isSame = true;
  for (const [key, before] of Object.entries(value)) {
    const after = change(key, before);
    if (after !== undefined) setOwn(changed, key, after);
    if (after !== before) isSame = false;
  }
  return isSame ? value : changed;
}
