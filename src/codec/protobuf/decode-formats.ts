import { formatDuration } from '../../api/time/duration.ts';
import type { JsonObject, JsonValue } from '../../api/json/json.ts';
import type { JsonSource } from '../../api/json/json-tree.ts';
import { canonicalQuantity, QuantityError } from '../../api/values/quantity.ts';
import { sharedFieldsOf } from '../../api/json/shared-fields.ts';
import { formatMicroTime, formatTime } from '../../api/time/time.ts';
import { ProtobufError, wireTypes } from '../../api/bytes/wire-reader.ts';
import { rawValue, valueWithoutNegativeZeros } from '../../schema/decode-kept.ts';
import { canonicalZero } from '../../schema/decode-scalars.ts';
import type { Schema, SchemaFormat } from '../../schema/schema.ts';
import { parseDeepJson } from '../json.ts';
import { JsonSyntaxError } from '../json-syntax.ts';
import type { MessageReader } from './message-reader.ts';

/** Reads an object, starting at its length. */
type ObjectReader = (reader: MessageReader, schema: Schema) => JsonObject;

/** Reads a value, starting at its length; null is absent. */
type Format = (schema: Schema, readObject: ObjectReader) => (reader: MessageReader) => JsonValue;

/** Readers of JSON scalars that are messages or bytes in protobuf; undefined for others. */
export function scalarFormat(
  schema: Schema,
  readObject: ObjectReader,
): ((reader: MessageReader) => JsonValue) | undefined {
  const format = schema.format === undefined ? undefined : formats[schema.format];
  return format?.(schema, readObject);
}

/** Field numbers are those of the public .proto files. */
const formats: { readonly [format in SchemaFormat]?: Format } = {
  byte: () => (reader) => reader.content().toString('base64'),
  'date-time': (schema) => (reader) => time(reader, formatTime) ?? canonicalZero(schema),
  'micro-time': (schema) => (reader) => time(reader, formatMicroTime) ?? canonicalZero(schema),
  duration: () => duration,
  quantity: () => quantity,
  'int-or-string': () => intOrString,
  'raw-extension': () => (reader) => rawOf(contentIn(reader, 'RawExtension')),
  'fields-v1': () => (reader) => fieldsOf(contentIn(reader, 'FieldsV1')),
  json: () => (reader) => jsonOf(contentIn(reader, 'JSON')),
  'schema-or-bool': schemaOrBool,
  'schema-or-array': schemaOrList,
  'schema-or-strings': schemaOrList,
};

/** Reads the fields of a small message; `read` skips unknown ones. */
function fields(reader: MessageReader, message: string, read: (tag: number) => void): void {
  const outer = reader.open();
  while (reader.at < reader.end) read(reader.tag(message));
  reader.close(outer);
}

const varint1 = 8 + wireTypes.varint;
const varint2 = 16 + wireTypes.varint;
const bytes1 = 8 + wireTypes.bytes;
const bytes2 = 16 + wireTypes.bytes;
const bytes3 = 24 + wireTypes.bytes;

/** The range of Date. */
const maxSeconds = 8_640_000_000_000;

/** A Timestamp; undefined for an empty one, which is the zero time. */
function time(reader: MessageReader, format: (time: { epochMs: number; nanos: number }) => string): string | undefined {
  let seconds = 0;
  let nanos = 0;
  const start = reader.at;
  fields(reader, 'Timestamp', (tag) => {
    if (tag === varint1) seconds = Number(reader.int64());
    else if (tag === varint2) nanos = reader.int32();
    else reader.skip(tag);
  });
  if (reader.at === start + 1) return undefined;
  if (Math.abs(seconds) > maxSeconds) throw new ProtobufError(`proto: time out of range: ${seconds}`);
  return format({ epochMs: seconds * 1000, nanos });
}

function duration(reader: MessageReader): JsonValue {
  let nanos = 0n;
  fields(reader, 'Duration', (tag) => {
    if (tag === varint1) nanos = BigInt(reader.int64());
    else reader.skip(tag);
  });
  return formatDuration(nanos);
}

function quantity(reader: MessageReader): JsonValue {
  let text: string | undefined;
  fields(reader, 'Quantity', (tag) => {
    if (tag === bytes1) text = reader.text();
    else reader.skip(tag);
  });
  try {
    return text === undefined ? '0' : canonicalQuantity(text);
  } catch (error) {
    throw error instanceof QuantityError ? new ProtobufError(error.message) : error;
  }
}

function intOrString(reader: MessageReader): JsonValue {
  let isText = false;
  let integer = 0;
  let text = '';
  fields(reader, 'IntOrString', (tag) => {
    if (tag === varint1) isText = reader.int64() === 1;
    else if (tag === varint2) integer = reader.int32();
    else if (tag === bytes3) text = reader.text();
    else reader.skip(tag);
  });
  return isText ? text : integer;
}

/** The bytes in field 1 of a message. */
function contentIn(reader: MessageReader, message: string): Buffer | undefined {
  let content: Buffer | undefined;
  fields(reader, message, (tag) => {
    if (tag === bytes1) content = reader.content();
    else reader.skip(tag);
  });
  return content;
}

function jsonOf(content: Buffer | undefined): JsonValue {
  return content === undefined || content.length === 0 ? null : valueWithoutNegativeZeros(parsed(content));
}

/** Including its source text. */
function rawOf(content: Buffer | undefined): JsonValue {
  return content === undefined || content.length === 0 ? null : rawValue(parsed(content).tree());
}

function parsed(content: Buffer): JsonSource {
  try {
    return parseDeepJson(content);
  } catch (error) {
    throw error instanceof JsonSyntaxError ? new ProtobufError(error.message) : error;
  }
}

const openBrace = 0x7b;

/**
 * Owned fields are shared between objects where possible. Only the tracking of owners reads them, and it ignores
 * invalid sets: what is not JSON stays text.
 */
function fieldsOf(content: Buffer | undefined): JsonValue {
  if (content?.[0] !== openBrace) return textUnlessJson(content);
  try {
    return sharedFieldsOf(content.toString()) ?? textUnlessJson(content);
  } catch (error) {
    if (error instanceof SyntaxError) return textUnlessJson(content);
    throw error;
  }
}

function textUnlessJson(content: Buffer | undefined): JsonValue {
  try {
    return jsonOf(content);
  } catch (error) {
    if (!(error instanceof ProtobufError)) throw error;
    return content?.toString() ?? null;
  }
}

function schemaOrBool({ items }: Schema, readObject: ObjectReader): (reader: MessageReader) => JsonValue {
  return (reader) => {
    let allows = false;
    let schema: JsonObject | undefined;
    fields(reader, 'JSONSchemaPropsOrBool', (tag) => {
      if (tag === varint1) allows = reader.boolean();
      else if (tag === bytes2 && items !== undefined) schema = readObject(reader, items);
      else reader.skip(tag);
    });
    return schema ?? allows;
  };
}

/** A schema or a list, of schemas or of strings. */
function schemaOrList({ items, format }: Schema, readObject: ObjectReader): (reader: MessageReader) => JsonValue {
  const ofTexts = format === 'schema-or-strings';
  return (reader) => {
    const list: JsonValue[] = [];
    let schema: JsonObject | undefined;
    fields(reader, 'JSONSchemaProps', (tag) => {
      if (tag === bytes1 && items !== undefined) schema = readObject(reader, items);
      else if (tag !== bytes2 || items === undefined) reader.skip(tag);
      else list.push(ofTexts ? reader.text() : readObject(reader, items));
    });
    return schema ?? list;
  };
}
