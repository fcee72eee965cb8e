import { isJsonObject, type JsonObject, type JsonValue } from '../api/json.ts';
import { emptySet, FieldSet, type FieldFilter } from './field-set.ts';
import { itemElement, ListItemError } from './list-items.ts';
import {
  commonShapes,
  type ListType,
  type MapType,
  type MergeType,
  type ScalarType,
  type Shape,
  typeAt,
  type TypedValue,
} from './merge-type.ts';
import { fieldElement, type PathElement } from './path-element.ts';
import {
  addErrors,
  below,
  noErrors,
  scalarErrors,
  TypedValueError,
  type ValueError,
  valueError,
} from './value-errors.ts';
import { equalValues } from './values.ts';

/** What is different between two values, by where it is. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

/** Compares two values of one type. Throws a TypedValueError when neither fits the type. */
export function compareTyped(left: TypedValue, right: TypedValue): Comparison {
  const differences = new Differences();
  const errors = compareAt(left.type, { left: left.value, right: right.value }, differences);
  if (errors.length > 0) throw new TypedValueError(errors);
  return differences.below;
}

export function filterComparison(comparison: Comparison, filter: FieldFilter | undefined): Comparison {
  if (filter === undefined) return comparison;
  const { added, modified, removed } = comparison;
  return { added: filter(added), modified: filter(modified), removed: filter(removed) };
}

interface Pair {
  readonly left: JsonValue | undefined;
  readonly right: JsonValue | undefined;
}

/** What has become of a value itself, beside what is in it. */
const sameSelf = 0;
const addedSelf = 1;
const modifiedSelf = 2;
const removedSelf = 4;

/** Differences at one place and below it. */
class Differences {
  /** Any of the changes; a value of several shapes may have more than one. */
  self = sameSelf;
  // Most places have differences of one kind alone, or none.
  #added: FieldSet | undefined;
  #modified: FieldSet | undefined;
  #removed: FieldSet | undefined;

