import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../api/json.ts';
import type { Field, Schema, Structure } from '../../schema/schema.ts';
import { decodeScalar } from './decode-formats.ts';
import { ProtobufError, WireReader, wireTypes } from '../../api/wire-reader.ts';

/*
 * A message becomes the JSON that Go would write for the same object: what is read here goes through the schema's decoder like any
 * body. Compiled once per structure: field numbers lead to what reads them; embedded structs are messages of their own here
 * and nothing in JSON.
 */

/** Reads one occurrence of a field into `target`. */
type FieldReader = (reader: WireReader, wireType: number, target: JsonObject) => void;

interface Message {
  readonly fields: ReadonlyMap<number, FieldReader>;
}

const compiled = new WeakMap<Structure, Message>();
const maxDepth = 200;

/** The object in a message. Throws a ProtobufError. */
export function decodeProtobuf(schema: Schema, bytes: Uint8Array): JsonObject {
  const { structure } = schema;
  if (structure === undefined) throw new ProtobufError('proto: the kind has no protobuf form');
  return readMessage(messageOf(structure), bytes);
}

/** How many messages are open: reading is synchronous, so one count serves all. */
let depth = 0;

function readMessage(message: Message, bytes: Uint8Array): JsonObject {
  const target: JsonObject = {};
  readInto(message, bytes, target);
  return target;
}

function readInto(message: Message, bytes: Uint8Array, target: JsonObject): void {
  if (depth > maxDepth) throw new ProtobufError('proto: nested too deeply');
  depth += 1;
  try {
    const reader = new WireReader(bytes);
    while (!reader.done) {
      const { number, wireType } = reader.tag();
      const read = message.fields.get(number);
      if (read === undefined) reader.skip(wireType);
      else read(reader, wireType, target);
    }
  } finally {
    depth -= 1;
  }
}

function messageOf(structure: Structure): Message {
  let message = compiled.get(structure);
  if (message === undefined) {
    const fields = new Map<number, FieldReader>();
    message = { fields };
    // Known before it is complete: types may contain themselves.
    compiled.set(structure, message);
    for (const field of structure.fields.values()) addField(fields, field);
  }
  return message;
}

/** Embedded messages on the way to a field, by the map they are entered in. */
const embedded = new WeakMap<Map<number, FieldReader>, Map<number, Map<number, FieldReader>>>();

function addField(fields: Map<number, FieldReader>, field: Field): void {
  if (field.number === undefined) return;
  let at = fields;
  for (const number of field.messagePath ?? []) at = embeddedFields(at, number);
  at.set(field.number, fieldReader(field));
}

function embeddedFields(fields: Map<number, FieldReader>, number: number): Map<number, FieldReader> {
  let inner = embedded.get(fields);
  if (inner === undefined) {
    inner = new Map();
    embedded.set(fields, inner);
  }
  let below = inner.get(number);
  if (below === undefined) {
    below = new Map();
    inner.set(number, below);
    const message: Message = { fields: below };
    fields.set(number, (reader, wireType, target) => {
      expect(wireType, wireTypes.bytes);
      readInto(message, reader.bytes(), target);
    });
  }
  return below;
}

function fieldReader({ name, schema }: Field): FieldReader {
  if (schema.type === 'map') return mapReader(name, schema);
  if (schema.type === 'array' && schema.protobufItems !== true) return listReader(name, schema);
  const read = valueReader(schema);
  return (reader, wireType, target) => {
    target[name] = read(reader, wireType);
  };
}

function listReader(name: string, schema: Schema): FieldReader {
  const { items } = schema;
  if (items === undefined) return skipField;
  const read = valueReader(items);
  const packable = items.type === 'integer' || items.type === 'boolean';
  return (reader, wireType, target) => {
    const list = listAt(target, name);
    if (packable && wireType === wireTypes.bytes) {
      const packed = new WireReader(reader.bytes());
      while (!packed.done) list.push(read(packed, wireTypes.varint));
    } else {
      list.push(read(reader, wireType));
    }
  };
}

function listAt(target: JsonObject, name: string): JsonValue[] {
  const present = target[name];
  if (Array.isArray(present)) return present;
  const made: JsonValue[] = [];
  target[name] = made;
  return made;
}

/** Entries are messages of key 1 and value 2; an absent value is the zero value. */
function mapReader(name: string, schema: Schema): FieldReader {
  const { items } = schema;
  if (items === undefined) return skipField;
  const read = valueReader(items);
  return (reader, wireType, target) => {
    expect(wireType, wireTypes.bytes);
    const present = target[name];
    const map: JsonObject = isJsonObject(present) ? present : {};
    target[name] = map;
    const entry = new WireReader(reader.bytes());
    let key = '';
    let value: JsonValue = zeroOf(items);
    while (!entry.done) {
      const tag = entry.tag();
      if (tag.number === 1) key = Buffer.from(entry.bytes()).toString('utf8');
      else if (tag.number === 2) value = read(entry, tag.wireType);
      else entry.skip(tag.wireType);
    }
    setOwn(map, key, value);
  };
}

function zeroOf({ type, protobufItems }: Schema): JsonValue {
  if (type === 'string') return '';
  if (type === 'integer' || type === 'number') return 0;
  if (type === 'boolean') return false;
  if (type === 'array' && protobufItems === true) return [];
  return type === 'object' ? {} : null;
}

/** Reads one value of a type that is neither a plain list nor a map. */
function valueReader(schema: Schema): (reader: WireReader, wireType: number) => JsonValue {
  const { structure, items } = schema;
  if (schema.type === 'object' && structure !== undefined) {
    return (reader, wireType) => {
      expect(wireType, wireTypes.bytes);
      return readMessage(messageOf(structure), reader.bytes());
    };
  }
  if (schema.type === 'array' && items !== undefined) {
    const list = listReader('items', schema);
    return (reader, wireType) => {
      expect(wireType, wireTypes.bytes);
      const holder: JsonObject = { items: [] };
      const message: Message = { fields: new Map([[1, list]]) };
      readInto(message, reader.bytes(), holder);
      return holder['items'] ?? [];
    };
  }
  return (reader, wireType) => decodeScalar(schema, reader, { wireType, decodeObject: decodeProtobuf });
}

function expect(actual: number, wanted: number): void {
  if (actual !== wanted) throw new ProtobufError(`proto: wrong wireType = ${actual}`);
}

const skipField: FieldReader = (reader, wireType) => reader.skip(wireType);
