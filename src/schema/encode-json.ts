import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../api/json.ts';
import { compareBytewise, encodeAny, encodeRaw, numberText, quoteJson } from '../api/json-text.ts';
import type { Field, Schema, Structure } from './schema.ts';

// The JSON encoder of typed objects, compiled once a schema node: fields in wire order, `Field.omit` decides what is left out.

/** Writes a value of one schema node as JSON text; `undefined` and `null` give the node's zero value. */
type Writer = (value: JsonValue | undefined) => string;

/** Writes one field with its name and a comma before it, or nothing. */
type FieldWriter = (value: JsonValue | undefined) => string;

interface CompiledField {
  readonly name: string;
  /** Place in wire order. */
  readonly index: number;
  readonly write: FieldWriter;
}

interface CompiledStruct {
  readonly fields: readonly CompiledField[];
  readonly byName: ReadonlyMap<string, CompiledField>;
  /** Fields that are written when absent too. */
  readonly always: readonly CompiledField[];
}

const writers = new WeakMap<Schema, Writer>();
const structs = new WeakMap<Structure, CompiledStruct>();

/** The object as Go's encoder writes the typed object, without a newline at its end. */
export function encodeJson(schema: Schema, object: JsonValue): string {
  return writerOf(schema)(object);
}

/** JSON text of an object, cut where `"resourceVersion":"N"` belongs. */
export interface CutText {
  /** Up to and with the value of the last field before resourceVersion (or the brace that opens metadata). */
  readonly head: string;
  /** The rest, which starts with `,` or `}` (or with a field, when `head` ends with the brace). */
  readonly tail: string;
}

/** The same text with the resource version left out, cut where it belongs; kinds without metadata are not stored. */
export function encodeJsonCut(schema: Schema, object: Readonly<JsonObject>): CutText {
  let head = '';
  let out = '{';
  let cut = false;
  for (const { name, write } of structOf(schema).fields) {
    if (name !== 'metadata') {
      out += separate(out, write(object[name]));
      continue;
    }
    const field = schema.structure?.fields.get(name);
    if (field === undefined) continue;
    const metadata = getOwn(object, name);
    out += separate(out, ',"metadata":{');
    for (const inner of structOf(field.schema).fields) {
      if (inner.name === 'resourceVersion') {
        head = out;
        out = out.endsWith('{') ? '{' : '';
        cut = true;
      } else if (isJsonObject(metadata)) {
        out += separate(out, inner.write(metadata[inner.name]));
      }
    }
    // The brace that stood in for "no field yet" belongs to the head.
    if (cut && head.endsWith('{')) out = out.slice(1);
    out += '}';
  }
  return { head, tail: `${out}}` };
}

/** Drops the comma of the first field of an object. */
function separate(before: string, text: string): string {
  return text !== '' && before.endsWith('{') ? text.slice(1) : text;
}

function writerOf(schema: Schema): Writer {
  const known = writers.get(schema);
  if (known !== undefined) return known;
  const writer = compile(schema);
  writers.set(schema, writer);
  return writer;
}

function compile(schema: Schema): Writer {
  switch (schema.type) {
    case 'object':
      return schema.structure === undefined || schema.preserveUnknownFields === true
        ? encodeAny
        : compileObject(schema);
    case 'map':
      return compileMap(schema);
    case 'array':
      return compileArray(schema);
    case 'string':
      return compileString(schema);
    case 'integer':
    case 'number':
      return (value) => (typeof value === 'number' || typeof value === 'bigint' ? numberText(value) : '0');
    case 'boolean':
      return (value) => (value === true ? 'true' : 'false');
    case 'any':
      return compileAny(schema);
  }
}

function compileString({ format }: Schema): Writer {
  const zero = zeroText[format ?? ''] ?? '""';
  return (value) => (typeof value === 'string' ? quoteJson(value) : zero);
}

/** What the zero value of a scalar with a wire form of its own is written as. */
const zeroText: { readonly [format: string]: string } = {
  'date-time': 'null',
  'micro-time': 'null',
  duration: '"0s"',
  quantity: '"0"',
  byte: 'null',
  'int-or-string': '0',
  'schema-or-bool': 'false',
};

function compileAny(schema: Schema): Writer {
  const zero = zeroText[schema.format ?? ''] ?? 'null';
  const { items } = schema;
  if (items !== undefined && schema.format?.startsWith('schema-or-') === true) {
    // Resolved at the first call: the schema in these unions is the one that holds them.
    const schemaOr = (value: JsonValue): string => {
      if (isJsonObject(value)) return writerOf(items)(value);
      if (!Array.isArray(value)) return encodeAny(value);
      return `[${value.map((item) => (isJsonObject(item) ? writerOf(items)(item) : encodeAny(item))).join(',')}]`;
    };
    return (value) => (value === undefined || value === null ? zero : schemaOr(value));
  }
  return (value) => (value === undefined || value === null ? zero : encodeRaw(value));
}

