import { isJsonObject, type JsonObject, type JsonValue } from '../../api/json/json.ts';
import { emptyTest, isEmptyArray, isNullWhenEmpty, isStruct } from '../../schema/omission.ts';
import type { Field, Schema } from '../../schema/schema.ts';
import { CborWriter, written } from './cbor-writer.ts';
import { anyType, writeAny } from './encode-any.ts';
import { compareKeys, type ItemType, writeEntries, writeItems } from './write-collections.ts';
import { majorTypes, nullByte, tags } from './major-types.ts';

/*
 * The data item of an object, byte for byte as the reference's deterministic encoder writes it: strings and names are
 * byte strings, keys of maps and structs are in the order of their encoded bytes, bytes are in tag 22. Fields are
 * omitted where JSON omits them. Compiled once per type.
 */

const kinds = {
  any: 0,
  object: 1,
  map: 2,
  array: 3,
  string: 4,
  integer: 5,
  float: 6,
  boolean: 7,
  bytes: 8,
  /** Times, whose zero value is null. */
  time: 9,
  union: 10,
} as const;

/** When a field is written. */
const presences = { always: 0, pointer: 1, nullable: 2, list: 3, map: 4, scalar: 5, struct: 6 } as const;

/** A schema node for the encoder, monomorphic. */
interface EncodeNode extends ItemType<EncodeNode> {
  readonly kind: number;
  readonly schema: Schema;
  /** The default of an absent string. */
  readonly zero: string;
  items: EncodeNode | undefined;
  fields: readonly EncodeField[] | undefined;
}

interface EncodeField {
  readonly name: string;
  /** The name as an item. */
  readonly key: Uint8Array;
  readonly presence: number;
  readonly node: EncodeNode;
  readonly isEmpty: (value: JsonValue | undefined) => boolean;
  readonly nullWhenEmpty: boolean;
}

const nodes = new WeakMap<Schema, EncodeNode>();
const structs = new WeakMap<object, readonly EncodeField[]>();
const empty: Readonly<JsonObject> = {};

/**
 * An object of a kind, in memory or as parsed JSON, with the tag that begins bodies. With a `rotation` the fields of
 * structs begin elsewhere, in the same order.
 */
export function encodeCbor(schema: Schema | undefined, object: JsonValue, rotation = 0): Buffer {
  return written((writer) => {
    writer.rotation = rotation;
    writer.selfDescribed();
    writeItem(writer, schema, object);
  });
}

/** An item of a list: an object without the tag that begins bodies. */
export function encodeCborItem(schema: Schema | undefined, object: JsonValue): Buffer {
  return written((writer) => writeItem(writer, schema, object));
}

function writeItem(writer: CborWriter, schema: Schema | undefined, object: JsonValue): void {
  if (schema === undefined) writeAny(writer, object);
  else writeValue(writer, nodeOf(schema), object);
}

function nodeOf(schema: Schema): EncodeNode {
  let node = nodes.get(schema);
  if (node === undefined) {
    const zero = zeroTexts[schema.format ?? ''] ?? '';
    node = { kind: kindOf(schema), schema, write: writeNode, zero, items: undefined, fields: undefined };
    nodes.set(schema, node);
  }
  return node;
}

const zeroTexts: { readonly [format: string]: string } = { duration: '0s', quantity: '0' };

const formatKinds: { readonly [format: string]: number } = {
  byte: kinds.bytes,
  'date-time': kinds.time,
  'micro-time': kinds.time,
  'schema-or-bool': kinds.union,
  'schema-or-array': kinds.union,
  'schema-or-strings': kinds.union,
};

function kindOf({ type, format, structure, preserveUnknownFields }: Schema): number {
  const special = formatKinds[format ?? ''];
  if (special !== undefined) return special;
  // For custom resources the data decide.
  const isFree = structure === undefined || structure.goName === '' || preserveUnknownFields === true;
  if (type === 'object') return isFree ? kinds.any : kinds.object;
  return type === 'number' ? kinds.float : kinds[type];
}

function writeNode(writer: CborWriter, value: JsonValue | undefined, node: EncodeNode): void {
  writeValue(writer, node, value);
}

function writeValue(writer: CborWriter, node: EncodeNode, value: JsonValue | undefined): void {
  switch (node.kind) {
    case kinds.object:
      return writeObject(writer, node, isJsonObject(value) ? value : empty);
    case kinds.string:
      return writer.string(typeof value === 'string' ? value : node.zero);
    case kinds.map:
      return writeMap(writer, node, value);
    case kinds.array:
      return writeArray(writer, node, value);
    case kinds.integer:
      return writer.integer(typeof value === 'number' || typeof value === 'bigint' ? value : 0);
    case kinds.boolean:
      return writer.byte(value === true ? 0xf5 : 0xf4);
    case kinds.float:
      return writer.float(typeof value === 'number' || typeof value === 'bigint' ? Number(value) : 0);
    case kinds.bytes:
      return writeBytes(writer, value);
    case kinds.time:
      return typeof value === 'string' ? writer.string(value) : writer.byte(nullByte);
    case kinds.union:
      return writeUnion(writer, node, value);
    default:
      return writeFree(writer, node, value);
  }
}

