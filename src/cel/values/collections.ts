import type { JsonObject } from '../../api/json/json.ts';
import { types, type CelType } from '../types/cel-type.ts';
import {
  CelObject,
  Double,
  Duration,
  fromJson,
  isInt,
  isPlainObject,
  itemOf,
  LibraryValue,
  memberOf,
  Timestamp,
  TypeValue,
  Uint,
  UnhashableKeyError,
  type Value,
} from './value.ts';

/** Lists that are not arrays. */
export abstract class ListObject extends CelObject {
  abstract readonly size: number;
  /** The index is in range. */
  abstract at(index: number): Value;

  get type(): CelType {
    return types.list;
  }
}

/** Maps that are not JSON objects. */
export abstract class MapObject extends CelObject {
  abstract readonly size: number;
  /** Undefined when the key is absent, an error when the key type is unsupported. */
  abstract find(key: Value): Value | undefined;
  abstract keys(): Iterable<Value>;

  get type(): CelType {
    return types.map;
  }
}

export type List = readonly unknown[] | ListObject;
export type Mapping = JsonObject | MapObject;

export function isList(value: Value): value is List {
  return Array.isArray(value) || value instanceof ListObject;
}

export function isMap(value: Value): value is Mapping {
  return value instanceof MapObject || isPlainObject(value);
}

export function listSize(list: List): number {
  return list instanceof ListObject ? list.size : list.length;
}

/** The index is in range. */
export function itemAt(list: List, index: number): Value {
  return list instanceof ListObject ? list.at(index) : fromJson(itemOf(list, index));
}

export function* itemsOf(list: List): Generator<Value> {
  const size = listSize(list);
  for (let index = 0; index < size; index += 1) yield itemAt(list, index);
}

export function mapSize(map: Mapping): number {
  return map instanceof MapObject ? map.size : Object.keys(map).length;
}

export function keysOf(map: Mapping): readonly Value[] {
  return map instanceof MapObject ? [...map.keys()] : Object.keys(map);
}

/** Undefined when the key is absent. */
export function findIn(map: Mapping, key: Value): Value | undefined {
  if (map instanceof MapObject) return map.find(key);
  return typeof key === 'string' && Object.hasOwn(map, key) ? fromJson(memberOf(map, key)) : undefined;
}

/** A map built by an expression. Equal numbers of different types are the same key in lookups. */
export class MapValue extends MapObject {
  readonly #entries = new Map<unknown, readonly [key: Value, value: Value]>();

  get size(): number {
    return this.#entries.size;
  }

  set(key: Value, value: Value): void {
    this.#entries.set(identityOf(key), [key, value]);
  }

  delete(key: Value): void {
    this.#entries.delete(identityOf(key));
  }

  find(key: Value): Value | undefined {
    if (this.size === 0) return undefined;
    for (const identity of identitiesOf(key)) {
      const entry = this.#entries.get(identity);
      if (entry !== undefined) return entry[1];
    }
    return undefined;
  }

  *keys(): Generator<Value> {
    for (const [key] of this.#entries.values()) yield key;
  }
}

/** Whether a value can be a key. */
export function isHashable(key: Value): boolean {
  return !(key instanceof Uint8Array) && (!(key instanceof LibraryValue) || key.isHashable);
}

/** Identity of keys. The encoding of keys other than strings starts with what no well-formed string contains. */
function identityOf(key: Value): unknown {
  if (typeof key !== 'object' || key === null) return key;
  if (!isHashable(key)) throw new UnhashableKeyError(key instanceof LibraryValue ? key.goType : 'types.Bytes');
  if (key instanceof Uint) return `\ud800u${key.value}`;
  if (key instanceof Double) return Number.isNaN(key.value) ? key : `\ud800d${key.value}`;
  if (key instanceof Duration) return `\ud800D${key.nanos}`;
  if (key instanceof Timestamp) return `\ud800T${key.seconds}.${key.nanos}.${key.offsetMinutes}`;
  if (key instanceof TypeValue) return `\ud800t${key.named.name}`;
  return key instanceof LibraryValue ? key.identity : key;
}

function identitiesOf(key: Value): readonly unknown[] {
  if (key instanceof Uint) return [identityOf(key), key.value];
  if (isInt(key)) return [key, `\ud800u${key}`];
  if (!(key instanceof Double)) return [identityOf(key)];
  const { value } = key;
  if (Number.isNaN(value)) return [];
  if (!Number.isInteger(value)) return [identityOf(key)];
  const whole = Number.isSafeInteger(value) ? value + 0 : BigInt(value);
  return [identityOf(key), whole, `\ud800u${whole}`];
}

/** Up to this size lists are copied rather than chained. */
const maxCopied = 64;

/** The concatenation of two lists: chains may be far longer than memory. */
export class ConcatList extends ListObject {
  readonly size: number;
  readonly #first: List;
  readonly #second: List;

  private constructor(first: List, second: List) {
    super();
    this.#first = first;
    this.#second = second;
    this.size = listSize(first) + listSize(second);
  }

  static of(first: List, second: List): List {
    const [a, b] = [listSize(first), listSize(second)];
    if (a === 0) return second;
    if (b === 0) return first;
    if (a + b <= maxCopied) return [...itemsOf(first), ...itemsOf(second)];
    return new ConcatList(first, second);
  }

  at(index: number): Value {
    let { list, rest } = this.#halfWith(index);
    while (list instanceof ConcatList) ({ list, rest } = list.#halfWith(rest));
    return itemAt(list, rest);
  }

  #halfWith(index: number): { list: List; rest: number } {
    const before = listSize(this.#first);
    return index < before ? { list: this.#first, rest: index } : { list: this.#second, rest: index - before };
  }
}
