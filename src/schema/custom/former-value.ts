import { bottomUp } from '../../api/collections/bottom-up.ts';
import { getOwn, isJsonObject, type JsonValue } from '../../api/json/json.ts';
import { hasNotedFloats } from '../../api/json/written-notes.ts';
import type { Schema } from '../schema.ts';

// The old value in an update, as far as its parts can be correlated: fields by name, list items by their map keys.

/** An old value and its schema. */
export interface Former {
  readonly schema: Schema;
  readonly value: JsonValue;
}

/** The old value of a known field. */
export function formerField(former: Former | undefined, name: string): Former | undefined {
  if (former === undefined || !isJsonObject(former.value)) return undefined;
  const schema = fieldSchema(former.schema, name);
  const value = getOwn(former.value, name);
  return schema === undefined || value === undefined ? undefined : { schema, value };
}

function fieldSchema({ constraints }: Schema, name: string): Schema | undefined {
  const { others } = constraints ?? {};
  return constraints?.properties.get(name) ?? (others === 'forbidden' ? undefined : others);
}

/** The old item with the same map keys; undefined in lists without them. */
export function formerItem(former: Former | undefined, item: JsonValue): Former | undefined {
  const schema = former?.schema.constraints?.items;
  if (former === undefined || schema === undefined || !isKeyed(former.schema) || !Array.isArray(former.value)) {
    return undefined;
  }
  const value = sameItem(former.value, item, former.schema.listMapKeys ?? []);
  return value === undefined ? undefined : { schema, value };
}

function isKeyed({ listType }: Schema): boolean {
  return listType === 'map';
}

interface KeyedItems {
  readonly keys: readonly string[];
  readonly items: ReadonlyMap<string, JsonValue>;
}

const keyedLists = new WeakMap<readonly JsonValue[], KeyedItems>();

/** The first item of a list with the same map keys. */
export function sameItem(list: readonly JsonValue[], item: JsonValue, keys: readonly string[]): JsonValue | undefined {
  const key = keyOf(item, keys);
  if (key === undefined) return undefined;
  let keyed = keyedLists.get(list);
  if (keyed === undefined || keyed.keys.join() !== keys.join()) {
    keyed = { keys, items: itemsByKey(list, keys) };
    keyedLists.set(list, keyed);
  }
  return keyed.items.get(key);
}

function itemsByKey(list: readonly JsonValue[], keys: readonly string[]): ReadonlyMap<string, JsonValue> {
  const items = new Map<string, JsonValue>();
  for (const item of list) {
    const key = keyOf(item, keys);
    if (key !== undefined && !items.has(key)) items.set(key, item);
  }
  return items;
}

/** Undefined for items that lack a key or have a non-scalar one. */
function keyOf(item: JsonValue, keys: readonly string[]): string | undefined {
  if (!isJsonObject(item) || keys.length === 0) return undefined;
  let text = '';
  for (const key of keys) {
    const value = getOwn(item, key);
    if (value === undefined || typeof value === 'object') return undefined;
    text += typeof value === 'string' ? JSON.stringify(value) : `${String(value)} `;
  }
  return text;
}

/** Whether a value is unchanged. Items with keys may have moved; values unknown to the schema count as changed. */
export function isUnchanged(schema: Schema, value: JsonValue, old: JsonValue): boolean {
  if (value === null || old === null) return value === old;
  const former = { schema, value: old };
  // The old value has been stored, where floats are not distinguished.
  if (typeof value === 'object' && hasNotedFloats(value)) return false;
  if (Array.isArray(value)) {
    if (!Array.isArray(old) || value.length !== old.length) return false;
    if (!isKeyed(schema) || schema.constraints?.items === undefined) return sameJson(value, old);
    return value.every((item) => isSamePart(formerItem(former, item), item));
  }
  if (!isJsonObject(value)) return value === old;
  if (!isJsonObject(old) || Object.keys(value).length !== Object.keys(old).length) return false;
  return Object.entries(value).every(([name, item]) => isSamePart(formerField(former, name), item));
}

function isSamePart(former: Former | undefined, value: JsonValue): boolean {
  return former !== undefined && isUnchanged(former.schema, value, former.value);
}

/** Deep equality; list order matters. */
export const sameJson = bottomUp((a: JsonValue, b: JsonValue): boolean => {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => sameJson(item, b[index] ?? null));
  }
  if (!isJsonObject(a) || !isJsonObject(b)) return a === b;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && sameJson(a[name] ?? null, b[name] ?? null))
  );
}, true);