function writeFree(writer: CborWriter, { schema }: EncodeNode, value: JsonValue | undefined): void {
  if (schema.format === 'int-or-string' && (value === undefined || value === null)) writer.integer(0);
  else writeAny(writer, value);
}

function writeObject(writer: CborWriter, node: EncodeNode, object: Readonly<JsonObject>): void {
  const fields = node.fields ?? fieldsOf(node);
  const start = writer.startMap();
  let count = 0;
  const from = writer.rotation % fields.length;
  for (let i = 0; i < fields.length; i++) {
    const field = fields[(from + i) % fields.length] as EncodeField; // within bounds
    const value = object[field.name];
    if (!isPresent(field, value)) continue;
    count++;
    writer.short(field.key);
    if (field.presence === presences.nullable && (value === undefined || value === null)) writer.byte(nullByte);
    else if (field.nullWhenEmpty && isEmptyArray(value)) writer.byte(nullByte);
    else writeValue(writer, field.node, value);
  }
  writer.endMap(start, count);
}

function isPresent({ presence, isEmpty }: EncodeField, value: JsonValue | undefined): boolean {
  switch (presence) {
    case presences.always:
    case presences.nullable:
      return true;
    case presences.pointer:
      return value !== undefined && value !== null;
    case presences.list:
      return Array.isArray(value) && value.length > 0;
    case presences.scalar:
      return value !== undefined && value !== null && value !== '' && value !== 0 && value !== 0n && value !== false;
    default:
      return value !== undefined && !isEmpty(value);
  }
}

function fieldsOf(node: EncodeNode): readonly EncodeField[] {
  const { structure } = node.schema;
  if (structure === undefined) return [];
  let fields = structs.get(structure);
  if (fields === undefined) {
    fields = [...structure.fields.values()]
      .toSorted((a, b) => compareKeys(a.name, b.name))
      .map((field) => ({
        name: field.name,
        key: keyOf(field.name),
        presence: presenceOf(field),
        node: nodeOf(field.schema),
        isEmpty: emptyTest(field.schema),
        nullWhenEmpty: isNullWhenEmpty(field),
      }));
    structs.set(structure, fields);
  }
  node.fields = fields;
  return fields;
}

function keyOf(name: string): Uint8Array {
  const writer = new CborWriter();
  writer.string(name);
  return new Uint8Array(writer.take());
}

function presenceOf({ pointer, omit, schema }: Field): number {
  if (pointer) return omit === 'never' ? presences.nullable : presences.pointer;
  if (omit === 'never') return presences.always;
  if (isStruct(schema)) return omit === 'empty' ? presences.always : presences.struct;
  if (schema.type === 'array') return presences.list;
  return schema.type === 'map' ? presences.map : presences.scalar;
}

function itemsOf(node: EncodeNode): EncodeNode | undefined {
  const { items } = node.schema;
  if (node.items === undefined && items !== undefined) node.items = nodeOf(items);
  return node.items;
}

function writeMap(writer: CborWriter, node: EncodeNode, value: JsonValue | undefined): void {
  if (!isJsonObject(value)) return writer.byte(nullByte);
  const items = itemsOf(node);
  if (items === undefined) writeEntries(writer, value, anyType);
  else writeEntries(writer, value, items);
}

function writeArray(writer: CborWriter, node: EncodeNode, value: JsonValue | undefined): void {
  if (!Array.isArray(value)) return writer.byte(nullByte);
  const items = itemsOf(node);
  if (items === undefined) writeItems(writer, value, anyType);
  else writeItems(writer, value, items);
}

/** Bytes, Base64 in JSON, with the tag that says so. */
function writeBytes(writer: CborWriter, value: JsonValue | undefined): void {
  if (typeof value !== 'string') return writer.byte(nullByte);
  const bytes = Buffer.from(value, 'base64');
  writer.head(majorTypes.tag, tags.base64);
  writer.head(majorTypes.bytes, bytes.length);
  writer.long(bytes);
}

/** A schema, or a value allowed in its place. */
function writeUnion(writer: CborWriter, node: EncodeNode, value: JsonValue | undefined): void {
  const { format } = node.schema;
  if (value === undefined || value === null) return writer.byte(format === 'schema-or-bool' ? 0xf4 : nullByte);
  const items = itemsOf(node);
  if (items === undefined || typeof value !== 'object') return writeAny(writer, value);
  if (!Array.isArray(value)) return writeValue(writer, items, value);
  writeItems(writer, value, { write: writeUnionItem, items });
}

interface UnionItems extends ItemType<UnionItems> {
  readonly items: EncodeNode;
}

function writeUnionItem(writer: CborWriter, value: JsonValue | undefined, { items }: UnionItems): void {
  if (isJsonObject(value)) writeValue(writer, items, value);
  else writeAny(writer, value);
}
