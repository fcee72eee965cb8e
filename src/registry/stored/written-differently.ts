import { bottomUp } from '../../api/collections/bottom-up.ts';
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../../api/json/json.ts';

/**
 * Whether two values are certainly written differently, which is found without writing them. False proves nothing:
 * values that differ in memory may be written alike, such as an empty list and an absent one.
 */
export const areWrittenDifferently = bottomUp((a: JsonValue | undefined, b: JsonValue | undefined): boolean => {
  // Zero values may be written where there is none.
  if (a === b || !a || !b) return false;
  if (Array.isArray(a) && Array.isArray(b)) return areListsDifferent(a, b);
  if (isJsonObject(a) && isJsonObject(b)) return areObjectsDifferent(a, b);
  // Unpaired surrogates are replaced.
  if (typeof a === 'string' && typeof b === 'string') return a.isWellFormed() && b.isWellFormed();
  return typeof a === 'number' && typeof b === 'number';
}, false);

function areObjectsDifferent(a: Readonly<JsonObject>, b: Readonly<JsonObject>): boolean {
  for (const key in a) if (areWrittenDifferently(a[key], getOwn(b, key))) return true;
  return false;
}

function areListsDifferent(a: readonly JsonValue[], b: readonly JsonValue[]): boolean {
  if (a.length !== b.length) return a.length > 0 && b.length > 0;
  return a.some((item, index) => areWrittenDifferently(item, b[index]));
}