function compileArray(schema: Schema): Writer {
  const { items } = schema;
  let item: Writer | undefined;
  return (value) => {
    if (!Array.isArray(value)) return 'null';
    item ??= items === undefined ? encodeAny : writerOf(items);
    if (value.length === 0) return '[]';
    let out = `[${item(value[0])}`;
    for (let i = 1; i < value.length; i++) out += `,${item(value[i])}`;
    return `${out}]`;
  };
}

function compileMap(schema: Schema): Writer {
  const { items } = schema;
  let item: Writer | undefined;
  return (value) => {
    if (!isJsonObject(value)) return 'null';
    item ??= items === undefined ? encodeAny : writerOf(items);
    let out = '';
    let previous = '';
    for (const key in value) {
      if (compareBytewise(previous, key) > 0) return writeSorted(value, item);
      out += `${out === '' ? '{' : ','}${quoteJson(key)}:${item(value[key])}`;
      previous = key;
    }
    return out === '' ? '{}' : `${out}}`;
  };
}

function writeSorted(map: JsonObject, item: Writer): string {
  const fields = Object.keys(map)
    .sort(compareBytewise)
    .map((key) => `${quoteJson(key)}:${item(map[key])}`);
  return `{${fields.join(',')}}`;
}

/**
 * Keys that stand in wire order, as those of decoded objects do, are written as they come, with the fields that are
 * never left out between them; at the first key that does not, the object is written field by field.
 */
function compileObject(schema: Schema): Writer {
  let struct: CompiledStruct | undefined;
  return (value) => {
    struct ??= structOf(schema);
    if (!isJsonObject(value)) return writeFields(struct, {});
    const { byName, always } = struct;
    let out = '';
    let last = -1;
    let next = 0;
    for (const key in value) {
      const field = byName.get(key);
      if (field === undefined) continue;
      const { index } = field;
      if (index < last) return writeFields(struct, value);
      last = index;
      for (; next < always.length; next++) {
        const absent = always[next] as CompiledField; // within bounds
        if (absent.index >= index) break;
        out += absent.write(undefined);
      }
      if (always[next] === field) next++;
      out += field.write(value[key]);
    }
    for (; next < always.length; next++) out += (always[next] as CompiledField).write(undefined); // within bounds
    return out === '' ? '{}' : `{${out.slice(1)}}`;
  };
}

function writeFields({ fields }: CompiledStruct, value: Readonly<JsonObject>): string {
  let out = '';
  for (const field of fields) out += field.write(value[field.name]);
  return out === '' ? '{}' : `{${out.slice(1)}}`;
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

function isAlwaysWritten(field: Field | undefined): boolean {
  if (field === undefined) return false;
  return field.omit === 'never' || (field.omit === 'empty' && !field.pointer && isStruct(field.schema));
}

function compileField(field: Field): FieldWriter {
  const { schema } = field;
  const key = `,${quoteJson(field.name)}:`;
  let writer: Writer | undefined;
  const write = (value: JsonValue | undefined): string => key + (writer ??= writerOf(schema))(value);
  if (field.pointer) {
    const zero = field.omit === 'never' ? `${key}null` : '';
    return (value) => (value === undefined || value === null ? zero : write(value));
  }
  if (field.omit === 'never') return write;
  if (isStruct(schema)) {
    return field.omit === 'zero' ? (value) => (isZero(schema, value) ? '' : write(value)) : write;
  }
  return compileOmitted(schema, key, write);
}

/** The field of a slice, map or scalar that is left out when empty. */
function compileOmitted(schema: Schema, key: string, write: FieldWriter): FieldWriter {
  switch (schema.type) {
    case 'string':
      if (schema.format !== undefined) break;
      return (value) => (typeof value === 'string' && value !== '' ? key + quoteJson(value) : '');
    case 'array':
      return (value) => (Array.isArray(value) && value.length > 0 ? write(value) : '');
    case 'map':
      return (value) => (isJsonObject(value) && !isEmpty(value) ? write(value) : '');
  }
  return (value) =>
    value === undefined || value === null || value === '' || value === 0 || value === 0n || value === false
      ? ''
      : write(value);
}

function isEmpty(object: JsonObject): boolean {
  for (const _ in object) return false;
  return true;
}

const structFormats: ReadonlySet<string> = new Set([
  'date-time',
  'micro-time',
  'duration',
  'quantity',
  'int-or-string',
  'raw-extension',
  'fields-v1',
  'json',
  'schema-or-bool',
  'schema-or-array',
  'schema-or-strings',
]);

/** Types that Go keeps in a struct: `omitempty` does not leave them out. */
function isStruct(schema: Schema): boolean {
  return schema.type === 'object' || structFormats.has(schema.format ?? '');
}

/** All fields are zero, as `omitzero` asks. */
function isZero(schema: Schema, value: JsonValue | undefined): boolean {
  if (value === undefined || value === null) return true;
  if (schema.type !== 'object' || !isJsonObject(value)) return false;
  for (const key in value) {
    const field = schema.structure?.fields.get(key);
    const item = value[key];
    if (item === undefined || item === null) continue;
    if (field === undefined || field.pointer || Array.isArray(item)) return false;
    if (typeof item === 'object' ? !isZero(field.schema, item) : Boolean(item)) return false;
  }
  return true;
}
