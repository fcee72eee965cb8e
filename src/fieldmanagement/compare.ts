import { bottomUp } from '../api/collections/bottom-up.ts';
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../api/json/json.ts';
import { emptySet, FieldSet, type FieldFilter } from './field-set.ts';
import { knownTypeAt } from './known-type.ts';
import { itemElement } from './list-items.ts';
import {
  commonShapes,
  type ListType,
  type MapType,
  type MergeType,
  type Shape,
  type TypedValue,
} from './merge-type.ts';
import { fieldElement, type PathElement } from './path-element.ts';
import { equalValues } from './values.ts';

/** The differences between two values, by field path. */
export interface FieldComparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

/** Compares two values of one type. */
export function compareTyped(left: TypedValue, right: TypedValue): FieldComparison {
  const { added, modified, removed } = differencesOf(left.type, left.value, right.value);
  return { added: added ?? emptySet, modified: modified ?? emptySet, removed: removed ?? emptySet };
}

export function filterComparison(comparison: FieldComparison, filter: FieldFilter | undefined): FieldComparison {
  if (filter === undefined) return comparison;
  const { added, modified, removed } = comparison;
  return { added: filter(added), modified: filter(modified), removed: filter(removed) };
}

type Values = readonly [left: JsonValue | undefined, right: JsonValue | undefined];

/** How a value differs. */
class Differences {
  // Itself: a value that can be read in two shapes, or that a list contains repeatedly, may differ in several ways.
  isAdded = false;
  isModified = false;
  isRemoved = false;
  // What is in it.
  added: FieldSet | undefined;
  modified: FieldSet | undefined;
  removed: FieldSet | undefined;

  get isNone(): boolean {
    const { isAdded, isModified, isRemoved, added, modified, removed } = this;
    return !isAdded && !isModified && !isRemoved && (added ?? modified ?? removed) === undefined;
  }

  /** Includes those of a part. */
  include(element: PathElement, { isAdded, isModified, isRemoved, added, modified, removed }: Differences): void {
    if (isAdded || added !== undefined) (this.added ??= new FieldSet()).put(element, isAdded, added);
    if (isModified || modified !== undefined) (this.modified ??= new FieldSet()).put(element, isModified, modified);
    if (isRemoved || removed !== undefined) (this.removed ??= new FieldSet()).put(element, isRemoved, removed);
  }
}

const differencesOf = bottomUp((type: MergeType, left: Values[0], right: Values[1]): Differences => {
  const found = new Differences();
  if (left === undefined) found.isAdded = true;
  else if (right === undefined) found.isRemoved = true;
  for (const shape of commonShapes(type, left, right)) compareAs(shape, type, [left, right], found);
  return found;
}, new Differences());

function compareAs(shape: Shape, { map, list }: MergeType, [left, right]: Values, found: Differences): void {
  if (shape === 'map' && map?.atomic === false && (hasFields(left) || hasFields(right))) {
    compareFields(map, isJsonObject(left) ? left : {}, isJsonObject(right) ? right : {}, found);
  } else if (shape === 'list' && list?.associative === true && (hasItems(left) || hasItems(right))) {
    compareItems(list, [left, right], found);
  } else if (left !== undefined && right !== undefined && !equalValues(left, right)) found.isModified = true;
}

function hasFields(value: JsonValue | undefined): boolean {
  if (isJsonObject(value)) for (const _ in value) return true;
  return false;
}

function hasItems(value: JsonValue | undefined): boolean {
  return Array.isArray(value) && value.length > 0;
}

type Fields = Readonly<JsonObject>;

function compareFields(map: MapType, left: Fields, right: Fields, found: Differences): void {
  const compare = (key: string, one: JsonValue | undefined, other: JsonValue | undefined): void => {
    if (one === other) return;
    const part = differencesOf(knownTypeAt(map, key), one, other);
    if (!part.isNone) found.include(fieldElement(key), part);
  };
  for (const key of Object.keys(left)) compare(key, left[key], getOwn(right, key));
  for (const key of Object.keys(right)) if (!Object.hasOwn(left, key)) compare(key, undefined, right[key]);
}

function compareItems(list: ListType, [left, right]: Values, found: Differences): void {
  // Most lists are unchanged by a write.
  if (left !== undefined && right !== undefined && equalValues(left, right)) return;
  const [before, after] = [itemsOf(list, left), itemsOf(list, right)];
  for (const element of new Set([...before.keys(), ...after.keys()])) {
    found.include(element, differencesOfItems(list, before.get(element), after.get(element)));
  }
}

/** Items with the same path element: one, or several in an array. Items themselves are never arrays. */
type Items = JsonValue;

function itemsOf(list: ListType, value: JsonValue | undefined): Map<PathElement, Items> {
  const items = new Map<PathElement, Items>();
  for (const item of Array.isArray(value) ? value : []) {
    const element = itemElement(list, item);
    const others = items.get(element);
    if (others === undefined) items.set(element, item);
    else if (Array.isArray(others)) others.push(item);
    else items.set(element, [others, item]);
  }
  return items;
}

/** Duplicates are compared as a whole; one item on one side and several on the other counts as a change of both. */
function differencesOfItems(list: ListType, left: Items | undefined, right: Items | undefined): Differences {
  const found = new Differences();
  if (Array.isArray(left) && Array.isArray(right)) {
    found.isModified = !equalValues(left, right);
    return found;
  }
  const one = Array.isArray(left) ? undefined : left;
  const other = Array.isArray(right) ? undefined : right;
  if (one !== undefined || other !== undefined) Object.assign(found, differencesOf(list.element, one, other));
  if (Array.isArray(left)) found.isRemoved = true;
  if (Array.isArray(right)) found.isAdded = true;
  return found;
}
