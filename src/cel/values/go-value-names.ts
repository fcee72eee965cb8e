import { isList, isMap } from './collections.ts';
import { ConstructedObject, ConstructedValue } from './constructed.ts';
import { wrappedTypeName } from './wrapped-types.ts';
import {
  Double,
  Duration,
  isBytes,
  isInt,
  isPlainObject,
  LibraryValue,
  Optional,
  Timestamp,
  Uint,
  type Value,
} from './value.ts';

/** The Go type of what a value holds, as messages print it: `int64`. */
export function goValueName(value: Value | undefined): string {
  if (value === undefined) return '<nil>';
  if (value === null) return 'structpb.NullValue';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  if (isInt(value)) return 'int64';
  if (value instanceof Uint) return 'uint64';
  if (value instanceof Double) return 'float64';
  if (isBytes(value)) return '[]uint8';
  if (value instanceof Duration) return 'time.Duration';
  if (value instanceof Timestamp) return 'time.Time';
  if (value instanceof Optional) return goValueName(value.value);
  if (value instanceof LibraryValue) return wrappedTypeName(value.goType) ?? value.goType;
  if (isList(value)) return Array.isArray(value) ? '[]ref.Val' : '[]interface {}';
  if (value instanceof ConstructedObject || isPlainObject(value)) return 'map[string]interface {}';
  if (isMap(value)) return 'map[ref.Val]ref.Val';
  return value instanceof ConstructedValue ? value.goType.replace('types.protoObj', 'dynamicpb.Message') : 'string';
}
