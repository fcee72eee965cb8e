import { codePointCount } from '../source.ts';
import { isList, isMap, itemsOf, keysOf, findIn, listSize, mapSize } from './collections.ts';
import { isBytes, LibraryValue, type Value } from './value.ts';

/** The result of `size()`; undefined for values without one. */
export function sizeOf(value: Value): number | undefined {
  if (typeof value === 'string') return textSize(value);
  if (isList(value)) return listSize(value);
  if (isMap(value)) return mapSize(value);
  if (isBytes(value)) return value.length;
  return value instanceof LibraryValue ? value.size : undefined;
}

/** Cost of traversing a whole value. */
export function traversalCost(value: Value): number {
  if (typeof value === 'string') return Math.trunc(Buffer.byteLength(value) * 0.1);
  if (isBytes(value)) return Math.trunc(value.length * 0.1);
  let cost = 0;
  if (isList(value)) {
    for (const item of itemsOf(value)) cost += traversalCost(item);
    return cost;
  }
  if (!isMap(value)) return 1;
  let unknown = mapSize(value);
  for (const key of keysOf(value)) {
    cost += traversalCost(key) + traversalCost(findIn(value, key) ?? null);
    unknown -= 1;
  }
  // Entries that the schema does not know have a key and a value all the same.
  return cost + 2 * unknown;
}

/** Loops compute the size of the same string again and again. */
const known = { text: '', size: 0 };
const shortText = 256;

function textSize(text: string): number {
  if (text.length < shortText) return codePointCount(text);
  if (text !== known.text) Object.assign(known, { text, size: codePointCount(text) });
  return known.size;
}
