import { bottomUp } from '../api/collections/bottom-up.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../api/json/json.ts';
import { compareBytewise, sortedKeys } from '../api/json/json-text.ts';

/** Orders numbers first, then strings, booleans, lists, maps and null; lists and maps by their first difference. */
export const compareValues = bottomUp((a: JsonValue, b: JsonValue): number => {
  const rank = rankOf(a) - rankOf(b);
  if (rank !== 0) return rank;
  if (Array.isArray(a) && Array.isArray(b)) {
    for (let i = 0; i < Math.min(a.length, b.length); i++) {
      const order = compareValues(a[i] ?? null, b[i] ?? null);
      if (order !== 0) return order;
    }
    return a.length - b.length;
  }
  if (isJsonObject(a) && isJsonObject(b)) return compareMaps(a, b);
  if (typeof a === 'string' && typeof b === 'string') return compareBytewise(a, b);
  if (a === b || a === null || b === null) return 0;
  return a < b ? -1 : a > b ? 1 : 0;
}, 0);

function compareMaps(a: { readonly [key: string]: JsonValue }, b: { readonly [key: string]: JsonValue }): number {
  const [left, right] = [sortedKeys(a), sortedKeys(b)];
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const [key = '', other = ''] = [left[i], right[i]];
    const order = compareBytewise(key, other) || compareValues(a[key] ?? null, b[other] ?? null);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function rankOf(value: JsonValue): number {
  switch (typeof value) {
    case 'number':
    case 'bigint':
      return 0;
    case 'string':
      return 1;
    case 'boolean':
      return 2;
    default:
      return value === null ? 5 : Array.isArray(value) ? 3 : 4;
  }
}

/** Deep equality, ignoring key order. */
export function equalValues(a: JsonValue, b: JsonValue): boolean {
  if (a === b) return true;
  if (typeof a === 'object' && typeof b === 'object' && a !== null && b !== null) return equalContents(a, b);
  // A BigInt and a number may be equal in value.
  return typeof a !== typeof b && rankOf(a) === 0 && rankOf(b) === 0 && Number(a) === Number(b);
}

type Container = JsonObject | JsonValue[];

const equalContents = bottomUp((a: Container, b: Container): boolean => {
  if (Array.isArray(a)) return Array.isArray(b) && equalLists(a, b);
  return !Array.isArray(b) && equalObjects(a, b);
}, true);

function equalLists(a: readonly JsonValue[], b: readonly JsonValue[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!equalValues(a[i] ?? null, b[i] ?? null)) return false;
  return true;
}

function equalObjects(a: Readonly<JsonObject>, b: Readonly<JsonObject>): boolean {
  let count = 0;
  for (const key in a) {
    if (!Object.hasOwn(b, key) || !equalValues(a[key] ?? null, b[key] ?? null)) return false;
    count += 1;
  }
  for (const _ in b) count -= 1;
  return count === 0;
}
