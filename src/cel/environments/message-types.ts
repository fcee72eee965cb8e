import { ProtobufError } from '../../api/bytes/wire-reader.ts';
import { declaredText, listType, mapType, nullableType, structType, types, type CelType } from '../types/cel-type.ts';
import { isList, isMap, MapValue } from '../values/collections.ts';
import { ConstructedMessage } from '../values/constructed.ts';
import { addInt, multiplyInt } from '../values/int64.ts';
import { itemsAsJson, membersAsJson, type NativeType, toNative } from '../values/native.ts';
import { type FieldRow, type FieldType, quotedBytes, readFields, valueRows } from './message-content.ts';
import { laterSeconds } from '../values/times.ts';
import { typeOf } from '../values/type-of.ts';
import {
  CelError,
  Double,
  Duration,
  type Int,
  isBytes,
  isError,
  Timestamp,
  Uint,
  type Value,
} from '../values/value.ts';

/** A message type that can be constructed, as in `google.protobuf.Duration{seconds: 5}`. */
export interface MessageType {
  readonly type: CelType;
  readonly fields: ReadonlyMap<string, CelType>;
  /** Its fields by number, from 1 on. */
  readonly rows: readonly FieldRow[];
  construct(fields: ReadonlyMap<string, Value>): Value;
}

/** A type that is found by its name, and constructed. */
export interface ConstructibleType {
  readonly type: CelType;
  fieldType(name: string): CelType | undefined;
  construct(fields: ReadonlyMap<string, Value>): Value;
}

const { bool, bytes, double, duration, dyn, int, string, timestamp, uint } = types;
const anyList = listType(dyn);
const anyMap = mapType(string, dyn);

const fieldTypes: { readonly [K in FieldType]: CelType } = {
  bool,
  bytes,
  double,
  string,
  float: double,
  enum: int,
  int32: int,
  int64: int,
  uint32: uint,
  uint64: uint,
  json: dyn,
  struct: anyMap,
  map: anyMap,
  list: anyList,
  listValue: anyList,
};

/** What the fields of a message make; they fit. */
type Make = (fields: ReadonlyMap<string, Value>) => Value;

function message(name: string, type: CelType, rows: readonly FieldRow[], make: Make): readonly [string, MessageType] {
  const fields = new Map(rows.map(([field, fieldType]) => [field, fieldTypes[fieldType]] as const));
  const known = new Map(rows);
  const construct: Make = (given) => {
    const values = new Map<string, Value>();
    for (const [field, value] of given) {
      const native = fieldValue(value, { name: `${name}.${field}`, type: known.get(field) ?? 'json' });
      if (isError(native)) return native;
      values.set(field, native);
    }
    return make(values);
  };
  return [name, { type, fields, rows, construct }];
}

function fieldValue(value: Value, { name, type }: { readonly name: string; readonly type: FieldType }): Value {
  const native = type === 'list' || type === 'map' ? membersOf(value, type) : toNative(value, type);
  if (native === undefined) return new CelError(`unsupported field type for ${name}: ${declaredText(typeOf(value))}`);
  return isError(native)
    ? new CelError(`field type conversion error for ${name} value type: ${native.message}`)
    : native;
}

/** The members of a repeated field; undefined for a value that has none. */
function membersOf(value: Value, type: 'list' | 'map'): Value | undefined {
  if (type === 'list') return isList(value) ? itemsAsJson(value) : undefined;
  return isMap(value) ? membersAsJson(value) : undefined;
}

function only(field: string, zero: Value): Make {
  return (fields) => fields.get(field) ?? zero;
}

/** Nullable values; an empty message is the zero value. */
function wrapper(
  name: string,
  [type, field]: readonly [CelType, NativeType],
  zero: Value,
): readonly [string, MessageType] {
  return message(`google.protobuf.${name}`, nullableType(type), [['value', field]], only('value', zero));
}

const secondsAndNanos = [
  ['seconds', 'int64'],
  ['nanos', 'int32'],
] as const;

const maxInt64 = 2n ** 63n - 1n;
const minInt64 = -(2n ** 63n);

/** What is too long is as long as possible. */
function durationOf(fields: ReadonlyMap<string, Value>): Value {
  const seconds = (fields.get('seconds') ?? 0) as Int; // by its field type
  const nanos = multiplyInt(seconds, 1_000_000_000);
  const all = isError(nanos) ? nanos : addInt(nanos, (fields.get('nanos') ?? 0) as Int);
  return new Duration(isError(all) ? (seconds < 0 ? minInt64 : maxInt64) : all);
}

const nanosPerSecond = 1_000_000_000;

