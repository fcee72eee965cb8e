import { isHuge } from '../api/huge-objects.ts';
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../api/json.ts';

/**
 * Whether two values are certainly written differently, which is found without writing them. False proves nothing:
 * values that differ in memory may be written alike, such as an empty list and an absent one.
 */
export function areWrittenDifferently(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  const waiting: Pair[] = [{ a, b }];
  // No recursion: values may be deep.
  for (let pair = waiting.pop(); pair !== undefined; pair = waiting.pop()) if (isDifferent(pair, waiting)) return true;
  return false;
}

interface Pair {
  readonly a: JsonValue | undefined;
  readonly b: JsonValue | undefined;
}

/** Adds what is inside of both, if that decides. */
function isDifferent({ a, b }: Pair, waiting: Pair[]): boolean {
  // Zero values may be written where there is none.
  if (a === b || !a || !b) return false;
  if (Array.isArray(a) && Array.isArray(b)) return areListsDifferent(a, b, waiting);
  // Listing the keys of huge objects takes long.
  if (isHuge(a) || isHuge(b)) return false;
  if (isJsonObject(a) && isJsonObject(b)) return addMembers(a, b, waiting);
  // Unpaired surrogates are replaced.
  if (typeof a === 'string' && typeof b === 'string') return a.isWellFormed() && b.isWellFormed();
  return typeof a === 'number' && typeof b === 'number';
}

function addMembers(a: Readonly<JsonObject>, b: Readonly<JsonObject>, waiting: Pair[]): false {
  for (const key in a) if (a[key] !== b[key]) waiting.push({ a: a[key], b: getOwn(b, key) });
  return false;
}

function areListsDifferent(a: readonly JsonValue[], b: readonly JsonValue[], waiting: Pair[]): boolean {
  if (a.length !== b.length) return a.length > 0 && b.length > 0;
  for (const [index, item] of a.entries()) waiting.push({ a: item, b: b[index] });
  return false;
}
