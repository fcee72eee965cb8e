import { declaredText } from '../types/cel-type.ts';
import { findIn, isList, isMap, itemsOf, keysOf, MapValue } from './collections.ts';
import { ConstructedMessage, ConstructedObject, ConstructedPatch } from './constructed.ts';
import { convert } from './conversions.ts';
import { valueText } from './texts.ts';
import { TypedList, TypedMap, TypedObject } from './typed.ts';
import { typeOf } from './type-of.ts';
import {
  CelError,
  Double,
  Duration,
  isBytes,
  isError,
  isInt,
  LibraryValue,
  Optional,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from './value.ts';

/* Values as fields of messages: what fits, and what the reference says where nothing does. */

export type NativeType = keyof typeof goNames;

/** Types of fields, and their names in messages. */
const goNames = {
  bool: 'bool',
  bytes: '[]uint8',
  double: 'float64',
  enum: 'protoreflect.EnumNumber',
  float: 'float32',
  int32: 'int32',
  int64: 'int64',
  json: '*structpb.Value',
  listValue: '*structpb.ListValue',
  string: 'string',
  struct: '*structpb.Struct',
  uint32: 'uint32',
  uint64: 'uint64',
} as const;

const messageNames: { readonly [K in NativeType]?: string } = {
  listValue: 'google.protobuf.ListValue',
  struct: 'google.protobuf.Struct',
};

/** The value of a field; an error where the value does not fit. */
export function toNative(value: Value, target: NativeType): Value {
  if (isError(value)) return value;
  if (value instanceof Optional) {
    return value.value === undefined ? new CelError('optional.none() dereference') : toNative(value.value, target);
  }
  const fits = fitting[target](value);
  return fits === undefined ? new CelError(nativeProblem(value, target)) : fits;
}

/** What fits, converted; undefined for values that do not. */
const fitting: { readonly [K in NativeType]: (value: Value) => Value | undefined } = {
  bool: (value) => (typeof value === 'boolean' ? value : undefined),
  bytes: (value) => (isBytes(value) ? value : isList(value) ? bytesOf(value) : undefined),
  double: (value) => (value instanceof Double ? value : undefined),
  enum: (value) => int32(value),
  float: (value) => (value instanceof Double ? new Double(Math.fround(value.value)) : undefined),
  int32: (value) => int32(value),
  int64: (value) => (isInt(value) ? value : undefined),
  json: jsonOf,
  listValue: (value) => ((isList(value) || isEmptyMap(value)) && !isTyped(value) ? itemsAsJson(value) : undefined),
  string: stringField,
  struct: structOf,
  uint32: (value) => {
    if (!(value instanceof Uint)) return undefined;
    return value.value > 2 ** 32 - 1 ? new CelError('unsigned integer overflow') : value;
  },
  uint64: (value) => (value instanceof Uint ? value : undefined),
};

function int32(value: Value): Value | undefined {
  if (!isInt(value)) return undefined;
  return value < -(2 ** 31) || value > 2 ** 31 - 1 ? new CelError('integer overflow') : value;
}

/** Lists are converted by item, and no item is a byte. */
function bytesOf(value: Value): Value {
  const [first] = isList(value) ? [...itemsOf(value)] : [];
  return first === undefined ? new Uint8Array() : new CelError(problemOf(first, 'uint8'));
}

function stringField(value: Value): Value | undefined {
  if (typeof value === 'string') return value;
  return value instanceof LibraryValue && value.hasText ? value.text : undefined;
}

/** All JSON numbers are doubles, and unsafe integers become strings. */
function jsonOf(value: Value): Value | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (value instanceof Double) return value;
  const number = value instanceof Uint ? value.value : value;
  if (typeof number === 'number') return new Double(number);
  if (typeof number === 'bigint') return String(number);
  if (isBytes(value)) return Buffer.from(value).toString('base64');
  if (value instanceof Duration || value instanceof Timestamp) return convert(value, 'string');
  if (isTyped(value)) return undefined;
  return isList(value) ? itemsAsJson(value) : structOf(value);
}

/** The items of a list as JSON values; an error where one is none. */
export function itemsAsJson(value: Value): Value {
  const items: Value[] = [];
  for (const item of isList(value) ? itemsOf(value) : []) {
    const json = toNative(item, 'json');
    if (isError(json)) return json;
    items.push(json);
  }
  return items;
}

function structOf(value: Value): Value | undefined {
  if (isMap(value)) return isTyped(value) ? undefined : membersAsJson(value);
  return value instanceof ConstructedObject || value instanceof ConstructedMessage
    ? mapOf([...value.fields])
    : undefined;
}

/** The members of a map, whose keys are texts, as JSON values; an error where one is none. */
export function membersAsJson(value: Value): Value {
  return mapOf(isMap(value) ? keysOf(value).map((key) => [key, findIn(value, key) ?? null]) : []);
}

/** Values of a schema are converted by item only. */
function isTyped(value: Value): boolean {
  return value instanceof TypedList || value instanceof TypedObject || value instanceof TypedMap;
}

function mapOf(entries: readonly (readonly [key: Value, value: Value])[]): Value {
  const map = new MapValue();
  for (const [key, value] of entries) {
    const name = toNative(key, 'string');
    const json = isError(name) ? name : toNative(value, 'json');
    if (isError(json)) return json;
    map.set(name, json);
  }
  return map;
}

function isEmptyMap(value: Value): boolean {
  return isMap(value) && keysOf(value).length === 0;
}

/** Why a value is no value of a field. */
export function nativeProblem(value: Value, target: NativeType): string {
  const name = goNames[target];
  const message = messageNames[target];
  if (value instanceof ConstructedMessage && message !== undefined) {
    const why = `pb.Merge() arguments must be the same type. got: ${message}, ${value.type.name}`;
    return `type conversion error: ${why}`;
  }
  if (target === 'listValue' && isMap(value) && !isTyped(value)) return noFieldProblem(keysOf(value));
  return problemOf(value, name);
}

/** Maps are converted to structs of Go by field. */
function noFieldProblem([key = '']: readonly Value[]): string {
  const text = valueText(key);
  const name = text.charAt(0).toUpperCase() + text.slice(1);
  return `type conversion error, no such field '${name}' in type 'structpb.ListValue'`;
}

function problemOf(value: Value, target: string): string {
  if (isInt(value)) return `unsupported type conversion from 'int' to ${target}`;
  if (value instanceof Uint) return `unsupported type conversion from 'uint' to ${target}`;
  if (typeof value === 'string') return `unsupported native conversion from string to '${target}'`;
  if (value instanceof TypeValue) return "type conversion not supported for 'type'";
  if (value instanceof ConstructedObject) return `unable to convert to ${target}`;
  if (value instanceof ConstructedPatch) return `cannot convert to native type: ${target}`;
  return `type conversion error from ${sourceName(value)} to '${target}'`;
}

function sourceName(value: Value): string {
  if (value === null) return "'null_type'";
  if (typeof value === 'boolean') return 'bool';
  if (value instanceof Double) return 'Double';
  if (isBytes(value)) return 'Bytes';
  if (isTyped(value)) return `'${declaredText(typeOf(value))}'`;
  if (isList(value)) return 'list';
  if (isMap(value)) return 'map';
  if (value instanceof Duration) return "'Duration'";
  if (value instanceof Timestamp) return "'Timestamp'";
  if (value instanceof ConstructedMessage) return "'*dynamicpb.Message'";
  if (value instanceof LibraryValue && value.goType.includes('cel.'))
    return `'${value.goType.replace(/^\*?cel\./, '')}'`;
  return `'${declaredText(typeOf(value))}'`;
}