/** Any number of nanoseconds. */
function timestampOf(fields: ReadonlyMap<string, Value>): Value {
  const nanos = Number(fields.get('nanos') ?? 0);
  const more = Math.floor(nanos / nanosPerSecond);
  const seconds = (fields.get('seconds') ?? 0) as Int; // by its field type
  return new Timestamp(laterSeconds(seconds, more), nanos - more * nanosPerSecond);
}

/** google.protobuf.Value: the field that is set determines the type. */
function valueOf(fields: ReadonlyMap<string, Value>): Value {
  const [field] = fields;
  return field === undefined || field[0] === 'null_value' ? null : field[1];
}

/** A message that is no type of CEL. `zeros`: the values of its fields when they are not set. */
function plainMessage(
  name: string,
  rows: readonly FieldRow[],
  zeros: readonly Value[],
): readonly [string, MessageType] {
  const type = structType(`google.protobuf.${name}`);
  const all = new Map(rows.map(([field], index) => [field, zeros[index] ?? null] as const));
  return message(type.name, type, rows, (fields) => new ConstructedMessage(type, fields, all));
}

const wrappers = [
  wrapper('BoolValue', [bool, 'bool'], false),
  wrapper('BytesValue', [bytes, 'bytes'], new Uint8Array()),
  wrapper('DoubleValue', [double, 'double'], new Double(0)),
  wrapper('FloatValue', [double, 'float'], new Double(0)),
  wrapper('Int64Value', [int, 'int64'], 0),
  wrapper('Int32Value', [int, 'int32'], 0),
  wrapper('UInt64Value', [uint, 'uint64'], Uint.of(0)),
  wrapper('UInt32Value', [uint, 'uint32'], Uint.of(0)),
  wrapper('StringValue', [string, 'string'], ''),
];

const others = [
  plainMessage('Empty', [], []),
  plainMessage(
    'Struct.FieldsEntry',
    [
      ['key', 'string'],
      ['value', 'json'],
    ],
    [''],
  ),
  message('google.protobuf.Duration', duration, secondsAndNanos, durationOf),
  message('google.protobuf.Timestamp', timestamp, secondsAndNanos, timestampOf),
  message('google.protobuf.ListValue', anyList, [['values', 'list']], only('values', [])),
  message('google.protobuf.Struct', anyMap, [['fields', 'map']], only('fields', new MapValue())),
  message('google.protobuf.Value', dyn, valueRows, valueOf),
];

/** The message in an Any, if it is one of these. */
function unpacked(fields: ReadonlyMap<string, Value>): Value {
  const inner = messageTypes.get(typeNameOf(fields));
  const read = inner === undefined ? undefined : contentOf(inner, fields.get('value'));
  const value = inner === undefined || read === undefined ? undefined : inner.construct(read);
  const isUnknown = value === undefined || (inner === any[1] && value instanceof CelError);
  return isUnknown ? new CelError(`unsupported conversion to ref.Val: (*dynamicpb.Message)${anyText(fields)}`) : value;
}

function urlOf(fields: ReadonlyMap<string, Value>): string {
  const given = fields.get('type_url');
  return typeof given === 'string' ? given : '';
}

/** Empty when there is no URL. */
function typeNameOf(fields: ReadonlyMap<string, Value>): string {
  return urlOf(fields).split('/').at(-1) ?? '';
}

/** Undefined for what is no such message. */
function contentOf({ rows }: MessageType, content: Value | undefined): Map<string, Value> | undefined {
  try {
    return readFields(content !== undefined && isBytes(content) ? content : new Uint8Array(), rows);
  } catch (error) {
    if (error instanceof ProtobufError) return undefined;
    throw error;
  }
}

/** As protobuf prints it: an Any in it with its fields. */
function anyText(fields: ReadonlyMap<string, Value>): string {
  const [url, content] = [urlOf(fields), fields.get('value')];
  const inner = typeNameOf(fields) === any[0] ? contentOf(any[1], content) : undefined;
  if (inner !== undefined) return `[${url}]:{${anyText(inner)}}`;
  const texts = [url === '' ? '' : `type_url:${quotedBytes(Buffer.from(url))}`];
  if (content !== undefined && isBytes(content) && content.length > 0) {
    texts.push(`value:${quotedBytes(content)}`);
  }
  return texts.filter((text) => text !== '').join(' ');
}

const any = message(
  'google.protobuf.Any',
  types.any,
  [
    ['type_url', 'string'],
    ['value', 'bytes'],
  ],
  unpacked,
);

/** Message types built into CEL. */
export const messageTypes: ReadonlyMap<string, MessageType> = new Map([...wrappers, ...others, any]);
