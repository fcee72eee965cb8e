import { parseDuration } from '../../api/duration.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import { encodeAny, encodeRaw } from '../../api/json-text.ts';
import { wireTypes } from '../../api/wire-reader.ts';
import { zeroTextOf } from '../../schema/decode-scalars.ts';
import type { Schema, SchemaFormat } from '../../schema/schema.ts';
import type { ReverseWriter } from './reverse-writer.ts';

/** Writes the fields of an object. */
type ObjectWriter = (writer: ReverseWriter, schema: Schema, object: Readonly<JsonObject>) => void;

/** Where a value stands: its schema, and how objects in it are written. */
interface Context {
  readonly schema: Schema;
  readonly writeObject: ObjectWriter;
}

/** Writes the content of a length-delimited field; undefined is the zero value. */
type ContentWriter = (writer: ReverseWriter, value: JsonValue | undefined, context: Context) => void;

/** Scalars of JSON that are messages or bytes here. Numbers are those of the public .proto files. */
export const formatWriters: { readonly [format in SchemaFormat]?: ContentWriter } = {
  byte: (writer, value) => writer.raw(Buffer.from(typeof value === 'string' ? value : '', 'base64')),
  'date-time': time,
  'micro-time': time,
  duration(writer, value) {
    integer(writer, 1, typeof value === 'string' ? parseDuration(value) : 0);
  },
  quantity: (writer, value) => text(writer, 1, value === undefined ? '0' : plainText(value)),
  'int-or-string'(writer, value) {
    const isText = typeof value === 'string';
    text(writer, 3, isText ? value : '');
    integer(writer, 2, typeof value === 'number' || typeof value === 'bigint' ? value : 0);
    integer(writer, 1, isText ? 1 : 0);
  },
  'raw-extension': json,
  'fields-v1': json,
  json,
  'schema-or-bool'(writer, value, context) {
    if (isJsonObject(value)) inner(writer, 2, value, context);
    integer(writer, 1, value === true || isJsonObject(value) ? 1 : 0);
  },
  'schema-or-array'(writer, value, context) {
    if (Array.isArray(value)) {
      for (const each of value.toReversed()) inner(writer, 2, each, context);
    } else inner(writer, 1, value, context);
  },
  'schema-or-strings'(writer, value, context) {
    if (Array.isArray(value)) {
      for (const each of value.toReversed()) text(writer, 2, plainText(each));
    } else inner(writer, 1, value, context);
  },
};

function integer(writer: ReverseWriter, number: number, value: number | bigint): void {
  writer.varint(value);
  writer.tag(number, wireTypes.varint);
}

function text(writer: ReverseWriter, number: number, value: string): void {
  const before = writer.size;
  writer.text(value);
  writer.close(number, before);
}

/** Scalars as JSON writes them, without quotes. */
function plainText(value: JsonValue): string {
  return typeof value === 'string' ? value : encodeAny(value);
}

type Inner = (writer: ReverseWriter, number: number, value: JsonValue | undefined, context: Context) => void;

const inner: Inner = (writer, number, value, { schema: { items }, writeObject }) => {
  if (items === undefined || !isJsonObject(value)) return;
  const before = writer.size;
  writeObject(writer, items, value);
  writer.close(number, before);
};

/** A Timestamp; the zero time is an empty message. */
function time(writer: ReverseWriter, value: JsonValue | undefined, { schema }: Context): void {
  if (typeof value !== 'string' || value === zeroTextOf(schema)) return;
  const milliseconds = Date.parse(value);
  if (Number.isNaN(milliseconds)) return;
  const fraction = /\.(\d+)/.exec(value)?.[1] ?? '';
  integer(writer, 2, schema.format === 'date-time' ? 0 : Number(fraction.slice(0, 6).padEnd(6, '0')) * 1000);
  integer(writer, 1, Math.floor(milliseconds / 1000));
}

/** JSON text in field 1, its keys in the order in which they came. */
function json(writer: ReverseWriter, value: JsonValue | undefined): void {
  if (value === undefined) return;
  text(writer, 1, encodeRaw(value));
}
