import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../api/json/json.ts';
import { numberText, quoteJson } from '../api/json/json-text.ts';
import { type JsonWriter, written, writtenText } from '../api/json/json-writer.ts';
import { closeObject, type ValueWriter, writeAny, writeItems, writeMap, writeRaw } from '../api/json/write-json.ts';
import { sharedFieldsText } from '../api/json/shared-fields.ts';
import { canonicalZero } from './decode-scalars.ts';
import { emptyTest, isAlwaysWritten, isEmptyArray, isNullWhenEmpty, isStruct, zeroTextOf } from './omission.ts';
import type { Field, Schema, Structure } from './schema.ts';

// The JSON encoder of typed objects, compiled once per schema node: fields in wire order, omitted as `Field.omit` says.
// A node's writer writes the zero value of its type for `undefined` and `null`.

/** Writes one field with its name and a preceding comma, or nothing. */
type FieldWriter = (out: JsonWriter, value: JsonValue | undefined) => void;

interface CompiledField {
  readonly name: string;
  /** Position in wire order. */
  readonly index: number;
  readonly write: FieldWriter;
}

interface CompiledStruct {
  readonly fields: readonly CompiledField[];
  readonly byName: ReadonlyMap<string, CompiledField>;
  /** Fields that are written even if absent. */
  readonly always: readonly CompiledField[];
}

const writers = new WeakMap<Schema, ValueWriter>();
const structs = new WeakMap<Structure, CompiledStruct>();

/** The object as Go's encoder writes it, without a trailing newline. */
export function encodeJson(schema: Schema, object: JsonValue): string {
  return writtenText((out) => writerOf(schema)(out, object));
}

/** The object as Go's encoder writes it, as bytes. */
export function encodeJsonBytes(schema: Schema, object: JsonValue): Buffer {
  return written((out) => writerOf(schema)(out, object));
}

/** The object as stored: without its resourceVersion. Only for kinds with metadata. */
export function encodeWithoutVersion(schema: Schema, object: Readonly<JsonObject>): Buffer {
  return written((out) => writeWithoutVersion(out, schema, object));
}

function writeWithoutVersion(out: JsonWriter, schema: Schema, object: Readonly<JsonObject>): void {
  for (const { name, write } of structOf(schema).fields) {
    const field = schema.structure?.fields.get(name);
    if (name === 'metadata' && field !== undefined) writeMetadata(out, field, getOwn(object, name));
    else write(out, object[name]);
  }
  closeObject(out, 0);
}

/** Writes metadata without its resourceVersion. */
function writeMetadata(out: JsonWriter, { schema }: Field, metadata: JsonValue | undefined): void {
  out.ascii(',"metadata":');
  const start = out.length;
  const object = isJsonObject(metadata) ? metadata : {};
  for (const { name, write } of structOf(schema).fields) if (name !== 'resourceVersion') write(out, object[name]);
  closeObject(out, start);
}

function writerOf(schema: Schema): ValueWriter {
  const known = writers.get(schema);
  if (known !== undefined) return known;
  const writer = compile(schema);
  writers.set(schema, writer);
  return writer;
}

function compile(schema: Schema): ValueWriter {
  if (schema.definition !== undefined) return writeAny;
  switch (schema.type) {
    case 'object':
      return schema.structure === undefined || schema.preserveUnknownFields === true ? writeAny : compileObject(schema);
    case 'map':
      return compileMap(schema);
    case 'array':
      return compileArray(schema);
    case 'string': {
      const zero = zeroTextOf(schema, '""');
      if (isTime(schema)) return compileTime(schema);
      return (out, value) => (typeof value === 'string' ? out.string(value) : out.ascii(zero));
    }
    case 'integer':
    case 'number':
      return (out, value) =>
        out.ascii(typeof value === 'number' || typeof value === 'bigint' ? numberText(value) : '0');
    case 'boolean':
      return (out, value) => out.ascii(value === true ? 'true' : 'false');
    case 'any':
      return compileAny(schema);
  }
}

function isTime({ format }: Schema): boolean {
  return format === 'date-time' || format === 'micro-time';
}

/** The zero time is null even if it was written explicitly. */
function compileTime(schema: Schema): ValueWriter {
  const zero = canonicalZero(schema);
  return (out, value) => (typeof value === 'string' && value !== zero ? out.string(value) : out.ascii('null'));
}

function compileAny(schema: Schema): ValueWriter {
  const zero = zeroTextOf(schema, 'null');
  const isUnion = schema.items !== undefined && schema.format?.startsWith('schema-or-') === true;
  const write = isUnion ? compileUnion(schema) : (writersOfFormats[schema.format ?? ''] ?? writeRaw);
  return (out, value) => {
    if (value === undefined || value === null) out.ascii(zero);
    else write(out, value);
  };
}

function writeIntOrString(out: JsonWriter, value: JsonValue | undefined): void {
  if (typeof value === 'string') out.string(value);
  else writeRaw(out, value);
}

