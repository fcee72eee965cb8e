import type { JsonObject } from './json.ts';

/** To begin a loop over as many keys takes a part of a millisecond: V8 lists them all first. */
export const hugeKeys = 2_000;

/** One key of each huge object that somebody has walked. */
const knownKeys = new WeakMap<JsonObject, string>();

/** Notes that `object`, which has many keys, has this one. */
export function noteHuge(object: JsonObject, key: string): void {
  knownKeys.set(object, key);
}

export function isEmptyObject(object: JsonObject): boolean {
  const known = knownKeys.get(object);
  if (known !== undefined && Object.hasOwn(object, known)) return false;
  for (const _ in object) return false;
  return true;
}
