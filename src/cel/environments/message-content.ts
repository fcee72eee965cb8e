import { ProtobufError, WireReader, wireTypes } from '../../api/bytes/wire-reader.ts';
import { MapValue } from '../values/collections.ts';
import type { NativeType } from '../values/native.ts';
import { Double, type Int, Uint, type Value } from '../values/value.ts';

export type FieldType = NativeType | 'list' | 'map';

/** `[field, type]`; the first row is the field with number 1. */
export type FieldRow = readonly [name: string, type: FieldType];

/** The fields of google.protobuf.Value: the one that is set determines the type. */
export const valueRows: readonly FieldRow[] = [
  ['null_value', 'enum'],
  ['number_value', 'double'],
  ['string_value', 'string'],
  ['bool_value', 'bool'],
  ['struct_value', 'struct'],
  ['list_value', 'listValue'],
];

const entryRows: readonly FieldRow[] = [
  ['key', 'string'],
  ['value', 'json'],
];

/**
 * The fields of a message in the encoding of protobuf. Those of unknown numbers, or of another type, are skipped.
 * Throws a ProtobufError.
 */
export function readFields(bytes: Uint8Array, rows: readonly FieldRow[]): Map<string, Value> {
  const fields = new Map<string, Value>();
  const reader = new WireReader(bytes);
  while (!reader.done) {
    const { number, wireType } = reader.tag();
    const [name, type] = rows[number - 1] ?? [];
    if (name === undefined || type === undefined || wireType !== wireTypeOf(type)) reader.skip(wireType);
    else fields.set(name, readers[type](reader, fields.get(name)));
  }
  return fields;
}

function wireTypeOf(type: FieldType): number {
  if (type === 'double') return wireTypes.fixed64;
  if (type === 'float') return wireTypes.fixed32;
  return lengthDelimited.has(type) ? wireTypes.bytes : wireTypes.varint;
}

const lengthDelimited: ReadonlySet<FieldType> = new Set([
  'bytes',
  'string',
  'json',
  'struct',
  'map',
  'list',
  'listValue',
] as const);

/** `before`: what a repeated field has so far. */
type Reader = (reader: WireReader, before: Value | undefined) => Value;

const readers: { readonly [type in FieldType]: Reader } = {
  bool: (reader) => reader.varint() !== 0n,
  bytes: (reader) => reader.bytes().slice(),
  string: (reader) => text(reader.bytes()),
  double: (reader) => new Double(reader.double()),
  float: (reader) => new Double(reader.float()),
  enum: (reader) => asInt(BigInt.asIntN(32, reader.varint())),
  int32: (reader) => asInt(BigInt.asIntN(32, reader.varint())),
  int64: (reader) => asInt(BigInt.asIntN(64, reader.varint())),
  uint32: (reader) => Uint.of(asInt(BigInt.asUintN(32, reader.varint()))),
  uint64: (reader) => Uint.of(asInt(reader.varint())),
  json: (reader) => anyValue(reader.bytes()),
  struct: (reader) => readFields(reader.bytes(), [['fields', 'map']]).get('fields') ?? new MapValue(),
  map: (reader, before) => withEntry(before instanceof MapValue ? before : new MapValue(), reader.bytes()),
  listValue: (reader) => readFields(reader.bytes(), [['values', 'list']]).get('values') ?? [],
  list: (reader, before) => [...(Array.isArray(before) ? before : []), anyValue(reader.bytes())],
};

function anyValue(bytes: Uint8Array): Value {
  const set = [...readFields(bytes, valueRows)].at(-1);
  return set === undefined || set[0] === 'null_value' ? null : set[1];
}

function withEntry(map: MapValue, bytes: Uint8Array): MapValue {
  const entry = readFields(bytes, entryRows);
  map.set(entry.get('key') ?? '', entry.get('value') ?? null);
  return map;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function text(bytes: Uint8Array): string {
  const found = decoded(bytes);
  if (found === undefined) throw new ProtobufError('proto: field contains invalid UTF-8');
  return found;
}

/** Bytes as protobuf's text format quotes them. */
export function quotedBytes(bytes: Uint8Array): string {
  let quoted = '';
  for (let at = 0; at < bytes.length;) {
    const lead = bytes[at] ?? 0; // within bounds
    const length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    const character = decoded(bytes.subarray(at, at + length));
    quoted += character === undefined ? hexadecimal(lead) : character.replace(mustEscape, escaped);
    at += character === undefined ? 1 : length;
  }
  return `"${quoted}"`;
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

// oxlint-disable-next-line no-control-regex -- control characters are what is escaped
const mustEscape = /[\u0000-\u001f"\\\u007f-\u009f]/;
const shortEscapes: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
] as const);

function escaped(character: string): string {
  const code = character.charCodeAt(0);
  const long = code < 0x80 ? hexadecimal(code) : `\\u${code.toString(16).padStart(4, '0')}`;
  return shortEscapes.get(character) ?? long;
}

function hexadecimal(byte: number): string {
  return `\\x${byte.toString(16).padStart(2, '0')}`;
}

function asInt(value: bigint): Int {
  const plain = Number(value);
  return Number.isSafeInteger(plain) ? plain : value;
}
