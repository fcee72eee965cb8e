import type { JsonObject } from './json.ts';

// V8 lists and sorts all keys of an object before a loop over them begins: a tenth of a second for 200,000. Of such objects something is remembered.

/** To begin a loop over as many keys takes a part of a millisecond. */
export const hugeKeys = 2_000;

/** One key of each huge object that somebody has walked. */
const knownKeys = new WeakMap<object, string>();
const keysInOrder = new WeakMap<object, readonly string[]>();
/** Nearly always there are none. */
let someAreHuge = false;

/** Notes that `object`, which has many keys, has this one. */
export function noteHuge(object: JsonObject, key: string): void {
  someAreHuge = true;
  knownKeys.set(object, key);
}

/** Whether a value is an object that has been noted. */
export function isHuge(value: unknown): value is JsonObject {
  return someAreHuge && typeof value === 'object' && value !== null && knownKeys.has(value);
}

export function isEmptyObject(object: JsonObject): boolean {
  const known = someAreHuge ? knownKeys.get(object) : undefined;
  if (known !== undefined && Object.hasOwn(object, known)) return false;
  for (const _ in object) return false;
  return true;
}

/** Remembers the keys of a huge object in the order of their bytes, until it is forgotten; meanwhile the object must not change. */
export function rememberOrder(object: JsonObject, keys: readonly string[]): void {
  keysInOrder.set(object, keys);
}

export function forgetOrder(object: JsonObject): void {
  keysInOrder.delete(object);
}

export function rememberedOrder(object: object): readonly string[] | undefined {
  return someAreHuge ? keysInOrder.get(object) : undefined;
}
