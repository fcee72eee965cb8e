import { isJsonObject } from '../../api/json/json.ts';

/** Deep equality of decoded JSON. Iterative, as objects may nest deeply. */
export function jsonEquals(first: unknown, second: unknown): boolean {
  const open: [unknown, unknown][] = [[first, second]];
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const [a, b] = pair;
    if (a === b) continue;
    if (Array.isArray(a) && Array.isArray(b)) {
      if (a.length !== b.length) return false;
      for (const [index, item] of a.entries()) open.push([item, b[index]]);
    } else if (isJsonObject(a) && isJsonObject(b)) {
      const keys = Object.keys(a);
      if (keys.length !== Object.keys(b).length) return false;
      for (const key of keys) {
        if (!Object.hasOwn(b, key)) return false;
        open.push([a[key], b[key]]);
      }
    } else {
      return false;
    }
  }
  return true;
}
