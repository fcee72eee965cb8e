import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../../api/json/json.ts';
import { compareQuantities, parseQuantity } from '../../api/values/quantity.ts';
import type { Schema } from '../../schema/schema.ts';

/**
 * A value with the quantities of `old` wherever both mean the same, as `1Gi` and `1073741824` do; the value itself if
 * there are none. Both are decoded.
 */
export function withOldQuantities(schema: Schema, value: JsonValue, old: JsonValue | undefined): JsonValue {
  if (value === old || old === undefined || !hasQuantities(schema)) return value;
  if (schema.format === 'quantity') return areSameQuantities(value, old) ? old : value;
  if (Array.isArray(value)) return Array.isArray(old) ? listWithOld(schema, value, old) : value;
  return isJsonObject(value) && isJsonObject(old) ? objectWithOld(schema, value, old) : value;
}

function areSameQuantities(value: JsonValue, old: JsonValue): boolean {
  if (typeof value !== 'string' || typeof old !== 'string') return false;
  return compareQuantities(parseQuantity(value), parseQuantity(old)) === 0;
}

function listWithOld({ items }: Schema, values: readonly JsonValue[], old: readonly JsonValue[]): JsonValue {
  if (items === undefined) return [...values];
  const changed = values.map((value, index) => withOldQuantities(items, value, old[index]));
  return changed.every((value, index) => value === values[index]) ? (values as JsonValue[]) : changed;
}

function objectWithOld(schema: Schema, values: JsonObject, old: JsonObject): JsonValue {
  const changes: JsonObject = {};
  for (const key of schema.structure === undefined ? Object.keys(values) : fieldsWithQuantities(schema)) {
    const value = getOwn(values, key);
    const inner = schema.structure?.fields.get(key)?.schema ?? schema.items;
    if (value === undefined || inner === undefined) continue;
    const changed = withOldQuantities(inner, value, getOwn(old, key));
    if (changed !== value) changes[key] = changed;
  }
  return Object.keys(changes).length === 0 ? values : { ...values, ...changes };
}

/** By a schema's structure, or the schema itself where it has none: names of the fields that contain quantities. */
const known = new WeakMap<object, readonly string[]>();

function fieldsWithQuantities({ structure }: Schema): readonly string[] {
  if (structure === undefined) return [];
  const found = known.get(structure);
  if (found !== undefined) return found;
  // A recursive type finds itself without any.
  known.set(structure, []);
  const names = [...structure.fields].filter(([, field]) => hasQuantities(field.schema)).map(([name]) => name);
  known.set(structure, names);
  return names;
}

function hasQuantities(schema: Schema): boolean {
  if (schema.format === 'quantity') return true;
  if (schema.items !== undefined) return hasQuantities(schema.items);
  return fieldsWithQuantities(schema).length > 0;
}
