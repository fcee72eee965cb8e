import { isJsonObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import { compareBytewise } from '../../api/json-text.ts';
import { ProtobufError, wireTypes } from '../../api/wire-reader.ts';
import type { Field, Schema, Structure } from '../../schema/schema.ts';
import { formatWriters } from './encode-formats.ts';
import { ReverseWriter } from './reverse-writer.ts';

/*
 * The message of an object, byte for byte as Go's generated code writes it: numbers ascending, map entries by key, what is no pointer always
 * (also when it is zero), pointers, lists and byte strings when they are there. Compiled once per structure.
 */

/** Writes one field of `parent`, if it is to be written. */
type FieldWriter = (writer: ReverseWriter, parent: Readonly<JsonObject>) => void;

/** Writes one value as the field `number`; undefined is the zero value. */
type ValueWriter = (writer: ReverseWriter, number: number, value: JsonValue | undefined) => void;

/** In descending order of numbers. */
interface Message {
  readonly fields: readonly FieldWriter[];
}

const compiled = new WeakMap<Structure, Message>();
const empty: Readonly<JsonObject> = {};

/** The message of an object, without an envelope. Throws a ProtobufError when its kind has no protobuf form. */
export function encodeProtobuf(schema: Schema, object: Readonly<JsonObject>): Buffer {
  try {
    writeObject(shared, schema, object);
  } catch (error) {
    shared.finish();
    throw error;
  }
  return shared.finish();
}

/** Writing is synchronous, so one buffer serves all. */
const shared = new ReverseWriter();

/** Writes the fields of an object. */
function writeObject(writer: ReverseWriter, { structure }: Schema, object: Readonly<JsonObject>): void {
  if (structure === undefined) throw new ProtobufError('proto: the kind has no protobuf form');
  writeFields(writer, messageOf(structure), object);
}

function writeFields(writer: ReverseWriter, { fields }: Message, object: Readonly<JsonObject>): void {
  for (const write of fields) write(writer, object);
}

function messageOf(structure: Structure): Message {
  let message = compiled.get(structure);
  if (message === undefined) {
    const fields: FieldWriter[] = [];
    message = { fields };
    // Known before it is complete: types may contain themselves.
    compiled.set(structure, message);
    fields.push(
      ...writersOf(
        [...structure.fields.values()].filter(({ number }) => number !== undefined),
        0,
      ),
    );
  }
  return message;
}

/** Writers of fields that stand `depth` embedded messages deep. Each embedded message is one field of its own. */
function writersOf(fields: readonly Field[], depth: number): readonly FieldWriter[] {
  const writers = new Map<number, FieldWriter>();
  const embedded = new Map<number, Field[]>();
  for (const field of fields) {
    const number = field.messagePath?.[depth];
    if (number === undefined) writers.set(field.number ?? 0, fieldWriter(field));
    else embedded.set(number, [...(embedded.get(number) ?? []), field]);
  }
  for (const [number, inner] of embedded) {
    const message: Message = { fields: writersOf(inner, depth + 1) };
    writers.set(number, (writer, parent) => {
      const before = writer.size;
      writeFields(writer, message, parent);
      writer.close(number, before);
    });
  }
  return [...writers].toSorted(([a], [b]) => b - a).map(([, writer]) => writer);
}

function fieldWriter({ name, number = 0, schema, pointer }: Field): FieldWriter {
  const write = valueWriter(schema);
  const always = !pointer && isWrittenWhenAbsent(schema);
  return (writer, parent) => {
    const value = parent[name];
    if (value !== undefined && value !== null) write(writer, number, value);
    else if (always) write(writer, number, undefined);
  };
}

/** Lists, maps and byte strings may be nil; everything else has a zero value that is written. */
function isWrittenWhenAbsent({ type, format }: Schema): boolean {
  return type !== 'array' && type !== 'map' && format !== 'byte';
}

function valueWriter(schema: Schema): ValueWriter {
  switch (schema.type) {
    case 'map':
      return mapWriter(schema);
    case 'array':
      return listWriter(schema);
    case 'object':
      return objectWriter(schema);
    default:
      return scalarWriter(schema);
  }
}

function objectWriter(schema: Schema): ValueWriter {
  const { structure } = schema;
  if (structure === undefined) throw new ProtobufError('proto: the kind has no protobuf form');
  return (writer, number, value) => {
    const before = writer.size;
    writeFields(writer, messageOf(structure), isJsonObject(value) ? value : empty);
    writer.close(number, before);
  };
}

function listWriter({ items, protobufItems }: Schema): ValueWriter {
  if (items === undefined) throw new ProtobufError('proto: a list without items');
  const write = valueWriter(items);
  const writeAll: ValueWriter = (writer, number, value) => {
    if (!Array.isArray(value)) return;
    for (let index = value.length - 1; index >= 0; index -= 1) write(writer, number, value[index] ?? undefined);
  };
  if (protobufItems !== true) return writeAll;
  return (writer, number, value) => {
    const before = writer.size;
    writeAll(writer, 1, value);
    writer.close(number, before);
  };
}

/** Entries are messages of key 1 and value 2, in the byte order of their keys. */
function mapWriter({ items }: Schema): ValueWriter {
  if (items === undefined) throw new ProtobufError('proto: a map without values');
  const write = valueWriter(items);
  const always = isWrittenWhenAbsent(items);
  return (writer, number, value) => {
    if (!isJsonObject(value)) return;
    const keys = Object.keys(value).toSorted(compareBytewise);
    for (let index = keys.length - 1; index >= 0; index -= 1) {
      const key = keys[index] ?? '';
      const item = value[key];
      const before = writer.size;
      if (item !== null && item !== undefined) write(writer, 2, item);
      else if (always) write(writer, 2, undefined);
      writeText(writer, 1, key);
      writer.close(number, before);
    }
  };
}

function scalarWriter(schema: Schema): ValueWriter {
  const special = schema.format === undefined ? undefined : formatWriters[schema.format];
  if (special !== undefined) {
    return (writer, number, value) => {
      const before = writer.size;
      special(writer, value, { schema, writeObject });
      writer.close(number, before);
    };
  }
  switch (schema.type) {
    case 'integer':
      return (writer, number, value) => {
        writer.varint(typeof value === 'number' || typeof value === 'bigint' ? value : 0);
        writer.tag(number, wireTypes.varint);
      };
    case 'boolean':
      return (writer, number, value) => {
        writer.varint(value === true ? 1 : 0);
        writer.tag(number, wireTypes.varint);
      };
    case 'number':
      return numberWriter(schema.format === 'float');
    default:
      return (writer, number, value) => writeText(writer, number, typeof value === 'string' ? value : '');
  }
}

function numberWriter(single: boolean): ValueWriter {
  return (writer, number, value) => {
    const plain = typeof value === 'number' || typeof value === 'bigint' ? Number(value) : 0;
    if (single) writer.float(plain);
    else writer.double(plain);
    writer.tag(number, single ? wireTypes.fixed32 : wireTypes.fixed64);
  };
}

function writeText(writer: ReverseWriter, number: number, value: string): void {
  const before = writer.size;
  writer.text(value);
  writer.close(number, before);
}
