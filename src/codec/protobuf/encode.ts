import { isJsonObject, type JsonObject, type JsonValue } from '../../api/json/json.ts';
import { sortedKeys } from '../../api/json/json-text.ts';
import { StatusError } from '../../api/errors/status.ts';
import { ProtobufError, wireTypes } from '../../api/bytes/wire-reader.ts';
import { isNullWhenZero } from '../../schema/omission.ts';
import type { Field, Schema, Structure } from '../../schema/schema.ts';
import { formatWriters } from './encode-formats.ts';
import { MessageWriter } from './message-writer.ts';

/*
 * Encodes an object, byte for byte as Go's generated code does: numbers ascending, map entries by key, non-pointers
 * always (even if zero), pointers, lists and byte strings if present. Compiled once per structure.
 *
 * Most fields of most objects are absent, and looking up an absent property is slow. So the present values are put into
 * slots first, one per field in the order of numbers:
 *
 *   { labels: {}, name: 'a' }  ->  slots ['a', undefined, ..., {}, ...]  ->  fields
 *
 * Objects of one kind mostly have the same fields in the same order: each slot remembers which one came after it.
 */

/** Writes one value as the field `number`; undefined is the zero value. */
type ValueWriter = (writer: MessageWriter, number: number, value: JsonValue | undefined) => void;

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
  /** Fields of an embedded message; absent for others. */
  readonly embedded?: readonly MessageField[];
  /** What the length of the last embedded message took. */
  lengthBytes: number;
}

interface Slot {
  readonly name: string;
  readonly index: number;
  /** The slot of the key that followed in the last object. */
  next: Slot | undefined;
}

interface Message {
  readonly slots: ReadonlyMap<string, Slot>;
  /** Stands before the first key. */
  readonly start: Slot;
  slotCount: number;
  /** In ascending order of numbers. */
  fields: readonly MessageField[];
}

const compiled = new WeakMap<Structure, Message>();
const empty: Readonly<JsonObject> = {};

/** Writing is synchronous, so one buffer suffices. */
const shared = new MessageWriter();
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
export function written(write: (writer: MessageWriter) => void): Buffer {
  try {
    write(shared);
  } catch (error) {
    shared.reset();
    slots.length = 0;
    usedSlots = 0;
    throw error;
  }
  return shared.take();
}

function notMarshalable(): StatusError {
  const message =
    'object *unstructured.Unstructured does not implement the protobuf marshalling interface and cannot be encoded to a protobuf message';
  return new StatusError({ code: 406, reason: 'NotAcceptable', message });
}

/** Writes the fields of an object. Throws a StatusError for custom resources. */
export function writeObject(writer: MessageWriter, { structure }: Schema, object: Readonly<JsonObject>): void {
  if (structure === undefined) throw new ProtobufError('proto: the kind has no protobuf encoding');
  if (structure.goName === '') throw notMarshalable();
  writeMessage(writer, messageOf(structure), object);
}

function writeMessage(writer: MessageWriter, message: Message, object: Readonly<JsonObject>): void {
  const base = usedSlots;
  usedSlots = base + message.slotCount;
  while (slots.length < usedSlots) slots.push(undefined);
  let slot = message.start;
  for (const name in object) {
    let next = slot.next;
    if (next === undefined || next.name !== name) {
      next = message.slots.get(name);
      if (next === undefined) continue;
      slot.next = next;
    }
    slots[base + next.index] = object[name];
    slot = next;
  }
  writeFields(writer, message.fields, base);
  usedSlots = base;
}

function writeFields(writer: MessageWriter, fields: readonly MessageField[], base: number): void {
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

function writeEmbedded(writer: MessageWriter, field: MessageField, base: number): void {
  const start = writer.open(field.number, field.lengthBytes);
  writeFields(writer, field.embedded ?? [], base);
  field.lengthBytes = writer.close(start, field.lengthBytes);
}

/** Copied from the first encoding. */
function writeZero(writer: MessageWriter, field: MessageField): void {
  if (field.zero !== undefined) {
    writer.short(field.zero);
    return;
  }
  const start = writer.length;
  field.write(writer, field.number, undefined);
  field.zero = writer.since(start);
}

function messageOf(structure: Structure): Message {
  let message = compiled.get(structure);
  if (message === undefined) {
    const fields = [...structure.fields.values()].filter(({ number }) => number !== undefined);
    const slotsByName = new Map<string, Slot>();
    for (const [index, { name }] of fields.entries()) slotsByName.set(name, { name, index, next: undefined });
    const start: Slot = { name: '', index: 0, next: undefined };
    message = { slots: slotsByName, start, slotCount: fields.length, fields: [] };
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
    own.push({
      number,
      slot: message.slotCount++,
      write: nothing,
      always: true,
      nullIsZero: false,
      zero: undefined,
      embedded: below,
      lengthBytes: 1,
    });
  }
  return own.toSorted((a, b) => a.number - b.number);
}

const nothing: ValueWriter = () => {};

function compileField(message: Message, field: Field): MessageField {
  const { name, number = 0, schema, pointer } = field;
  return {
    number,
    slot: message.slots.get(name)?.index ?? 0,
    write: valueWriter(schema),
    always: !pointer && isWrittenWhenAbsent(schema),
    nullIsZero: isNullWhenZero(field),
    zero: undefined,
    lengthBytes: 1,
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
  let lengthBytes = 1;
  return (writer, number, value) => {
    message ??= messageOf(structure);
    // Messages of the type may be in this one.
    const expected = lengthBytes;
    const start = writer.open(number, expected);
    writeMessage(writer, message, isJsonObject(value) ? value : empty);
    lengthBytes = writer.close(start, expected);
  };
}

function listWriter({ items, protobufItems }: Schema): ValueWriter {
  if (items === undefined) throw new ProtobufError('proto: list without an item type');
  const write = valueWriter(items);
  const writeAll: ValueWriter = (writer, number, value) => {
    if (!Array.isArray(value)) return;
    for (let index = 0; index < value.length; index += 1) write(writer, number, value[index] ?? undefined);
  };
  if (protobufItems !== true) return writeAll;
  return (writer, number, value) => {
    const start = writer.open(number);
    writeAll(writer, 1, value);
    writer.close(start);
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
    for (let index = 0; index < keys.length; index += 1) {
      const key = keys[index] as string; // within bounds
      const item = value[key];
      const start = writer.open(number);
      writer.text(1, key);
      if (item !== null && item !== undefined) write(writer, 2, item);
      else if (always) write(writer, 2, undefined);
      writer.close(start);
    }
  };
}

function scalarWriter(schema: Schema): ValueWriter {
  const special = schema.format === undefined ? undefined : formatWriters[schema.format];
  if (special !== undefined) {
    const context = { schema, writeObject };
    let lengthBytes = 1;
    return (writer, number, value) => {
      const expected = lengthBytes;
      const start = writer.open(number, expected);
      special(writer, value, context);
      lengthBytes = writer.close(start, expected);
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
    writer.tag(number, single ? wireTypes.fixed32 : wireTypes.fixed64);
    if (single) writer.float(plain);
    else writer.double(plain);
  };
}
