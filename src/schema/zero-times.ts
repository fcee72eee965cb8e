import { isJsonObject, type JsonObject, type JsonValue } from '../api/json/json.ts';
import { canonicalZero } from './decode-scalars.ts';
import { isNullWhenZero } from './omission.ts';
import type { Schema, Structure } from './schema.ts';

/*
 * A pointer to the zero time is written as null, which decoding takes for an absent field. In what a client writes it
 * is absent; in what is stored it is the zero time, because absent fields are not written:
 *
 *   {"status":{"startTime":null}}   sent: no start time   stored: 0001-01-01T00:00:00Z
 */

/** The decoded value, or a copy with zero times where the stored one has null. */
type Restorer = (decoded: JsonValue, stored: JsonValue) => JsonValue;

const restorers = new WeakMap<Schema, Restorer | undefined>();

/** The decoded object with the zero times of its stored JSON. Shares the parts without any. */
export function withStoredZeroTimes(schema: Schema, decoded: JsonObject, stored: JsonValue): JsonObject {
  const restored = restorerOf(schema)?.(decoded, stored);
  return isJsonObject(restored) ? restored : decoded;
}

/** Undefined if there are no such fields below. */
function restorerOf(schema: Schema): Restorer | undefined {
  if (!restorers.has(schema)) {
    restorers.set(schema, hasZeroTimes(schema, new Set()) ? compile(schema) : undefined);
  }
  return restorers.get(schema);
}

function hasZeroTimes({ structure, items }: Schema, seen: Set<Structure>): boolean {
  if (items !== undefined) return hasZeroTimes(items, seen);
  if (structure === undefined || seen.has(structure)) return false;
  seen.add(structure);
  return [...structure.fields.values()].some((field) => isNullWhenZero(field) || hasZeroTimes(field.schema, seen));
}

function compile(schema: Schema): Restorer {
  const { type, items, structure } = schema;
  if (type === 'array' && items !== undefined) return restoreItems(items);
  if (type === 'map' && items !== undefined) return restoreValues(items);
  return structure === undefined ? (decoded) => decoded : restoreFields(structure);
}

function restoreItems(items: Schema): Restorer {
  return (decoded, stored) => {
    const restore = restorerOf(items);
    if (restore === undefined || !Array.isArray(decoded) || !Array.isArray(stored)) return decoded;
    let out = decoded;
    for (const [index, before] of decoded.entries()) {
      const after = restore(before, stored[index] ?? null);
      if (after === before) continue;
      if (out === decoded) out = decoded.slice();
      out[index] = after;
    }
    return out;
  };
}

function restoreValues(items: Schema): Restorer {
  return (decoded, stored) => {
    const restore = restorerOf(items);
    if (restore === undefined || !isJsonObject(decoded) || !isJsonObject(stored)) return decoded;
    const entries = Object.entries(decoded).map(([key, value]) => [key, restore(value, stored[key] ?? null)] as const);
    return entries.some(([key, value]) => value !== decoded[key]) ? Object.fromEntries(entries) : decoded;
  };
}

/** Decoding drops a struct that holds nothing else. */
const nothing: JsonObject = {};

function restoreFields({ fields }: Structure): Restorer {
  const times = [...fields.values()].filter(isNullWhenZero);
  const others = [...fields.values()].filter((field) => hasZeroTimes(field.schema, new Set()));
  return (decoded, stored) => {
    if (!isJsonObject(decoded) || !isJsonObject(stored)) return decoded;
    let out = decoded;
    const set = (name: string, value: JsonValue): void => {
      if (out === decoded) out = { ...decoded };
      out[name] = value;
    };
    for (const { name, schema } of times) if (stored[name] === null) set(name, canonicalZero(schema));
    for (const { name, schema } of others) {
      const before = decoded[name] ?? nothing;
      const after = restorerOf(schema)?.(before, stored[name] ?? null);
      if (after !== undefined && after !== before) set(name, after);
    }
    return out;
  };
}
