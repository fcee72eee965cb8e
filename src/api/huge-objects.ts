import type { JsonObject } from './json.ts';

// V8 enumerates and sorts all keys of an object before a for-in loop begins: 20 to 100 ms for 200,000 keys. Such
// objects are marked, and their keys listed as rarely as possible, between pauses.

/** Enumerating this many keys takes well under a millisecond. */
export const hugeKeys = 2_000;

/** One key of each huge object that has been walked. */
const knownKeys = new WeakMap<object, string>();
/** Nearly always empty. */
let someAreHuge = false;

/** Marks `object` as huge; `key` is one of its keys. */
export function noteHuge(object: JsonObject, key: string): void {
  someAreHuge = true;
  knownKeys.set(object, key);
}

/** Whether a value is an object marked as huge. */
export function isHuge(value: unknown): value is JsonObject {
  return someAreHuge && typeof value === 'object' && value !== null && knownKeys.has(value);
}

export function isEmptyObject(object: JsonObject): boolean {
  const known = someAreHuge ? knownKeys.get(object) : undefined;
  if (known !== undefined && Object.hasOwn(object, known)) return false;
  for (const _ in object) return false;
  return true;
}
