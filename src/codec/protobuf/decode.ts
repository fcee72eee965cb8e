import { isEmptyObject, isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../api/json/json.ts';
import { ProtobufError, wireTypes } from '../../api/bytes/wire-reader.ts';
import { canonicalZero } from '../../schema/decode-scalars.ts';
import { zeroElement } from '../../schema/decode-zero.ts';
import type { Field, Schema, Structure } from '../../schema/schema.ts';
import { scalarFormat } from './decode-formats.ts';
import { fieldName } from './field-name.ts';
import { MessageReader } from './message-reader.ts';

/*
 * Decodes a message to the object that the schema's decoder would make of its JSON (see `schema/decode.ts`): zero
 * values of non-pointers are absent, quantities and times are canonical. Compiled once per structure: readers by field
 * number; embedded structs are messages of their own here, but not in the object.
 */

/** Reads one occurrence of a field into `target`. */
type FieldReader = (reader: MessageReader, target: JsonObject) => void;

interface MessageField {
  readonly name: string;
  readonly goType: string;
  readonly wireType: number;
  /** A later occurrence replaces an earlier one; messages, lists and maps are merged instead. */
  readonly replaces: boolean;
  readonly read: FieldReader;
  /** Reads several values at once, for packed lists. */
  readonly readPacked?: FieldReader;
}

interface Message {
  /** Go name, for errors. */
  readonly name: string;
  /** By number. */
  readonly fields: (MessageField | undefined)[];
}

/** Reads one value; an absent one (an empty time) is null. */
type ValueReader = (reader: MessageReader) => JsonValue;

const compiled = new WeakMap<Structure, Message>();

/** The object in a message, without kind and apiVersion. Throws a ProtobufError. */
export function decodeProtobuf({ structure }: Schema, bytes: Uint8Array): JsonObject {
  if (structure === undefined) throw new ProtobufError('proto: the kind has no protobuf encoding');
  const object: JsonObject = {};
  readFields(new MessageReader(bytes), messageOf(structure), object);
  return object;
}

function readFields(reader: MessageReader, message: Message, target: JsonObject): void {
  // The field may occur again in a message that is merged.
  let last = reader.again ? Number.MAX_SAFE_INTEGER : 0;
  while (reader.at < reader.end) {
    const tag = reader.tag(message.name);
    const number = tag < 128 ? tag >> 3 : Math.floor(tag / 8);
    const field = message.fields[number];
    if (field === undefined) reader.skip(tag);
    else {
      reader.again = number <= last;
      readField(reader, field, tag & 7, target);
      if (number > last) last = number;
    }
  }
}

function readField(reader: MessageReader, field: MessageField, wireType: number, target: JsonObject): void {
  if (reader.again && field.replaces) delete target[field.name];
  if (wireType === field.wireType) field.read(reader, target);
  else if (wireType === wireTypes.bytes && field.readPacked !== undefined) field.readPacked(reader, target);
  else throw new ProtobufError(`proto: wrong wireType = ${wireType} for field ${fieldName(field.name, field.goType)}`);
}

function readMessage(reader: MessageReader, message: Message, target: JsonObject): void {
  reader.begin();
  const outer = reader.open();
  readFields(reader, message, target);
  reader.close(outer);
}

/** An object before any field has been read. */
function readObject(reader: MessageReader, message: Message): JsonObject {
  const object: JsonObject = {};
  reader.again = false;
  readMessage(reader, message, object);
  return object;
}

function messageOf(structure: Structure): Message {
  let message = compiled.get(structure);
  if (message === undefined) {
    message = { name: structure.goName, fields: [] };
    // Registered before it is complete: types may be recursive.
    compiled.set(structure, message);
    addFields(message, [...structure.fields.values()], 0);
  }
  return message;
}

/** Fields at `depth` levels of embedding. Each embedded message is one field of its own. */
function addFields(message: Message, fields: readonly Field[], depth: number): void {
  const embedded = new Map<number, Field[]>();
  for (const field of fields) {
    const number = field.messagePath?.[depth];
    if (field.number === undefined) continue;
    if (number === undefined) message.fields[field.number] = compileField(field);
    else embedded.set(number, [...(embedded.get(number) ?? []), field]);
  }
  for (const [number, inner] of embedded) {
    const name = inner[0]?.embeddedIn?.[depth] ?? '';
    const below: Message = { name, fields: [] };
    addFields(below, inner, depth + 1);
    const read: FieldReader = (reader, target) => readMessage(reader, below, target);
    message.fields[number] = { name, goType: name, wireType: wireTypes.bytes, replaces: false, read };
  }
}

function compileField(field: Field): MessageField {
  const { schema } = field;
  const { type, items, structure } = schema;
  const of = { name: field.name, goType: schema.goType, wireType: wireTypes.bytes, replaces: false };
  if (type === 'map' && items !== undefined) return { ...of, read: mapReader(field.name, items) };
  if (type === 'array' && items !== undefined && schema.protobufItems !== true)
    return { ...of, ...listField(field.name, items) };
  if (type === 'object' && structure !== undefined) return { ...of, read: objectReader(field, structure) };
  return { ...of, replaces: true, wireType: wireTypeOf(schema), read: scalarReader(field) };
}

function wireTypeOf({ type, format }: Schema): number {
  if (type === 'integer' || type === 'boolean') return wireTypes.varint;
  if (type === 'number') return format === 'float' ? wireTypes.fixed32 : wireTypes.fixed64;
  return wireTypes.bytes;
}

function objectReader({ name, pointer }: Field, structure: Structure): FieldReader {
  let message: Message | undefined;
  return (reader, target) => {
    message ??= messageOf(structure);
    const present = reader.again ? target[name] : undefined;
    const object = isJsonObject(present) ? present : {};
    reader.again = present !== undefined;
    readMessage(reader, message, object);
    if (pointer || !isEmptyObject(object)) target[name] = object;
  };
}

/** A mandatory value: zero is absent where the field is not a pointer. */
function scalarReader({ name, schema, pointer }: Field): FieldReader {
  const read = valueReader(schema);
  if (pointer) {
    return (reader, target) => {
      const value = read(reader);
      if (value !== null) target[name] = value;
    };
  }
  if (schema.type === 'string' && schema.format === undefined) {
    return (reader, target) => {
      const text = reader.text();
      if (text !== '') target[name] = text;
    };
  }
  const zero = schema.type === 'string' ? canonicalZero(schema) : zeroElement(schema);
  return (reader, target) => {
    const value = read(reader);
    if (value !== zero && value !== null) target[name] = value;
  };
}

function listField(name: string, items: Schema): Omit<MessageField, 'goType'> {
  const wireType = wireTypeOf(items);
  const element = elementReader(items);
  const read: FieldReader = (reader, target) => void listAt(reader, target, name).push(element(reader));
  const field = { name, wireType, replaces: false, read };
  return wireType === wireTypes.bytes ? field : { ...field, readPacked: packedReader(name, element) };
}

function packedReader(name: string, element: ValueReader): FieldReader {
  return (reader, target) => {
    const list = listAt(reader, target, name);
    const outer = reader.open();
    while (reader.at < reader.end) list.push(element(reader));
    reader.close(outer);
  };
}

function listAt(reader: MessageReader, target: JsonObject, name: string): JsonValue[] {
  const present = reader.again ? target[name] : undefined;
  if (Array.isArray(present)) return present;
  const made: JsonValue[] = [];
  target[name] = made;
  return made;
}

/** Elements and map values keep their zero values. */
function elementReader(schema: Schema): ValueReader {
  const zero = zeroElement(schema);
  const read = valueReader(schema);
  return zero === null ? read : (reader) => read(reader) ?? zeroElement(schema);
}

/** Entries are messages with key 1 and value 2; an absent value is the zero value. */
function mapReader(name: string, items: Schema): FieldReader {
  const read = elementReader(items);
  return (reader, target) => {
    const present = reader.again ? target[name] : undefined;
    const map: JsonObject = isJsonObject(present) ? present : {};
    target[name] = map;
    const outer = reader.open();
    let key = '';
    let value: JsonValue | undefined;
    while (reader.at < reader.end) {
      const tag = reader.tag();
      // Go's code ignores the wire types of these two.
      if (tag >> 3 === 1) key = reader.text();
      else if (tag >> 3 === 2) value = read(reader);
      else reader.skip(tag);
    }
    reader.close(outer);
    setOwn(map, key, value ?? zeroElement(items));
  };
}

/** Reads one value that is neither a plain list nor a map. */
function valueReader(schema: Schema): ValueReader {
  const { type, format, structure, items } = schema;
  if (type === 'object' && structure !== undefined) {
    let message: Message | undefined;
    return (reader) => {
      message ??= messageOf(structure);
      return readObject(reader, message);
    };
  }
  if (type === 'array' && items !== undefined) return wrappedListReader(schema, items);
  const special = scalarFormat(schema, decodeInner);
  if (special !== undefined) return special;
  if (type === 'boolean') return (reader) => reader.boolean();
  if (type === 'number') return format === 'float' ? (reader) => reader.float() : (reader) => reader.double();
  if (type === 'integer') return integerReader(format);
  return (reader) => reader.text();
}

/** A nested schema (JSONSchemaProps), starting at its length. */
function decodeInner(reader: MessageReader, { structure }: Schema): JsonObject {
  if (structure === undefined) throw new ProtobufError('proto: union without a schema');
  return readObject(reader, messageOf(structure));
}

function integerReader(format: string | undefined): ValueReader {
  if (format === 'int64') return (reader) => reader.int64();
  if (format === 'uint64') return (reader) => reader.uint64();
  if (format === 'uint32') return (reader) => Number(reader.int32()) >>> 0;
  if (format === 'uint16') return (reader) => reader.int32() & 0xffff;
  return format === 'uint8' ? (reader) => reader.int32() & 0xff : (reader) => reader.int32();
}

/** A message with the one field `repeated items = 1`. */
function wrappedListReader(schema: Schema, items: Schema): ValueReader {
  const message: Message = { name: schema.goType, fields: [] };
  message.fields[1] = { goType: schema.goType, ...listField('items', items) };
  return (reader) => {
    return readObject(reader, message)['items'] ?? [];
  };
}
