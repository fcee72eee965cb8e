import { parseDuration } from '../../api/time/duration.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../api/json/json.ts';
import { encodeAny, encodeRaw } from '../../api/json/json-text.ts';
import { TextCache } from '../../api/text/text-cache.ts';
import { sharedFieldsText } from '../../api/json/shared-fields.ts';
import { canonicalZero } from '../../schema/decode-scalars.ts';
import type { Schema, SchemaFormat } from '../../schema/schema.ts';
import type { MessageWriter } from './message-writer.ts';

/** Writes the fields of an object. */
type ObjectWriter = (writer: MessageWriter, schema: Schema, object: Readonly<JsonObject>) => void;

/** The schema of a value, and how objects in it are written. */
interface Context {
  readonly schema: Schema;
  readonly writeObject: ObjectWriter;
}

/** Writes the content of a length-delimited field; undefined is the zero value. */
type ContentWriter = (writer: MessageWriter, value: JsonValue | undefined, context: Context) => void;

/**
 * Writers of JSON scalars that are messages or bytes in protobuf. Field numbers are those of the public .proto files.
 */
export const formatWriters: { readonly [format in SchemaFormat]?: ContentWriter } = {
  byte: (writer, value) => writer.long(Buffer.from(typeof value === 'string' ? value : '', 'base64')),
  'date-time': time,
  'micro-time': time,
  duration(writer, value) {
    writer.integer(1, typeof value === 'string' ? parseDuration(value) : 0);
  },
  quantity: (writer, value) => writer.text(1, value === undefined ? '0' : plainText(value)),
  'int-or-string'(writer, value) {
    const isText = typeof value === 'string';
    writer.integer(1, isText ? 1 : 0);
    writer.integer(2, typeof value === 'number' || typeof value === 'bigint' ? value : 0);
    writer.text(3, isText ? value : '');
  },
  'raw-extension': json,
  'fields-v1': json,
  json,
  'schema-or-bool'(writer, value, context) {
    writer.integer(1, value === true || isJsonObject(value) ? 1 : 0);
    if (isJsonObject(value)) inner(writer, 2, value, context);
  },
  'schema-or-array'(writer, value, context) {
    if (Array.isArray(value)) {
      for (const each of value) inner(writer, 2, each, context);
    } else inner(writer, 1, value, context);
  },
  'schema-or-strings'(writer, value, context) {
    if (Array.isArray(value)) {
      for (const each of value) writer.text(2, plainText(each));
    } else inner(writer, 1, value, context);
  },
};

/** Scalars as JSON writes them, without quotes. */
function plainText(value: JsonValue): string {
  return typeof value === 'string' ? value : encodeAny(value);
}

type Inner = (writer: MessageWriter, number: number, value: JsonValue | undefined, context: Context) => void;

const inner: Inner = (writer, number, value, { schema: { items }, writeObject }) => {
  if (items === undefined || !isJsonObject(value)) return;
  const start = writer.open(number);
  writeObject(writer, items, value);
  writer.close(start);
};

/** A Timestamp; the zero time is an empty message. */
function time(writer: MessageWriter, value: JsonValue | undefined, { schema }: Context): void {
  if (typeof value !== 'string' || value === canonicalZero(schema)) return;
  const seconds = recentSeconds.remember(value, readSeconds);
  if (Number.isNaN(seconds)) return;
  const fraction = schema.format === 'date-time' ? '' : (/\.(\d+)/.exec(value)?.[1] ?? '');
  writer.integer(1, seconds);
  writer.integer(2, fraction === '' ? 0 : Number(fraction.slice(0, 6).padEnd(6, '0')) * 1000);
}

/** Objects created together have the same times. */
const recentSeconds = new TextCache<number>(8 * 1024);

function readSeconds(text: string): number {
  return Math.floor(Date.parse(text) / 1000);
}

/** JSON text in field 1, with keys in insertion order. */
function json(writer: MessageWriter, value: JsonValue | undefined): void {
  if (value === undefined) return;
  const shared = isJsonObject(value) ? sharedFieldsText(value) : undefined;
  writer.text(1, shared ?? encodeRaw(value));
}
