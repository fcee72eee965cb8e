import { formatDuration } from '../../api/duration.ts';
import type { JsonObject, JsonValue } from '../../api/json.ts';
import { zeroTextOf } from '../../schema/decode-scalars.ts';
import type { Schema, SchemaFormat } from '../../schema/schema.ts';
import { parseJson } from '../json.ts';
import { JsonSyntaxError } from '../json-syntax.ts';
import { ProtobufError, WireReader, wireTypes } from '../../api/wire-reader.ts';

interface ScalarContext {
  readonly wireType: number;
  decodeObject(schema: Schema, bytes: Uint8Array): JsonObject;
}

/** Reads one scalar, or one value of a type with a wire form of its own. */
export function decodeScalar(schema: Schema, reader: WireReader, context: ScalarContext): JsonValue {
  const { wireType } = context;
  switch (schema.type) {
    case 'integer':
      return integer(reader, wireType, schema.format?.startsWith('uint') === true);
    case 'boolean':
      need(wireType, wireTypes.varint);
      return reader.varint() !== 0n;
    case 'number':
      if (schema.format === 'float' && wireType === wireTypes.fixed32) return reader.float();
      need(wireType, wireTypes.fixed64);
      return reader.double();
    default:
      need(wireType, wireTypes.bytes);
      return ofBytes(schema, reader.bytes(), context);
  }
}

function integer(reader: WireReader, wireType: number, unsigned: boolean): JsonValue {
  need(wireType, wireTypes.varint);
  const raw = reader.varint();
  return plainInteger(unsigned ? raw : BigInt.asIntN(64, raw));
}

function plainInteger(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

type BytesReader = (bytes: Uint8Array, schema: Schema, context: ScalarContext) => JsonValue;

/** Messages that JSON writes as something else. Numbers are those of the public .proto files. */
const messageFormats: { readonly [format in SchemaFormat]?: BytesReader } = {
  byte: (bytes) => Buffer.from(bytes).toString('base64'),
  'date-time': timeText,
  'micro-time': timeText,
  duration: (bytes) => formatDuration(BigInt.asIntN(64, fieldsOf(bytes).get(1)?.integer ?? 0n)),
  quantity: (bytes) => textOf(fieldsOf(bytes).get(1)?.bytes),
  'int-or-string': intOrString,
  'raw-extension': (bytes) => jsonOf(fieldsOf(bytes).get(1)?.bytes),
  'fields-v1': (bytes) => fieldsV1Of(fieldsOf(bytes).get(1)?.bytes),
  json: (bytes) => jsonOf(fieldsOf(bytes).get(1)?.bytes),
  'schema-or-bool': (bytes, schema, context) => {
    const fields = fieldsOf(bytes);
    const inner = fields.get(2)?.bytes;
    return inner === undefined ? fields.get(1)?.integer === 1n : innerSchema(schema, inner, context);
  },
  'schema-or-array': (bytes, schema, context) => {
    const fields = fieldsOf(bytes);
    const one = fields.get(1)?.bytes;
    if (one !== undefined) return innerSchema(schema, one, context);
    return (fields.get(2)?.all ?? []).map((each) => innerSchema(schema, each, context));
  },
  'schema-or-strings': (bytes, schema, context) => {
    const fields = fieldsOf(bytes);
    const one = fields.get(1)?.bytes;
    if (one !== undefined) return innerSchema(schema, one, context);
    return (fields.get(2)?.all ?? []).map((each) => textOf(each));
  },
};

function ofBytes(schema: Schema, bytes: Uint8Array, context: ScalarContext): JsonValue {
  const special = schema.format === undefined ? undefined : messageFormats[schema.format];
  return special === undefined ? textOf(bytes) : special(bytes, schema, context);
}

function innerSchema({ items }: Schema, bytes: Uint8Array, context: ScalarContext): JsonObject {
  if (items === undefined) throw new ProtobufError('proto: a union without a schema');
  return context.decodeObject(items, bytes);
}

interface RawField {
  readonly integer: bigint;
  readonly bytes: Uint8Array | undefined;
  /** Every occurrence of a repeated field. */
  readonly all: readonly Uint8Array[];
}

/** The fields of a small message. */
function fieldsOf(bytes: Uint8Array): ReadonlyMap<number, RawField> {
  const fields = new Map<number, RawField>();
  const reader = new WireReader(bytes);
  while (!reader.done) {
    const { number, wireType } = reader.tag();
    const before = fields.get(number)?.all ?? [];
    if (wireType === wireTypes.varint) fields.set(number, { integer: reader.varint(), bytes: undefined, all: before });
    else if (wireType === wireTypes.bytes) {
      const part = reader.bytes();
      fields.set(number, { integer: 0n, bytes: part, all: [...before, part] });
    } else reader.skip(wireType);
  }
  return fields;
}

/** A Timestamp; an empty one is the zero time. */
function timeText(bytes: Uint8Array, schema: Schema): string {
  if (bytes.length === 0) return zeroTextOf(schema);
  const fields = fieldsOf(bytes);
  const seconds = Number(BigInt.asIntN(64, fields.get(1)?.integer ?? 0n));
  const nanos = Number(BigInt.asIntN(64, fields.get(2)?.integer ?? 0n));
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) throw new ProtobufError(`proto: time out of range: ${seconds}`);
  const text = date.toISOString().slice(0, 19);
  return schema.format === 'date-time' ? `${text}Z` : `${text}.${String(Math.floor(nanos / 1000)).padStart(6, '0')}Z`;
}

function intOrString(bytes: Uint8Array): JsonValue {
  const fields = fieldsOf(bytes);
  if ((fields.get(1)?.integer ?? 0n) === 1n) return textOf(fields.get(3)?.bytes);
  return plainInteger(BigInt.asIntN(32, fields.get(2)?.integer ?? 0n));
}

function jsonOf(bytes: Uint8Array | undefined): JsonValue {
  if (bytes === undefined || bytes.length === 0) return null;
  try {
    return parseJson(bytes).value;
  } catch (error) {
    throw error instanceof JsonSyntaxError ? new ProtobufError(error.message) : error;
  }
}

/** Nobody reads them but who tracks owners, who passes over what is no set of fields. */
function fieldsV1Of(bytes: Uint8Array | undefined): JsonValue {
  try {
    return jsonOf(bytes);
  } catch (error) {
    if (!(error instanceof ProtobufError)) throw error;
    return textOf(bytes);
  }
}

function textOf(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? '' : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

function need(actual: number, wanted: number): void {
  if (actual !== wanted) throw new ProtobufError(`proto: wrong wireType = ${actual}`);
}
