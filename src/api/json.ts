import { keepNotes } from './written-notes.ts';

/** JSON-shaped data: the in-memory form of every object. Integers outside the safe range are BigInt. */
export type JsonValue = null | boolean | number | bigint | string | JsonValue[] | JsonObject;

/**
 * A JSON object. Only own keys count: `__proto__` in a body is data, so user-supplied keys are read with `getOwn` and
 * set with `setOwn`.
 */
export interface JsonObject {
  [key: string]: JsonValue;
}

/** True for a JSON object, false for arrays, null and scalars. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The own property `key` of `object`; undefined when absent. */
export function getOwn<T>(object: { readonly [key: string]: T } | undefined, key: string): T | undefined {
  return object !== undefined && Object.hasOwn(object, key) ? object[key] : undefined;
}

/** The members of an object, one by one: of very many, `Object.values` takes four times as long as their keys. */
export function* membersOf(object: JsonObject, keys: readonly string[] = Object.keys(object)): Generator<JsonValue> {
  for (const key of keys) yield object[key] ?? null;
}

/** Sets an own property, also for the key `__proto__`. */
export function setOwn<T>(object: { [key: string]: T }, key: string, value: T): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    object[key] = value;
  }
}

/**
 * A deep copy, several times faster than `structuredClone`. Undefined fields, which JSON does not have, are dropped.
 */
export function copyJson<T extends JsonValue>(value: T): T {
  const deep: Uncopied[] = [];
  const copy = copyValue(value, 0, deep);
  for (let next = deep.pop(); next !== undefined; next = deep.pop()) copyMembers(next, 0, deep);
  return copy as T; // a copy of an array is an array, of an object an object
}

/** Levels that are copied by recursion, which is fast. */
const mostNested = 500;

/** A collection and its copy, which is still empty. */
interface Uncopied {
  readonly from: JsonObject | JsonValue[];
  readonly into: JsonObject | JsonValue[];
}

function copyValue(value: JsonValue, level: number, deep: Uncopied[]): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  const into: JsonObject | JsonValue[] = keepNotes(value, Array.isArray(value) ? [] : {});
  if (level === mostNested) deep.push({ from: value, into });
  else copyMembers({ from: value, into }, level + 1, deep);
  return into;
}

function copyMembers({ from, into }: Uncopied, level: number, deep: Uncopied[]): void {
  if (Array.isArray(from)) {
    if (Array.isArray(into)) for (const item of from) into.push(copyValue(item, level, deep));
    return;
  }
  for (const key of Object.keys(from)) {
    const field = from[key];
    if (field !== undefined) setOwn(into as JsonObject, key, copyValue(field, level, deep));
  }
}

/** As above, for JSON-shaped data with a type of its own. */
export function cloneData<T>(value: T): T {
  return copyJson(value as JsonValue) as T;
}
