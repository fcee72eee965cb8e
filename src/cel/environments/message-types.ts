import { listType, mapType, nullableType, types, type CelType } from '../types/cel-type.ts';
import { findIn, isList, isMap, itemsOf, keysOf, MapValue } from '../values/collections.ts';
import { addInt, multiplyInt } from '../values/int64.ts';
import { minSeconds, maxSeconds, timestampOverflow } from '../values/times.ts';
import { CelError, Double, Duration, type Int, Timestamp, Uint, type Value } from '../values/value.ts';

/** A message type that can be constructed, as in `google.protobuf.Duration{seconds: 5}`. */
export interface MessageType {
  readonly type: CelType;
  readonly fields: ReadonlyMap<string, CelType>;
  construct(fields: ReadonlyMap<string, Value>): Value;
}

/** A type that is found by its name, and constructed. */
export interface ConstructibleType {
  readonly type: CelType;
  fieldType(name: string): CelType | undefined;
  construct(fields: ReadonlyMap<string, Value>): Value;
}

const { bool, bytes, double, duration, dyn, int, string, timestamp, uint } = types;

/** Nullable values; an empty message is the zero value. */
function wrapper(type: CelType, zero: Value, convert = (value: Value): Value => value): MessageType {
  return {
    type: nullableType(type),
    fields: new Map([['value', type]]),
    construct: (fields) => convert(fields.get('value') ?? zero),
  };
}

const secondsAndNanos = new Map([
  ['seconds', int],
  ['nanos', int],
]);

function durationOf(fields: ReadonlyMap<string, Value>): Value {
  const seconds = multiplyInt((fields.get('seconds') ?? 0) as Int, 1_000_000_000);
  if (seconds instanceof CelError) return seconds;
  const nanos = addInt(seconds, (fields.get('nanos') ?? 0) as Int);
  return nanos instanceof CelError ? nanos : new Duration(nanos);
}

function timestampOf(fields: ReadonlyMap<string, Value>): Value {
  const seconds = (fields.get('seconds') ?? 0) as Int;
  if (seconds < minSeconds || seconds > maxSeconds) return timestampOverflow;
  return new Timestamp(Number(seconds), Number(fields.get('nanos') ?? 0));
}

/** google.protobuf.Value: the field that is set determines the type. */
const jsonValue: MessageType = {
  type: dyn,
  fields: new Map([
    ['null_value', types.int],
    ['number_value', double],
    ['string_value', string],
    ['bool_value', bool],
    ['struct_value', mapType(string, dyn)],
    ['list_value', listType(dyn)],
  ]),
  construct(fields) {
    const [field] = fields;
    return field === undefined || field[0] === 'null_value' ? null : jsonOf(field[1]);
  },
};

/** All JSON numbers are doubles, and unsafe integers become strings. */
function jsonOf(value: Value): Value {
  if (isList(value)) return [...itemsOf(value)].map(jsonOf);
  if (isMap(value)) {
    const map = new MapValue();
    for (const key of keysOf(value)) map.set(key, jsonOf(findIn(value, key) ?? null));
    return map;
  }
  const number = value instanceof Uint ? value.value : value;
  if (typeof number === 'number') return new Double(number);
  return typeof number === 'bigint' ? String(number) : value;
}

function inRange(min: number, max: number, problem: string): (value: Value) => Value {
  const refused = new CelError(problem);
  return (value) => {
    const number = value instanceof Uint ? value.value : (value as Int);
    return number < min || number > max ? refused : value;
  };
}

const int32 = inRange(-(2 ** 31), 2 ** 31 - 1, 'integer overflow');
const uint32 = inRange(0, 2 ** 32 - 1, 'unsigned integer overflow');
const float = (value: Value): Value => new Double(Math.fround((value as Double).value));

/** Message types built into CEL. */
export const messageTypes: ReadonlyMap<string, MessageType> = new Map([
  ['google.protobuf.BoolValue', wrapper(bool, false)],
  ['google.protobuf.BytesValue', wrapper(bytes, new Uint8Array())],
  ['google.protobuf.DoubleValue', wrapper(double, new Double(0))],
  ['google.protobuf.FloatValue', wrapper(double, new Double(0), float)],
  ['google.protobuf.Int64Value', wrapper(int, 0)],
  ['google.protobuf.Int32Value', wrapper(int, 0, int32)],
  ['google.protobuf.UInt64Value', wrapper(uint, Uint.of(0))],
  ['google.protobuf.UInt32Value', wrapper(uint, Uint.of(0), uint32)],
  ['google.protobuf.StringValue', wrapper(string, '')],
  ['google.protobuf.Duration', { type: duration, fields: secondsAndNanos, construct: durationOf }],
  ['google.protobuf.Timestamp', { type: timestamp, fields: secondsAndNanos, construct: timestampOf }],
  ['google.protobuf.Value', jsonValue],
  [
    'google.protobuf.ListValue',
    {
      type: listType(dyn),
      fields: new Map([['values', listType(dyn)]]),
      construct: (fields) => jsonOf(fields.get('values') ?? []),
    },
  ],
  [
    'google.protobuf.Struct',
    {
      type: mapType(string, dyn),
      fields: new Map([['fields', mapType(string, dyn)]]),
      construct: (fields) => {
        const given = fields.get('fields') ?? new MapValue();
        return isMap(given) ? jsonOf(given) : new CelError('unsupported type conversion');
      },
    },
  ],
]);
