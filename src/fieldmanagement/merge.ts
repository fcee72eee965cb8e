import { bottomUp } from '../api/collections/bottom-up.ts';
import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../api/json/json.ts';
import { isNotedFloat, noteFloat } from '../api/json/written-notes.ts';
import { knownTypeAt } from './known-type.ts';
import { itemElement } from './list-items.ts';
import { mergeOrder } from './merge-order.ts';
import { type ListType, type MapType, type MergeType, shapeOf, type TypedValue } from './merge-type.ts';
import type { PathElement } from './path-element.ts';

/**
 * Merges `right` into `left`: right values win, and items of the right list keep their order. The result shares parts
 * with both.
 */
export function mergeTyped(left: TypedValue, right: TypedValue): TypedValue {
  return { type: left.type, value: merge(left.type, left.value, right.value) };
}

const merge = bottomUp<[MergeType, JsonValue | undefined, JsonValue | undefined], JsonValue | undefined>(
  (type, left, right) => {
    if (left === undefined) return right;
    if (right === undefined) return left;
    // If the shapes differ, the right one wins.
    const shape = shapeOf(type, right);
    if (shape === 'map' && type.map?.atomic === false) return mergeMaps(type.map, left, right);
    if (shape === 'list' && type.list?.associative === true) return mergeLists(type.list, left, right);
    return right;
  },
  undefined,
);

function mergeMaps(map: MapType, left: JsonValue, right: JsonValue): JsonValue {
  if (!isJsonObject(left) || Object.keys(left).length === 0) return right;
  if (!isJsonObject(right) || Object.keys(right).length === 0) return left;
  const merged: JsonObject = {};
  for (const key of Object.keys(left)) {
    const own = Object.hasOwn(right, key) ? right[key] : undefined;
    setMerged(merged, key, merge(knownTypeAt(map, key), left[key], own), own === undefined ? left : right);
  }
  for (const key of Object.keys(right)) {
    if (!Object.hasOwn(left, key)) setMerged(merged, key, right[key], right);
  }
  return merged;
}

function setMerged(merged: JsonObject, key: string, value: JsonValue | undefined, from: Readonly<JsonObject>): void {
  if (value === undefined) return;
  setOwn(merged, key, value);
  if (isNotedFloat(from, key)) noteFloat(merged, key);
}

function mergeLists(list: ListType, left: JsonValue, right: JsonValue): JsonValue {
  if (!Array.isArray(left) || left.length === 0) return right;
  if (!Array.isArray(right) || right.length === 0) return left;
  const elements = left.map((item) => itemElement(list, item));
  const before = new Map<PathElement, JsonValue>();
  // Duplicates are no base for a merge: the applied item replaces them.
  for (const [index, element] of elements.entries())
    before.set(element, before.has(element) ? null : (left[index] ?? null));
  const after = new Map(right.map((item) => [itemElement(list, item), item]));
  const order = mergeOrder(elements, [...after.keys()]);
  return order.map(({ element, leftIndex }) => {
    if (leftIndex !== undefined) return left[leftIndex] ?? null;
    return merge(list.element, before.get(element), after.get(element)) ?? null;
  });
}
