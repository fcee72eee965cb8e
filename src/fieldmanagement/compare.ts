import { isJsonObject, type JsonObject, type JsonValue } from '../api/json.ts';
import type { Work } from '../api/turns.ts';
import { Visits } from '../api/visits.ts';
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
  laterErrors,
  noErrors,
  scalarErrors,
  throwErrors,
  type ValueError,
  valueError,
} from './value-errors.ts';
import { equalAtOnce, equalInTurns } from './values.ts';

/** The differences between two values, by field path. */
export interface FieldComparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

/** Compares two values of one type. Throws a TypedValueError when either does not fit the type. */
export function* compareTyped(left: TypedValue, right: TypedValue): Work<FieldComparison> {
  const differences = new Differences(new Visits());
  const errors = compareAt(left.type, { left: left.value, right: right.value }, differences);
  yield* differences.visits.rest();
  throwErrors(errors);
  return differences.below;
}

export function filterComparison(comparison: FieldComparison, filter: FieldFilter | undefined): FieldComparison {
  if (filter === undefined) return comparison;
  const { added, modified, removed } = comparison;
  return { added: filter(added), modified: filter(modified), removed: filter(removed) };
}

interface Pair {
  readonly left: JsonValue | undefined;
  readonly right: JsonValue | undefined;
}

/** Bits for changes of the value itself, as opposed to its contents. */
const sameSelf = 0;
const addedSelf = 1;
const modifiedSelf = 2;
const removedSelf = 4;

/** Differences at and below one path. */
class Differences {
  /** Bit set: a value readable in several shapes may have more than one. */
  self = sameSelf;
  // Allocated lazily: most paths have no differences, or of one kind only.
  #added: FieldSet | undefined;
  #modified: FieldSet | undefined;
  #removed: FieldSet | undefined;
  readonly visits: Visits;
  readonly depth: number;
  readonly #parent: Differences | undefined;
  readonly #element: PathElement;

  constructor(visits: Visits, parent?: Differences, element: PathElement = '') {
    this.visits = visits;
    this.depth = parent === undefined ? 0 : parent.depth + 1;
    this.#parent = parent;
    this.#element = element;
  }

