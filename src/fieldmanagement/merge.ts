import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../api/json.ts';
import { isEmptyMap } from './compare.ts';
import { itemElement, ListItemError } from './list-items.ts';
import { mergeOrder } from './merge-order.ts';
import {
  commonShapes,
  type ListType,
  type MapType,
  type MergeType,
  type Shape,
  typeAt,
  type TypedValue,
} from './merge-type.ts';
import { fieldElement, formatPathElement, type PathElement } from './path-element.ts';
import { addErrors, below, scalarErrors, TypedValueError, type ValueError, valueError } from './value-errors.ts';

/** `left` with what `right` says: the right value wins, items of the right list keep their order. */
export function mergeTyped(left: TypedValue, right: TypedValue): TypedValue {
  const errors: ValueError[] = [];
  const value = mergeAt(left.type, { left: left.value, right: right.value }, errors);
  if (errors.length > 0) throw new TypedValueError(errors);
  return { type: left.type, value };
}

interface Pair {
  readonly left: JsonValue | undefined;
  readonly right: JsonValue | undefined;
}

/** Undefined: nothing remains. */
function mergeAt(type: MergeType, pair: Pair, errors: ValueError[]): JsonValue | undefined {
  if (pair.left === undefined && pair.right === undefined) {
    addErrors(errors, valueError('at least one of lhs and rhs must be provided'));
    return undefined;
  }
  let value: JsonValue | undefined;
  // Where the shapes differ, the right one is read last and counts.
  for (const shape of commonShapes(type, pair.left, pair.right)) value = mergeAs(shape, type, pair, errors);
  return value;
}

function mergeAs(shape: Shape, type: MergeType, pair: Pair, errors: ValueError[]): JsonValue | undefined {
  if (shape === 'map' && type.map !== undefined) return mergeMaps(type.map, pair, errors);
  if (shape === 'list' && type.list !== undefined) return mergeLists(type.list, pair, errors);
  if (type.scalar === undefined) {
    addErrors(errors, valueError('schema error: invalid atom: inlined'));
    return undefined;
  }
  const [left, right] = [scalarErrors(type.scalar, pair.left, 'lhs: '), scalarErrors(type.scalar, pair.right, 'rhs: ')];
  if (left.length > 0 && right.length > 0) {
    addErrors(errors, left);
    addErrors(errors, right);
    return undefined;
  }
  return rightOf(pair);
}

function rightOf({ left, right }: Pair): JsonValue | undefined {
  return right === undefined ? left : right;
}

function mergeMaps(map: MapType, pair: Pair, errors: ValueError[]): JsonValue | undefined {
  const left = isJsonObject(pair.left) ? pair.left : undefined;
  const right = isJsonObject(pair.right) ? pair.right : undefined;
  if (map.atomic || (isEmptyMap(left) && isEmptyMap(right))) return rightOf(pair);
  const merged: JsonObject = {};
  for (const key of new Set([...Object.keys(left ?? {}), ...Object.keys(right ?? {})])) {
    const item = { left: ownOf(left, key), right: ownOf(right, key) };
    if (item.left === undefined && item.right === undefined) continue;
    const type = typeAt(map, key);
    const inner: ValueError[] = [];
    const value = type === undefined ? undefined : mergeAt(type, item, inner);
    if (type === undefined) addErrors(inner, valueError('schema error: invalid atom: inlined'));
    addErrors(errors, below(fieldElement(key), inner));
    if (value !== undefined) setOwn(merged, key, value);
  }
  return isEmptyMap(merged) ? undefined : merged;
}

function ownOf(object: Readonly<JsonObject> | undefined, key: string): JsonValue | undefined {
  return object !== undefined && Object.hasOwn(object, key) ? object[key] : undefined;
}

function mergeLists(list: ListType, pair: Pair, errors: ValueError[]): JsonValue | undefined {
  const left = Array.isArray(pair.left) ? pair.left : [];
  const right = Array.isArray(pair.right) ? pair.right : [];
  if (!list.associative || (left.length === 0 && right.length === 0)) return rightOf(pair);
  const indexErrors: ValueError[] = [];
  const rightItems = indexItems(list, right, { allowDuplicates: false, errors: indexErrors });
  const leftItems = indexItems(list, left, { allowDuplicates: true, errors: indexErrors });
  if (indexErrors.length > 0) {
    addErrors(errors, indexErrors);
    return undefined;
  }
  const merged: JsonValue[] = [];
  for (const { element, leftIndex } of mergeOrder(leftItems.elements, rightItems.elements)) {
    const pairOfItems =
      leftIndex === undefined
        ? { left: leftItems.values.get(element), right: rightItems.values.get(element) }
        : { left: left[leftIndex], right: undefined };
    // What is wrong within items shows when the result is read.
    const value = mergeAt(list.element, pairOfItems, []);
    if (value !== undefined) merged.push(value);
  }
  return merged.length > 0 ? merged : undefined;
}

interface IndexedItems {
  readonly elements: readonly PathElement[];
  readonly values: ReadonlyMap<PathElement, JsonValue>;
}

function indexItems(
  list: ListType,
  items: readonly JsonValue[],
  { allowDuplicates, errors }: { readonly allowDuplicates: boolean; readonly errors: ValueError[] },
): IndexedItems {
  const elements: PathElement[] = [];
  const values = new Map<PathElement, JsonValue>();
  for (const [index, item] of items.entries()) {
    try {
      const element = itemElement(list, item);
      const isRepeated = values.has(element);
      if (isRepeated && !allowDuplicates) {
        addErrors(errors, valueError(`duplicate entries for key ${formatPathElement(element)}`));
        continue;
      }
      // Repeated items are no base for a merge: the applied item takes the place of each.
      values.set(element, isRepeated ? null : item);
      elements.push(element);
    } catch (error) {
      if (!(error instanceof ListItemError)) throw error;
      addErrors(errors, valueError(`element ${index}: ${error.message}`));
    }
  }
  return { elements, values };
}
