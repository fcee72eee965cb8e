import { hugeKeys, noteHuge } from '../api/huge-objects.ts';
import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../api/json.ts';
import type { Work } from '../api/turns.ts';
import { Visits } from '../api/visits.ts';
import { isNotedFloat, noteFloat } from '../api/written-notes.ts';
import { itemElement, ListItemError } from './list-items.ts';
import { type MergedItem, mergeOrder } from './merge-order.ts';
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
import {
  addErrors,
  below,
  laterErrors,
  scalarErrors,
  throwErrors,
  type ValueError,
  valueError,
} from './value-errors.ts';

/** Merges `right` into `left`: right values win, and items of the right list keep their order. */
export function* mergeTyped(left: TypedValue, right: TypedValue): Work<TypedValue> {
  const visits = new Visits();
  const errors: ValueError[] = [];
  const value = mergeAt(left.type, { left: left.value, right: right.value }, { errors, visits });
  yield* visits.rest();
  throwErrors(errors);
  return { type: left.type, value };
}

interface Merging {
  readonly errors: ValueError[];
  readonly visits: Visits;
}

interface Pair {
  readonly left: JsonValue | undefined;
  readonly right: JsonValue | undefined;
}

/** Undefined when nothing remains. */
function mergeAt(type: MergeType, pair: Pair, merging: Merging): JsonValue | undefined {
  if (pair.left === undefined && pair.right === undefined) {
    addErrors(merging.errors, valueError('at least one of lhs and rhs must be provided'));
    return undefined;
  }
  let value: JsonValue | undefined;
  // If the shapes differ, the right one comes last and wins.
  for (const shape of commonShapes(type, pair.left, pair.right)) value = mergeAs(shape, type, pair, merging);
  return value;
}

function mergeAs(shape: Shape, type: MergeType, pair: Pair, merging: Merging): JsonValue | undefined {
  if (shape === 'map' && type.map !== undefined) return mergeMaps(type.map, pair, merging);
  if (shape === 'list' && type.list !== undefined) return mergeLists(type.list, pair, merging);
  const { errors } = merging;
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

function mergeMaps(map: MapType, pair: Pair, { errors, visits }: Merging): JsonValue | undefined {
  if (map.atomic) return rightOf(pair);
  const left = isJsonObject(pair.left) ? pair.left : undefined;
  const right = isJsonObject(pair.right) ? pair.right : undefined;
  const leftKeys = left === undefined ? [] : Object.keys(left);
  const rightKeys = right === undefined ? [] : Object.keys(right);
  if (leftKeys.length === 0 && rightKeys.length === 0) return rightOf(pair);
  const merged: JsonObject = {};
  if (rightKeys.length >= hugeKeys) noteHuge(merged, rightKeys[0] as string); // not empty
  const found: ValueError[] = [];
  let isEmpty = true;
  const merge = (key: string): void => {
    const value = mergeField(map, key, { left: ownOf(left, key), right: ownOf(right, key) }, { errors: found, visits });
    if (value === undefined) return;
    setOwn(merged, key, value);
    if (isNotedFloat(right !== undefined && Object.hasOwn(right, key) ? right : (left ?? merged), key)) {
      noteFloat(merged, key);
    }
    isEmpty = false;
  };
  const mergeRight = (key: string): void => {
    if (left === undefined || !Object.hasOwn(left, key)) merge(key);
  };
  let isDone = false;
  visits.all(leftKeys, merge, (leftLate) => {
    visits.all(rightKeys, mergeRight, (rightLate) => {
      isDone = !leftLate && !rightLate;
    });
  });
  addErrors(errors, isDone ? found : laterErrors(found));
  // A map can only become empty through errors.
  return isDone && isEmpty ? undefined : merged;
}

function mergeField(map: MapType, key: string, pair: Pair, { errors, visits }: Merging): JsonValue | undefined {
  if (pair.left === undefined && pair.right === undefined) return undefined;
  const type = typeAt(map, key);
  const inner: ValueError[] = [];
  const value = type === undefined ? undefined : mergeAt(type, pair, { errors: inner, visits });
  if (type === undefined) addErrors(inner, valueError('schema error: invalid atom: inlined'));
  if (inner.length > 0) addErrors(errors, below(fieldElement(key), inner));
  return value;
}

function ownOf(object: Readonly<JsonObject> | undefined, key: string): JsonValue | undefined {
  return object !== undefined && Object.hasOwn(object, key) ? object[key] : undefined;
}

function mergeLists(list: ListType, pair: Pair, { errors, visits }: Merging): JsonValue | undefined {
  const left = Array.isArray(pair.left) ? pair.left : [];
  const right = Array.isArray(pair.right) ? pair.right : [];
  if (!list.associative || (left.length === 0 && right.length === 0)) return rightOf(pair);
  const found: ValueError[] = [];
  const leftItems: IndexedItems = { elements: [], values: new Map() };
  const rightItems: IndexedItems = { elements: [], values: new Map() };
  const merged: JsonValue[] = [];
  const merge = ({ element, leftIndex }: MergedItem): void => {
    const pairOfItems =
      leftIndex === undefined
        ? { left: leftItems.values.get(element), right: rightItems.values.get(element) }
        : { left: left[leftIndex], right: undefined };
    // Errors within items are found when the result is validated.
    const value = mergeAt(list.element, pairOfItems, { errors: [], visits });
    if (value !== undefined) merged.push(value);
  };
  let isDone = false;
  visits.all(right, indexItem(list, rightItems, { allowDuplicates: false, errors: found }), (rightLate) => {
    visits.all(left, indexItem(list, leftItems, { allowDuplicates: true, errors: found }), (leftLate) => {
      const order = found.length > 0 ? [] : mergeOrder(leftItems.elements, rightItems.elements);
      visits.all(order, merge, (late) => {
        isDone = !rightLate && !leftLate && !late;
      });
    });
  });
  addErrors(errors, isDone ? found : laterErrors(found));
  return isDone && merged.length === 0 ? undefined : merged;
}

interface IndexedItems {
  readonly elements: PathElement[];
  readonly values: Map<PathElement, JsonValue>;
}

function indexItem(
  list: ListType,
  { elements, values }: IndexedItems,
  { allowDuplicates, errors }: { readonly allowDuplicates: boolean; readonly errors: ValueError[] },
): (item: JsonValue, index: number) => void {
  return (item, index) => {
    try {
      const element = itemElement(list, item);
      const isRepeated = values.has(element);
      if (isRepeated && !allowDuplicates) {
        addErrors(errors, valueError(`duplicate entries for key ${formatPathElement(element)}`));
        return;
      }
      // Duplicates are no base for a merge: the applied item replaces them.
      values.set(element, isRepeated ? null : item);
      elements.push(element);
    } catch (error) {
      if (!(error instanceof ListItemError)) throw error;
      addErrors(errors, valueError(`element ${index}: ${error.message}`));
    }
  };
}
