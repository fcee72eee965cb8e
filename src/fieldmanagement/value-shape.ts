import { isEmptyObject, isJsonObject, type JsonValue } from '../api/json/json.ts';
import { isZeroTimeText } from '../api/time/time.ts';
import { type ListType, type MapType, type MergeType, typeAt } from './merge-type.ts';
import { equalValues } from './values.ts';

/*
 * The shape of a value is what decides which fields differ from `base`: values of one type with the same shape differ
 * from `base` in the same places. The contents of scalars and atomic lists and maps count only where `base` has
 * something to compare with, and where they are zero, since some zero values are not written; field names and item keys
 * always count. A shape is where a sequence of steps leads, and shapes share their first steps:
 *
 *     { name: 'a', ports: [{ port: 80, hostPort: 0 }] }
 *     map name scalar ports list 80 map port scalar hostPort zero end end end
 */

/** Names and key values are steps as they are; symbols stand for everything else. */
type Step = string | number | bigint | boolean | null | undefined | symbol;

interface LeafSteps {
  readonly value: symbol;
  readonly zero: symbol;
  readonly equal: symbol;
  readonly different: symbol;
}

function leafSteps(): LeafSteps {
  return { value: Symbol('value'), zero: Symbol('zero'), equal: Symbol('equal'), different: Symbol('different') };
}

const numbers = leafSteps();
const leaves: { readonly [type: string]: LeafSteps } = {
  string: leafSteps(),
  number: numbers,
  bigint: numbers,
  boolean: leafSteps(),
};
/** Null matches none of the others. */
const others = leafSteps();
const atomicLists = leafSteps();
const atomicMaps = leafSteps();

/** Starts of lists and maps, by what `base` has there. */
const starts = {
  map: { absent: Symbol('map'), null: Symbol('map for null'), present: Symbol('map for a value') },
  list: { absent: Symbol('list'), null: Symbol('list for null'), present: Symbol('list for a value') },
};
const end = Symbol('end');
const unknownField = Symbol('unknown field');
const noKey = Symbol('no key');

/** Where steps have led, and what is known of values with this shape. */
export class Shape<T> {
  known: T | undefined;
  /** The step first taken from here; most shapes have no other. */
  #step: Step;
  #next: Shape<T> | undefined;
  #others: Map<Step, Shape<T>> | undefined;

  after(step: Step): Shape<T> | undefined {
    return this.#next !== undefined && this.#step === step ? this.#next : this.#others?.get(step);
  }

  add(step: Step): Shape<T> {
    const shape = new Shape<T>();
    if (this.#next === undefined) {
      this.#next = shape;
      this.#step = step;
    } else (this.#others ??= new Map()).set(step, shape);
    return shape;
  }
}

/** Shapes pay off for recurring objects, and few large ones recur. */
const maxSteps = 1_000;
const maxNameLength = 1_000;
/** Approximate memory of a step without its name. */
const stepBytes = 80;

/** The shapes of values; all are forgotten once they take more than `maxBytes`. */
export class Shapes<T> {
  readonly #maxBytes: number;
  #bytes = 0;
  #root = new Shape<T>();
  #at = this.#root;
  #stepsLeft = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The shape of a value, a different one for each `kind`; undefined for large values. */
  of(
    kind: number,
    type: MergeType,
    { base, value }: { readonly base: JsonValue; readonly value: JsonValue },
  ): Shape<T> | undefined {
    if (this.#bytes > this.#maxBytes) {
      this.#root = new Shape();
      this.#bytes = 0;
    }
    this.#at = this.#root;
    this.#stepsLeft = maxSteps;
    return this.#take(kind) && this.#value(type, base, value) ? this.#at : undefined;
  }

  /** False at a limit, like all that follow. */
  #take(step: Step): boolean {
    let next = this.#at.after(step);
    if (next === undefined) {
      const nameLength = typeof step === 'string' ? step.length : 0;
      if (nameLength > maxNameLength) return false;
      next = this.#at.add(step);
      this.#bytes += stepBytes + nameLength;
    }
    this.#at = next;
    return --this.#stepsLeft >= 0;
  }

  #value(type: MergeType, base: JsonValue | undefined, value: JsonValue): boolean {
    if (Array.isArray(value)) {
      return type.list?.associative === true
        ? this.#items(type.list, base, value)
        : this.#leaf(atomicLists, base, value);
    }
    if (isJsonObject(value)) {
      if (type.map?.atomic !== false) return this.#leaf(atomicMaps, base, value);
      return this.#fields(type.map, base, value);
    }
    return this.#leaf(leaves[typeof value] ?? others, base, value);
  }

  #leaf(steps: LeafSteps, base: JsonValue | undefined, value: JsonValue): boolean {
    if (base === undefined) return this.#take(isZero(value) ? steps.zero : steps.value);
    const isEqual = base === null ? value === null || isZeroTimeText(value) : equalValues(base, value);
    return this.#take(isEqual ? steps.equal : steps.different);
  }

  #fields(map: MapType, base: JsonValue | undefined, value: { readonly [key: string]: JsonValue }): boolean {
    const baseFields = isJsonObject(base) ? base : undefined;
    if (!this.#take(startOf(starts.map, base))) return false;
    for (const key in value) {
      const item = value[key];
      if (item === undefined) continue;
      const type = typeAt(map, key);
      const below = baseFields !== undefined && Object.hasOwn(baseFields, key) ? baseFields[key] : undefined;
      if (!this.#take(key)) return false;
      if (!(type === undefined ? this.#take(unknownField) : this.#value(type, below, item))) return false;
    }
    return this.#take(end);
  }

  #items(list: ListType, base: JsonValue | undefined, value: readonly JsonValue[]): boolean {
    if (Array.isArray(base) && base.length > 0) return false;
    if (!this.#take(startOf(starts.list, base))) return false;
    for (const item of value) {
      if (!this.#key(list, item) || !this.#value(list.element, undefined, item)) return false;
    }
    return this.#take(end);
  }

  /** What identifies an item of the list. */
  #key({ keys }: ListType, item: JsonValue): boolean {
    if (keys.length === 0) return typeof item === 'object' ? this.#take(noKey) : this.#keyValue(item);
    if (!isJsonObject(item)) return this.#take(noKey);
    for (const key of keys) {
      if (!this.#keyValue(Object.hasOwn(item, key) ? item[key] : undefined)) return false;
    }
    return true;
  }

  /** Scalars that are equal but written differently, and objects, have no shape. */
  #keyValue(value: JsonValue | undefined): boolean {
    const isPlain = (typeof value !== 'object' || value === null) && typeof value !== 'symbol' && !Object.is(value, -0);
    return isPlain && this.#take(value);
  }
}

function startOf<S>(by: { readonly absent: S; readonly null: S; readonly present: S }, base: JsonValue | undefined): S {
  return base === undefined ? by.absent : base === null ? by.null : by.present;
}

function isZero(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null) return !value;
  return Array.isArray(value) ? value.length === 0 : isEmptyObject(value);
}