/** Shared field sets carry their JSON. */
function writeFieldsV1(out: JsonWriter, value: JsonValue | undefined): void {
  const text = isJsonObject(value) ? sharedFieldsText(value) : undefined;
  if (text === undefined) writeRaw(out, value);
  else out.text(text);
}

const writersOfFormats: { readonly [format: string]: ValueWriter } = {
  'int-or-string': writeIntOrString,
  'fields-v1': writeFieldsV1,
  // The reference decodes and re-encodes it.
  json: writeAny,
};

/** Resolved on first use: the schema in these unions is the one that contains them. */
function compileUnion(schema: Schema): ValueWriter {
  const write = (out: JsonWriter, value: JsonValue | undefined): void => {
    // Without a schema it is the single-schema alternative, with an absent schema.
    if (Array.isArray(value) && value.length === 0 && schema.format === 'schema-or-array') out.ascii('null');
    else if (Array.isArray(value)) writeItems(out, value, write);
    else if (isJsonObject(value) && schema.items !== undefined) writerOf(schema.items)(out, value);
    else writeAny(out, value);
  };
  return write;
}

function compileArray(schema: Schema): ValueWriter {
  const { items } = schema;
  let item: ValueWriter | undefined;
  return (out, value) => {
    if (!Array.isArray(value)) return out.ascii('null');
    item ??= items === undefined ? writeAny : writerOf(items);
    return writeItems(out, value, item);
  };
}

function compileMap(schema: Schema): ValueWriter {
  const { items } = schema;
  let item: ValueWriter | undefined;
  return (out, value) => {
    if (!isJsonObject(value)) return out.ascii('null');
    item ??= items === undefined ? writeAny : writerOf(items);
    return writeMap(out, value, item);
  };
}

/**
 * If the keys are in wire order, as in decoded objects, they are written in a single pass, with the fields that are
 * never omitted in between; otherwise the object is written field by field.
 */
function compileObject(schema: Schema): ValueWriter {
  let struct: CompiledStruct | undefined;
  return (out, value) => {
    struct ??= structOf(schema);
    const start = out.length;
    if (!isJsonObject(value)) writeFields(out, struct, {});
    else if (isInOrder(struct, value)) writeInOrder(out, struct, value);
    else writeFields(out, struct, value);
    closeObject(out, start);
  };
}

/** Checked before anything is written: writing the contents twice would double the work at each level. */
function isInOrder({ byName }: CompiledStruct, value: Readonly<JsonObject>): boolean {
  let last = -1;
  for (const key in value) {
    const index = byName.get(key)?.index ?? last;
    if (index < last) return false;
    last = index;
  }
  return true;
}

function writeInOrder(out: JsonWriter, { byName, always }: CompiledStruct, value: Readonly<JsonObject>): void {
  let next = 0;
  for (const key in value) {
    const field = byName.get(key);
    if (field === undefined) continue;
    const { index } = field;
    for (; next < always.length; next++) {
      const absent = always[next] as CompiledField; // within bounds
      if (absent.index >= index) break;
      absent.write(out, undefined);
    }
    if (always[next] === field) next++;
    field.write(out, value[key]);
  }
  for (; next < always.length; next++) (always[next] as CompiledField).write(out, undefined); // within bounds
}

function writeFields(out: JsonWriter, { fields }: CompiledStruct, value: Readonly<JsonObject>): void {
  for (const field of fields) field.write(out, value[field.name]);
}

function structOf({ structure }: Schema): CompiledStruct {
  if (structure === undefined) return { fields: [], byName: new Map(), always: [] };
  let struct = structs.get(structure);
  if (struct === undefined) {
    const fields = [...structure.fields.values()].map((field, index) => ({
      name: field.name,
      index,
      write: compileField(field),
    }));
    struct = {
      fields,
      byName: new Map(fields.map((field) => [field.name, field])),
      always: fields.filter(({ name }) => isAlwaysWritten(structure.fields.get(name))),
    };
    structs.set(structure, struct);
  }
  return struct;
}

function compileField(field: Field): FieldWriter {
  const { schema } = field;
  const key = new Uint8Array(Buffer.from(`,${quoteJson(field.name)}:`));
  let writer: ValueWriter | undefined;
  const write: FieldWriter = (out, value) => {
    out.short(key);
    writer ??= writerOf(schema);
    writer(out, value);
  };
  if (field.pointer) {
    const isWritten = field.omit === 'never';
    return (out, value) => {
      if (value !== undefined && value !== null) write(out, value);
      else if (isWritten) {
        out.short(key);
        out.ascii('null');
      }
    };
  }
  if (isNullWhenEmpty(field)) return (out, value) => write(out, isEmptyArray(value) ? undefined : value);
  if (field.omit === 'never' || (field.omit === 'empty' && isStruct(schema))) return write;
  const isAbsent = emptyTest(schema);
  return (out, value) => {
    if (!isAbsent(value)) write(out, value);
  };
}
