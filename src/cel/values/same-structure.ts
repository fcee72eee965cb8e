import { findIn, isList, keysOf, MapValue } from './collections.ts';
import { ConstructedValue } from './constructed.ts';
import { jsonEquals } from './json-equality.ts';
import {
  Double,
  Duration,
  isBytes,
  isPlainObject,
  LibraryValue,
  Optional,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from './value.ts';

/**
 * Whether two values are made of the same: numbers of different types are not equal, nor are lists that were written
 * twice, as objects of mutations are compared by the memory of the reference.
 */
export function isSameStructure(a: Value, b: Value): boolean {
  if (a === b) return true;
  if (a instanceof Double) return b instanceof Double && a.value === b.value;
  if (a instanceof Uint) return b instanceof Uint && a.value === b.value;
  if (a instanceof Duration) return b instanceof Duration && a.nanos === b.nanos;
  if (a instanceof Timestamp) {
    return b instanceof Timestamp && a.seconds === b.seconds && a.nanos === b.nanos && hasSameZone(a, b);
  }
  if (a instanceof TypeValue) return b instanceof TypeValue && a.named.name === b.named.name;
  if (a instanceof LibraryValue) return a.equals(b) === true;
  if (a instanceof Optional) return b instanceof Optional && isSameStructure(a.value ?? null, b.value ?? null);
  if (a instanceof ConstructedValue) return b instanceof ConstructedValue && hasSameFields(a, b);
  if (a instanceof MapValue) return b instanceof MapValue && hasSameEntries(a, b);
  if (isList(a) || isList(b)) return false;
  if (isBytes(a)) return isBytes(b) && Buffer.compare(a, b) === 0;
  return isPlainObject(a) && isPlainObject(b) && jsonEquals(a, b);
}

function hasSameZone(a: Timestamp, b: Timestamp): boolean {
  return a.offsetMinutes === b.offsetMinutes;
}

function hasSameFields(a: ConstructedValue, b: ConstructedValue): boolean {
  if (a.type.name !== b.type.name || a.fields.size !== b.fields.size) return false;
  return [...a.fields].every(
    ([name, value]) => b.fields.has(name) && isSameStructure(value, b.fields.get(name) ?? null),
  );
}

function hasSameEntries(a: MapValue, b: MapValue): boolean {
  if (a.size !== b.size) return false;
  return keysOf(a).every((key) => {
    const other = findIn(b, key);
    return other !== undefined && isSameStructure(findIn(a, key) ?? null, other);
  });
}