  get below(): Comparison {
    return { added: this.#added ?? emptySet, modified: this.#modified ?? emptySet, removed: this.#removed ?? emptySet };
  }

  /** Takes over what has become of the value one step further in. */
  includeLeaf(element: PathElement, self: number): void {
    if ((self & addedSelf) !== 0) (this.#added ??= new FieldSet()).insertMember(element);
    if ((self & modifiedSelf) !== 0) (this.#modified ??= new FieldSet()).insertMember(element);
    if ((self & removedSelf) !== 0) (this.#removed ??= new FieldSet()).insertMember(element);
  }

  /** Takes over what was found one step further in. */
  include(element: PathElement, inner: Differences): void {
    this.includeLeaf(element, inner.self);
    if (inner.#added !== undefined) (this.#added ??= new FieldSet()).insertChildren(element, inner.#added);
    if (inner.#modified !== undefined) (this.#modified ??= new FieldSet()).insertChildren(element, inner.#modified);
    if (inner.#removed !== undefined) (this.#removed ??= new FieldSet()).insertChildren(element, inner.#removed);
  }
}

function compareAt(type: MergeType, pair: Pair, found: Differences): readonly ValueError[] {
  const { left, right } = pair;
  if (left === undefined && right === undefined) {
    return valueError('at least one of lhs and rhs must be provided');
  }
  const shapes = commonShapes(type, left, right);
  let isLeaf = false;
  let errors: readonly ValueError[] = noErrors;
  for (const shape of shapes) {
    const result = compareAs(shape, type, pair, found);
    isLeaf = result === 'leaf';
    if (result !== 'leaf' && result.length > 0) errors = [...errors, ...result];
  }
  if (!isLeaf) {
    if (left === undefined) found.self |= addedSelf;
    else if (right === undefined) found.self |= removedSelf;
  }
  return errors;
}

function compareAs(shape: Shape, type: MergeType, pair: Pair, found: Differences): 'leaf' | readonly ValueError[] {
  if (shape === 'map' && type.map !== undefined) return compareMaps(type.map, pair, found);
  if (shape === 'list' && type.list !== undefined) return compareLists(type.list, pair, found);
  if (type.scalar === undefined) return valueError('schema error: invalid atom: inlined');
  const [left, right] = [scalarErrors(type.scalar, pair.left, 'lhs: '), scalarErrors(type.scalar, pair.right, 'rhs: ')];
  if (left.length > 0 && right.length > 0) return [...left, ...right];
  return compareLeaf(pair, found);
}

function compareLeaf(pair: Pair, found: Differences): 'leaf' {
  found.self |= leafChange(pair);
  return 'leaf';
}

function leafChange({ left, right }: Pair): number {
  if (left === undefined) return addedSelf;
  if (right === undefined) return removedSelf;
  return equalValues(left, right) ? sameSelf : modifiedSelf;
}

function compareMaps(map: MapType, pair: Pair, found: Differences): 'leaf' | readonly ValueError[] {
  const left = isJsonObject(pair.left) ? pair.left : undefined;
  const right = isJsonObject(pair.right) ? pair.right : undefined;
  if (map.atomic || (isEmptyMap(left) && isEmptyMap(right))) return compareLeaf(pair, found);
  const errors: ValueError[] = [];
  if (left !== undefined) {
    for (const key of Object.keys(left)) {
      const other = right !== undefined && Object.hasOwn(right, key) ? right[key] : undefined;
      if (left[key] !== undefined) addErrors(errors, compareField(map, key, { left: left[key], right: other }, found));
    }
  }
  if (right !== undefined) {
    for (const key of Object.keys(right)) {
      if (left !== undefined && Object.hasOwn(left, key) && left[key] !== undefined) continue;
      if (right[key] !== undefined) {
        addErrors(errors, compareField(map, key, { left: undefined, right: right[key] }, found));
      }
    }
  }
  return errors;
}

function compareField(map: MapType, key: string, pair: Pair, found: Differences): readonly ValueError[] {
  const { left, right } = pair;
  // Most of what is written has not changed.
  if (left !== undefined && right !== undefined && equalValues(left, right)) return noErrors;
  const type = typeAt(map, key);
  const element = fieldElement(key);
  if (type === undefined) return below(element, valueError('schema error: invalid atom: inlined'));
  if (isScalar(type)) return compareScalars(type.scalar, element, pair, found);
  const inner = new Differences();
  const errors = compareAt(type, pair, inner);
  found.include(element, inner);
  return errors.length === 0 ? errors : below(element, errors);
}

function isScalar(type: MergeType): type is MergeType & { readonly scalar: ScalarType } {
  return type.scalar !== undefined && type.map === undefined && type.list === undefined;
}

/** The same as for other shapes with less ado: most of what differs are scalars. */
function compareScalars(type: ScalarType, element: PathElement, pair: Pair, found: Differences): readonly ValueError[] {
  const errors = scalarErrors(type, pair.left, 'lhs: ');
  const others = errors.length === 0 ? noErrors : scalarErrors(type, pair.right, 'rhs: ');
  if (others.length > 0) return below(element, [...errors, ...others]);
  found.includeLeaf(element, leafChange(pair));
  return noErrors;
}

export function isEmptyMap(map: Readonly<JsonObject> | undefined): boolean {
  return map === undefined || Object.keys(map).length === 0;
}

function compareLists(list: ListType, pair: Pair, found: Differences): 'leaf' | readonly ValueError[] {
  const left = Array.isArray(pair.left) ? pair.left : [];
  const right = Array.isArray(pair.right) ? pair.right : [];
  if (!list.associative || (left.length === 0 && right.length === 0)) return compareLeaf(pair, found);
  const errors: ValueError[] = [];
  const leftItems = groupItems(list, left, errors);
  const rightItems = groupItems(list, right, errors);
  for (const [element, items] of leftItems) {
    addErrors(errors, compareItems(list, element, { left: items, right: rightItems.get(element) ?? noItems }, found));
  }
  for (const [element, items] of rightItems) {
    if (!leftItems.has(element)) addErrors(errors, compareItems(list, element, { left: noItems, right: items }, found));
  }
  return errors;
}

const noItems: readonly JsonValue[] = [];

function groupItems(list: ListType, items: readonly JsonValue[], errors: ValueError[]): Map<PathElement, JsonValue[]> {
  const groups = new Map<PathElement, JsonValue[]>();
  for (const [index, item] of items.entries()) {
    try {
      const element = itemElement(list, item);
      const group = groups.get(element);
      if (group === undefined) groups.set(element, [item]);
      else group.push(item);
    } catch (error) {
      if (!(error instanceof ListItemError)) throw error;
      addErrors(errors, valueError(`element ${index}: ${error.message}`));
    }
  }
  return groups;
}

/** Items that occur repeatedly count as a whole; where one side has one item and the other several, both forms have changed. */
function compareItems(
  list: ListType,
  element: PathElement,
  { left, right }: { readonly left: readonly JsonValue[]; readonly right: readonly JsonValue[] },
  found: Differences,
): readonly ValueError[] {
  const inner = new Differences();
  let errors: readonly ValueError[] = noErrors;
  const compareOne = (pair: Pair): void => {
    errors = below(element, compareAt(list.element, pair, inner));
  };
  if (left.length <= 1 && right.length <= 1) {
    const isSame = left[0] !== undefined && right[0] !== undefined && equalValues(left[0], right[0]);
    if (!isSame) compareOne({ left: left[0], right: right[0] });
  } else if (left.length >= 2 && right.length >= 2) {
    if (!equalValues([...left], [...right])) inner.self |= modifiedSelf;
  } else if (left.length >= 2) {
    if (right.length > 0) compareOne({ left: undefined, right: right[0] });
    inner.self |= removedSelf;
  } else {
    if (left.length > 0) compareOne({ left: left[0], right: undefined });
    inner.self |= addedSelf;
  }
  found.include(element, inner);
  return errors;
}
