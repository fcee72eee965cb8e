import {
  findIn,
  isList,
  isMap,
  itemAt,
  itemsOf,
  keysOf,
  type List,
  listSize,
  type Mapping,
  mapSize,
} from './collections.ts';
import { ConstructedObject, ConstructedValue } from './constructed.ts';
import { isSameStructure } from './same-structure.ts';
import { compareNumbers, isNumeric } from './numbers.ts';
import { jsonEquals } from './json-equality.ts';
import { itemKey, notScalar, scalarKey } from './keyed-lists.ts';
import { ListObject } from './collections.ts';
import { modeOf, PreservedJson, TypedMap, TypedObject } from './typed.ts';
import {
  Duration,
  isBytes,
  isError,
  LibraryValue,
  noSuchOverload,
  Optional,
  Timestamp,
  TypeValue,
  type CelError,
  type Value,
} from './value.ts';

export type Equality = boolean | CelError;

/** Values of different types are unequal; typed lists and objects are not comparable to other types at all. */
export function equals(a: Value, b: Value): Equality {
  if (a === b) return !(a instanceof LibraryValue) || a.equals(b);
  if (a === null || b === null) return false;
  switch (typeof a) {
    case 'string':
    case 'boolean':
      return false;
    case 'number':
    case 'bigint':
      return isNumeric(b) && compareNumbers(a, b) === 0;
    default:
      return objectEquals(a, b);
  }
}

function objectEquals(a: Value, b: Value): Equality {
  if (isNumeric(a)) return isNumeric(b) && compareNumbers(a, b) === 0;
  if (isList(a)) return listEquals(a, b);
  if (isMap(a)) return mapEquals(a, b);
  if (a instanceof ConstructedValue) return constructedEquals(a, b);
  if (isBytes(a)) return isBytes(b) && Buffer.compare(a, b) === 0;
  if (a instanceof LibraryValue) return a.equals(b);
  if (a instanceof Timestamp) return b instanceof Timestamp && a.seconds === b.seconds && a.nanos === b.nanos;
  if (a instanceof Duration) return b instanceof Duration && a.nanos === b.nanos;
  if (a instanceof TypeValue) return b instanceof TypeValue && a.named.name === b.named.name;
  if (a instanceof Optional) return optionalEquals(a, b);
  if (isError(a)) return a;
  if (a instanceof PreservedJson)
    return b instanceof PreservedJson ? jsonEquals(a.json, b.json) : jsonEquals(a.json, b);
  return false;
}

function optionalEquals(a: Optional, b: Value): Equality {
  if (!(b instanceof Optional)) return false;
  if (a.value === undefined || b.value === undefined) return a.value === b.value;
  return equals(a.value, b.value);
}

function listEquals(a: List, b: Value): Equality {
  if (!isTypedList(a)) return untypedEquals(a, b);
  if (!isList(b)) return mismatch(b);
  if (listSize(a) !== listSize(b)) return false;
  const mode = modeOf(a);
  if (mode === 'set') return setEquals(a, b);
  if (typeof mode === 'object') return keyedEquals(a, b, mode.keys);
  const size = listSize(a);
  for (let index = 0; index < size; index += 1) {
    const equal = equals(itemAt(a, index), itemAt(b, index));
    if (equal !== true) return equal;
  }
  return true;
}

/**
 * Equality of lists and maps without a schema, in which errors count as equal. A loop: objects may nest ten thousand
 * deep.
 */
function untypedEquals(first: Value, second: Value): boolean {
  const open: [Value, Value][] = [[first, second]];
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const [a, b] = pair;
    if (isUntypedList(a)) {
      if (!isList(b) || listSize(a) !== listSize(b)) return false;
      for (let index = listSize(a) - 1; index >= 0; index -= 1) open.push([itemAt(a, index), itemAt(b, index)]);
    } else if (isUntypedMap(a)) {
      if (!isMap(b) || mapSize(a) !== mapSize(b)) return false;
      for (const key of keysOf(a)) {
        const other = findIn(b, key);
        if (other === undefined) return false;
        open.push([findIn(a, key) ?? null, other]);
      }
    } else if (equals(a, b) === false) {
      return false;
    }
  }
  return true;
}

function isUntypedList(value: Value): value is List {
  return isList(value) && !isTypedList(value);
}

function isUntypedMap(value: Value): value is Mapping {
  return isMap(value) && !isTypedMap(value);
}

function isTypedMap(map: Mapping): map is TypedObject | TypedMap {
  return map instanceof TypedObject || map instanceof TypedMap;
}

function isTypedList(list: List): boolean {
  return list instanceof ListObject && 'mode' in list;
}

/** The result of comparing a typed value to a value of another type. */
function mismatch(other: Value): Equality {
  return isError(other) ? other : noSuchOverload;
}

function setEquals(a: List, b: List): Equality {
  const keys = new Set<unknown>();
  for (const item of itemsOf(a)) {
    const key = scalarKey(item);
    if (key === undefined) return notScalar;
    keys.add(key);
  }
  const seen = new Set<unknown>();
  for (const item of itemsOf(b)) {
    const key = scalarKey(item);
    if (key === undefined) return notScalar;
    if (!keys.has(key)) return false;
    seen.add(key);
  }
  return seen.size === keys.size;
}

function keyedEquals(a: List, b: List, names: readonly string[]): Equality {
  const byKey = new Map<string, Value>();
  for (const item of itemsOf(a)) byKey.set(itemKey(item, names), item);
  const seen = new Set<string>();
  for (const item of itemsOf(b)) {
    const key = itemKey(item, names);
    const other = byKey.get(key);
    if (other === undefined) return false;
    const equal = equals(other, item);
    if (equal !== true) return equal;
    seen.add(key);
  }
  return seen.size === byKey.size;
}

function mapEquals(a: Mapping, b: Value): Equality {
  if (!isTypedMap(a)) return untypedEquals(a, b);
  if (!isMap(b)) return mismatch(b);
  return mapSize(a) === mapSize(b) && typedEquals(a, b);
}

/** Equality of constructed values: objects have the same values, patches and messages equal fields. */
function constructedEquals(a: ConstructedValue, b: Value): Equality {
  if (!(b instanceof ConstructedValue) || a.type.name !== b.type.name) return false;
  if (a instanceof ConstructedObject) return isSameStructure(a, b);
  for (const name of new Set([...a.fields.keys(), ...b.fields.keys()])) {
    if (a.has(name, true) !== b.has(name, true)) return false;
    const equal = equals(a.find(name, true) ?? null, b.find(name, true) ?? null);
    if (equal !== true) return equal;
  }
  return true;
}

function typedEquals(a: TypedObject | TypedMap, b: Mapping): Equality {
  for (const name of Object.keys(a.json)) {
    const isKnown = a instanceof TypedObject ? a.shape.fields.has(name) : a.read !== undefined;
    const equal = isKnown ? memberEquals(a.find(name), findIn(b, name)) : unknownEquals(a, b, name);
    if (equal !== true) return equal;
  }
  return true;
}

function memberEquals(a: Value | undefined, b: Value | undefined): Equality {
  if (a === undefined || b === undefined) return a === b;
  return equals(a, b);
}

/** Parts outside of the schema are compared as JSON. */
function unknownEquals(a: TypedObject | TypedMap, b: Mapping, name: string): Equality {
  if (!(b instanceof TypedObject || b instanceof TypedMap)) return noSuchOverload;
  return !Object.hasOwn(b.json, name) || jsonEquals(a.json[name], b.json[name]);
}
