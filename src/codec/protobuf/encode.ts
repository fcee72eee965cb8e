import { isJsonObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import { sortedKeys } from '../../api/json-text.ts';
import { StatusError } from '../../api/status.ts';
import { ProtobufError, wireTypes } from '../../api/wire-reader.ts';
import { isNullWhenZero } from '../../schema/omission.ts';
import type { Field, Schema, Structure } from '../../schema/schema.ts';
import { formatWriters } from './encode-formats.ts';
import { ReverseWriter } from './reverse-writer.ts';

/*
 * Encodes an object, byte for byte as Go's generated code does: numbers ascending, map entries by key, non-pointers
 * always (even if zero), pointers, lists and byte strings if present. Compiled once per structure.
 *
 * Most fields of most objects are absent, and looking up an absent property is slow. So the present values are put into
 * slots first, one per field:
 *
 *   { name: 'a', labels: {} }  ->  slots ['a', undefined, ..., {}, ...]  ->  fields from the last to the first
 */

/** Writes one value as the field `number`; undefined is the zero value. */
type ValueWriter = (writer: ReverseWriter, number: number, value: JsonValue | undefined) => void;

interface MessageField {
  readonly number: number;
  /** Slot of the value; always empty for an embedded message, whose fields use slots of the same object. */
  readonly slot: number;
  readonly write: ValueWriter;
  /** Written even when absent. */
  readonly always: boolean;
  /** Null is a value of its own: the zero value. */
  readonly nullIsZero: boolean;
  /** The encoding of an absent value, once known. */
  zero: Buffer | undefined;
  readonly embedded?: readonly MessageField[];
}

interface Message {
  /** Slots by name. */
  readonly slots: ReadonlyMap<string, number>;
  slotCount: number;
  /** In descending order of numbers. */
  fields: readonly MessageField[];
}

const compiled = new WeakMap<Structure, Message>();
const empty: Readonly<JsonObject> = {};

/** Writing is synchronous, so one buffer suffices. */
const shared = new ReverseWriter();
/**
 * Slots of the objects being written, those of inner objects after those of outer ones. Empty except for what is still
 * to be written.
 */
const slots: (JsonValue | undefined)[] = [];
let usedSlots = 0;

/** The message of an object, without an envelope. Throws a ProtobufError when its kind has no protobuf encoding. */
export function encodeProtobuf(schema: Schema, object: Readonly<JsonObject>): Buffer {
  return written((writer) => writeObject(writer, schema, object));
}

/** What `write` writes. */
export function written(write: (writer: ReverseWriter) => void): Buffer {
  try {
    write(shared);
  } catch (error) {
    shared.finish();
    slots.length = 0;
    usedSlots = 0;
    throw error;
  }
  return shared.finish();
}

function notMarshalable(): StatusError {
  const message =
    'object *unstructured.Unstructured does not implement the protobuf marshalling interface and cannot be encoded to a protobuf message';
  return new StatusError({ code: 406, reason: 'NotAcceptable', message });
}

/** Writes the fields of an object. Throws a StatusError for custom resources. */
export function writeObject(writer: ReverseWriter, { structure }: Schema, object: Readonly<JsonObject>): void {
  if (structure === undefined) throw new ProtobufError('proto: the kind has no protobuf encoding');
  if (structure.goName === '') throw notMarshalable();
  writeMessage(writer, messageOf(structure), object);
}

function writeMessage(writer: ReverseWriter, message: Message, object: Readonly<JsonObject>): void {
  const base = usedSlots;
  usedSlots = base + message.slotCount;
  while (slots.length < usedSlots) slots.push(undefined);
  for (const name in object) {
    const slot = message.slots.get(name);
    if (slot !== undefined) slots[base + slot] = object[name];
  }
  writeFields(writer, message.fields, base);
  usedSlots = base;
}

function writeFields(writer: ReverseWriter, fields: readonly MessageField[], base: number): void {
  for (let index = 0; index < fields.length; index += 1) {
    const field = fields[index] as MessageField; // within bounds
    const slot = base + field.slot;
    const value = slots[slot];
    if (value !== undefined) slots[slot] = undefined;
    if (value !== undefined && value !== null) field.write(writer, field.number, value);
    else if (field.embedded !== undefined) writeEmbedded(writer, field, base);
    else if (field.always || (value === null && field.nullIsZero)) writeZero(writer, field);
  }
}

function writeEmbedded(writer: ReverseWriter, { number, embedded = [] }: MessageField, base: number): void {
  const before = writer.size;
  writeFields(writer, embedded, base);
  writer.close(number, before);
}

/** Copied from the first encoding. */
function writeZero(writer: ReverseWriter, field: MessageField): void {
  if (field.zero !== undefined) {
    writer.short(field.zero);
    return;
  }
  const before = writer.size;
  field.write(writer, field.number, undefined);
  field.zero = writer.since(before);
}

function messageOf(structure: Structure): Message {
  let message = compiled.get(structure);
  if (message === undefined) {
    const fields = [...structure.fields.values()].filter(({ number }) => number !== undefined);
    message = { slots: new Map(fields.map(({ name }, slot) => [name, slot])), slotCount: fields.length, fields: [] };
    // Registered before it is complete: types may be recursive.
    compiled.set(structure, message);
    message.fields = fieldsOf(message, fields, 0);
  }
  return message;
}

/** Fields at `depth` levels of embedding. Each embedded message is one field of its own. */
function fieldsOf(message: Message, fields: readonly Field[], depth: number): readonly MessageField[] {
  const own: MessageField[] = [];
  const embedded = new Map<number, Field[]>();
  for (const field of fields) {
    const number = field.messagePath?.[depth];
    if (number === undefined) own.push(compileField(message, field));
    else embedded.set(number, [...(embedded.get(number) ?? []), field]);
  }
  for (const [number, inner] of embedded) {
    const below = fieldsOf(message, inner, depth + 1);
    const slot = message.slotCount++;
    own.push({ number, slot, write: nothing, always: true, nullIsZero: false, zero: undefined, embedded: below });
  }
  return own.toSorted((a, b) => b.number - a.number);
}

const nothing: ValueWriter = () => {};

function compileField(message: Message, field: Field): MessageField {
  const { name, number = 0, schema, pointer } = field;
  return {
    number,
    slot: message.slots.get(name) ?? 0,
    write: valueWriter(schema),
    always: !pointer && isWrittenWhenAbsent(schema),
    nullIsZero: isNullWhenZero(field),
    zero: undefined,
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

function objectWriter({ structure }: Schema): ValueWriter {
  if (structure === undefined) throw new ProtobufError('proto: the kind has no protobuf encoding');
  let message: Message | undefined;
  return (writer, number, value) => {
    message ??= messageOf(structure);
    const before = writer.size;
    writeMessage(writer, message, isJsonObject(value) ? value : empty);
    writer.close(number, before);
  };
}

function listWriter({ items, protobufItems }: Schema): ValueWriter {
  if (items === undefined) throw new ProtobufError('proto: list without an item type');
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
  if (items === undefined) throw new ProtobufError('proto: map without a value type');
  const write = valueWriter(items);
  const always = isWrittenWhenAbsent(items);
  return (writer, number, value) => {
    if (!isJsonObject(value)) return;
    const keys = sortedKeys(value);
    for (let index = keys.length - 1; index >= 0; index -= 1) {
      const key = keys[index] as string; // within bounds
      const item = value[key];
      const before = writer.size;
      if (item !== null && item !== undefined) write(writer, 2, item);
      else if (always) write(writer, 2, undefined);
      writer.text(1, key);
      writer.close(number, before);
    }
  };
}

function scalarWriter(schema: Schema): ValueWriter {
  const special = schema.format === undefined ? undefined : formatWriters[schema.format];
  if (special !== undefined) {
    const context = { schema, writeObject };
    return (writer, number, value) => {
      const before = writer.size;
      special(writer, value, context);
      writer.close(number, before);
    };
  }
  switch (schema.type) {
    case 'integer':
      return (writer, number, value) =>
        writer.integer(number, typeof value === 'number' || typeof value === 'bigint' ? value : 0);
    case 'boolean':
      return (writer, number, value) => writer.integer(number, value === true ? 1 : 0);
    case 'number':
      return numberWriter(schema.format === 'float');
    default:
      return (writer, number, value) => writer.text(number, typeof value === 'string' ? value : '');
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
