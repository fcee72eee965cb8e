import { isJsonObject, type JsonValue } from '../api/json.ts';
import { compareBytewise, sortedKeys } from '../api/json-text.ts';

/** Numbers come first, then strings, booleans, lists, maps and null; lists and maps by their first difference. */
export function compareValues(a: JsonValue, b: JsonValue): number {
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
}

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

/** Same data; the order of keys does not matter. */
export function equalValues(a: JsonValue, b: JsonValue): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) {
    // A BigInt and a number may be the same amount.
    return typeof a !== typeof b && rankOf(a) === 0 && rankOf(b) === 0 && Number(a) === Number(b);
  }
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, i) => equalValues(item, b[i] ?? null));
  }
  if (Array.isArray(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && equalValues(a[key] ?? null, b[key] ?? null));
}