  get below(): FieldComparison {
    return { added: this.#added ?? emptySet, modified: this.#modified ?? emptySet, removed: this.#removed ?? emptySet };
  }

  /** Records changes of a child itself. Returns whether any is new. */
  includeLeaf(element: PathElement, self: number): boolean {
    let isNew = false;
    if ((self & addedSelf) !== 0) isNew = (this.#added ??= new FieldSet()).insertMember(element);
    if ((self & modifiedSelf) !== 0) isNew = (this.#modified ??= new FieldSet()).insertMember(element) || isNew;
    if ((self & removedSelf) !== 0) isNew = (this.#removed ??= new FieldSet()).insertMember(element) || isNew;
    return isNew;
  }

  /** Differences one path element further down. */
  at(element: PathElement): Differences {
    return new Differences(this.visits, this, element);
  }

  /** Merges the differences into the parent. Returns whether it did not have them. */
  passOn(): boolean {
    const outer = this.#parent;
    if (outer === undefined) return false;
    const at = this.#element;
    const added = this.#added;
    const modified = this.#modified;
    const removed = this.#removed;
    let isNew = outer.includeLeaf(at, this.self);
    if (added !== undefined) isNew = (outer.#added ??= new FieldSet()).insertChildren(at, added) || isNew;
    if (modified !== undefined) isNew = (outer.#modified ??= new FieldSet()).insertChildren(at, modified) || isNew;
    if (removed !== undefined) isNew = (outer.#removed ??= new FieldSet()).insertChildren(at, removed) || isNew;
    return isNew;
  }

  /** For deferred parts: ancestors were merged already and must be merged again, up to the first that has these. */
  passOnLate(): void {
    if (!this.passOn()) return;
    let outer = this.#parent;
    while (outer?.passOn() === true) outer = outer.#parent;
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

function compareLeaf({ left, right }: Pair, found: Differences): 'leaf' {
  if (left === undefined) found.self |= addedSelf;
  else if (right === undefined) found.self |= removedSelf;
  else ifModified({ left, right }, found, () => (found.self |= modifiedSelf));
  return 'leaf';
}

interface Values {
  readonly left: JsonValue;
  readonly right: JsonValue;
}

/** Large values are compared later. */
function ifModified(values: Values, found: Differences, record: () => void): void {
  const areEqual = equalAtOnce(values.left, values.right);
  if (areEqual === undefined) found.visits.putOff(ifModifiedInTurns(values, found, record));
  else if (!areEqual) record();
}

function* ifModifiedInTurns({ left, right }: Values, found: Differences, record: () => void): Work<void> {
  if (yield* equalInTurns(left, right)) return;
  record();
  found.passOnLate();
}

function compareMaps(map: MapType, pair: Pair, found: Differences): 'leaf' | readonly ValueError[] {
  const left = isJsonObject(pair.left) ? pair.left : undefined;
  const right = isJsonObject(pair.right) ? pair.right : undefined;
  if (map.atomic) return compareLeaf(pair, found);
  const leftKeys = keysOf(left);
  // Listing many keys is slow: take one side at a time.
  const firstKeys = leftKeys.length === 0 ? keysOf(right) : undefined;
  if (firstKeys?.length === 0) return compareLeaf(pair, found);
  const errors: ValueError[] = [];
  const compare = (key: string, fields: Pair): void => {
    const inner = compareField(map, key, fields, found);
    if (inner.length > 0) addErrors(errors, inner);
  };
  const compareLeft = (key: string): void => {
    const item = left?.[key];
    if (item === undefined) return;
    compare(key, { left: item, right: right !== undefined && Object.hasOwn(right, key) ? right[key] : undefined });
  };
  const compareRight = (key: string): void => {
    const item = right?.[key];
    if (item === undefined || (left !== undefined && Object.hasOwn(left, key) && left[key] !== undefined)) return;
    compare(key, { left: undefined, right: item });
  };
  let isDone = false;
  found.visits.all(leftKeys, compareLeft, (leftLate) => {
    found.visits.all(firstKeys ?? keysOf(right), compareRight, (rightLate) => {
      if (leftLate || rightLate) found.passOnLate();
      else isDone = true;
    });
  });
  return isDone ? errors : laterErrors(errors);
}

const noKeys: readonly string[] = [];

function keysOf(fields: Readonly<JsonObject> | undefined): readonly string[] {
  return fields === undefined ? noKeys : Object.keys(fields);
}

/** Levels of most objects. */
const usualDepth = 50;
/** Parts compared on each level below: what is deep is not looked through again on each. */
const deepParts = 20;

/** False for large values. */
function isUnchanged({ left, right }: Pair, { depth }: Differences): boolean {
  const most = depth > usualDepth ? deepParts : undefined;
  return left !== undefined && right !== undefined && equalAtOnce(left, right, most) === true;
}

function compareField(map: MapType, key: string, pair: Pair, found: Differences): readonly ValueError[] {
  // Most of an object is unchanged by a write.
  if (isUnchanged(pair, found)) return noErrors;
  const type = typeAt(map, key);
  const element = fieldElement(key);
  if (type === undefined) return below(element, valueError('schema error: invalid atom: inlined'));
  if (isScalar(type)) return compareScalars(type.scalar, element, pair, found);
  const inner = found.at(element);
  const errors = compareAt(type, pair, inner);
  inner.passOn();
  return errors.length === 0 ? errors : below(element, errors);
}

function isScalar(type: MergeType): type is MergeType & { readonly scalar: ScalarType } {
  return type.scalar !== undefined && type.map === undefined && type.list === undefined;
}

/** A fast path for scalars, which most differences are. */
function compareScalars(type: ScalarType, element: PathElement, pair: Pair, found: Differences): readonly ValueError[] {
  const errors = scalarErrors(type, pair.left, 'lhs: ');
  const others = errors.length === 0 ? noErrors : scalarErrors(type, pair.right, 'rhs: ');
  if (others.length > 0) return below(element, [...errors, ...others]);
  found.includeLeaf(element, scalarChange(pair));
  return noErrors;
}

function scalarChange({ left, right }: Pair): number {
  if (left === undefined) return addedSelf;
  if (right === undefined) return removedSelf;
  return equalAtOnce(left, right) === true ? sameSelf : modifiedSelf;
}

function compareLists(list: ListType, pair: Pair, found: Differences): 'leaf' | readonly ValueError[] {
  const left = Array.isArray(pair.left) ? pair.left : [];
  const right = Array.isArray(pair.right) ? pair.right : [];
  if (!list.associative || (left.length === 0 && right.length === 0)) return compareLeaf(pair, found);
  const errors: ValueError[] = [];
  const groups = { left: new Map<PathElement, Items>(), right: new Map<PathElement, Items>() };
  const { visits } = found;
  const group = (items: Map<PathElement, Items>) => (item: JsonValue, index: number) => {
    addErrors(errors, groupItem(list, items, { item, index }));
  };
  const compare = (element: PathElement): void => {
    const items = { left: groups.left.get(element), right: groups.right.get(element) };
    addErrors(errors, compareItems(list, element, items, found));
  };
  let isDone = false;
  visits.all(left, group(groups.left), (leftLate) => {
    visits.all(right, group(groups.right), (rightLate) => {
      const elements = [...groups.left.keys()];
      for (const element of groups.right.keys()) if (!groups.left.has(element)) elements.push(element);
      visits.all(elements, compare, (late) => {
        if (leftLate || rightLate || late) found.passOnLate();
        else isDone = true;
      });
    });
  });
  return isDone ? errors : laterErrors(errors);
}

/** The items of a list with the same path element: one, or an array of them. Items themselves are never arrays. */
type Items = JsonValue;

function groupItem(
  list: ListType,
  groups: Map<PathElement, Items>,
  { item, index }: { readonly item: JsonValue; readonly index: number },
): readonly ValueError[] {
  try {
    const element = itemElement(list, item);
    const others = groups.get(element);
    if (others === undefined) groups.set(element, item);
    else if (Array.isArray(others)) others.push(item);
    else groups.set(element, [others, item]);
    return noErrors;
  } catch (error) {
    if (!(error instanceof ListItemError)) throw error;
    return valueError(`element ${index}: ${error.message}`);
  }
}

/** Duplicates are compared as a whole; one item on one side and several on the other counts as a change of both. */
function compareItems(
  list: ListType,
  element: PathElement,
  { left, right }: { readonly left: Items | undefined; readonly right: Items | undefined },
  found: Differences,
): readonly ValueError[] {
  if (Array.isArray(left) && Array.isArray(right)) {
    ifModified({ left, right }, found, () => found.includeLeaf(element, modifiedSelf));
    return noErrors;
  }
  const pair = { left: Array.isArray(left) ? undefined : left, right: Array.isArray(right) ? undefined : right };
  const hasItem = pair.left !== undefined || pair.right !== undefined;
  if (isUnchanged(pair, found)) return noErrors;
  const inner = found.at(element);
  const errors = hasItem ? below(element, compareAt(list.element, pair, inner)) : noErrors;
  if (Array.isArray(left)) inner.self |= removedSelf;
  if (Array.isArray(right)) inner.self |= addedSelf;
  inner.passOn();
  return errors;
}
