/*
 * Of the numbers in free-form JSON, Go decodes `1.0` and `1e3` as floating-point numbers, `1` as an integer. Plain data
 * have one number for both, so the decoder notes which members are floats although their value is whole. It matters
 * until the object is stored: Go writes both alike.
 */
const noted = new WeakMap<object, Set<string | number>>();
/** Rarely true: then nothing has to be looked up. */
let someAreNoted = false;

/** Notes that a member of an object, or an item of a list, is a float. */
export function noteFloat(container: object, key: string | number): void {
  someAreNoted = true;
  const keys = noted.get(container);
  if (keys === undefined) noted.set(container, new Set([key]));
  else keys.add(key);
}

/** Whether a member with a whole value is a float. */
export function isNotedFloat(container: object, key: string | number): boolean {
  return someAreNoted && noted.get(container)?.has(key) === true;
}

export function hasNotedFloats(container: object): boolean {
  return someAreNoted && noted.has(container);
}

/** The copy of a container with the same keys, with its notes and no others. */
export function keepNotedFloats<T extends object>(from: object, copy: T): T {
  if (!someAreNoted) return copy;
  const keys = noted.get(from);
  if (keys === undefined) noted.delete(copy);
  else noted.set(copy, new Set(keys));
  return copy;
}
