import { isJsonObject, type JsonObject, type JsonValue } from '../api/json/json.ts';
import { encodeRaw } from '../api/json/json-text.ts';
import { encodeYaml } from '../codec/yaml/write.ts';

/*
 * Messages of github.com/google/gnostic-models, the protobuf form of OpenAPI documents, as field tables. `x-` keys go
 * to a field of their own.
 */

/** Field contents: one buffer per occurrence, a number for a varint, a Float64Array for a double. */
export type Write = (value: JsonValue) => readonly (Buffer | number | Float64Array)[];

export interface Message {
  /** In ascending order of number. */
  readonly fields: readonly { readonly number: number; readonly key: string; readonly write: Write }[];
  readonly extensions?: number;
}

/** Objects of one message in a document, by name. */
export interface Section {
  readonly message: Message;
  readonly objects: JsonValue | undefined;
}

/** Encodes a document. */
export function encodeDocument(message: Message, document: JsonObject, large: readonly Section[]): Buffer {
  for (const section of large) {
    for (const object of Object.values(isJsonObject(section.objects) ? section.objects : {})) {
      if (isJsonObject(object)) sectionObjects.set(object, encode(section.message, object));
    }
  }
  const encoded = encode(message, document);
  anyContents.clear();
  return encoded;
}

/** Sections that are encoded already. */
const sectionObjects = new WeakMap<JsonObject, Buffer>();

/** Encoded values by their JSON, for one document: a few hundred values occur many thousand times. */
const anyContents = new Map<string, Buffer>();

function encode({ fields, extensions }: Message, object: JsonObject): Buffer {
  const parts = fields.flatMap(({ number, key, write }) => {
    const value = object[key];
    return value === undefined ? [] : occurrences(number, write(value));
  });
  if (extensions !== undefined) {
    const own = Object.entries(object).filter(([key]) => key.startsWith('x-'));
    if (own.length > 0) parts.push(...occurrences(extensions, named(any)(Object.fromEntries(own))));
  }
  return Buffer.concat(parts);
}

function occurrences(number: number, contents: ReturnType<Write>): Buffer[] {
  return contents.flatMap((content) => {
    if (typeof content === 'number') return [varint(number * 8), varint(content)];
    if (content instanceof Float64Array) return [varint(number * 8 + 1), Buffer.from(content.buffer)];
    return [varint(number * 8 + 2), varint(content.length), content];
  });
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  bytes.push(rest);
  return Buffer.from(bytes);
}

// Empty and false scalars are omitted.
export const text: Write = (value) => (typeof value === 'string' && value !== '' ? [Buffer.from(value)] : []);
export const flag: Write = (value) => (value === true ? [1] : []);
export const integer: Write = (value) => (typeof value === 'number' && value !== 0 ? [value] : []);
export const double: Write = (value) => (typeof value === 'number' && value !== 0 ? [Float64Array.of(value)] : []);
/** An `Any` with YAML in its field 2. */
export const any: Write = (value) => {
  const json = encodeRaw(value);
  let content = anyContents.get(json);
  if (content === undefined) {
    content = Buffer.concat(occurrences(2, [Buffer.from(encodeYaml(json, 'written'))]));
    anyContents.set(json, content);
  }
  return [content];
};
/** A `StringArray` or `TypeItem`: a message with the strings in its field 1. */
export const textItems: Write = (value) => [
  Buffer.concat(occurrences(1, (Array.isArray(value) ? value : [value]).map(textBytes))),
];

export function list(write: Write): Write {
  return (value) => (Array.isArray(value) ? value : [value]).flatMap(write);
}

export const texts = list((value) => [textBytes(value)]);

/** Fields of these types are strings in every document. */
function textBytes(value: JsonValue): Buffer {
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
}

/** Resolved lazily: messages refer to each other in cycles. */
export function one(message: () => Message): Write {
  return (value) => (isJsonObject(value) ? [sectionObjects.get(value) ?? encode(message(), value)] : []);
}

/** A message with the single field `number`: members of a `oneof`, lists. */
export function inside(number: number, write: Write): Write {
  return (value) => [Buffer.concat(occurrences(number, write(value)))];
}

const referenceMessage: Message = { fields: [{ number: 1, key: '$ref', write: text }] };
const reference = inside(
  2,
  one(() => referenceMessage),
);

/** `oneof { X x = 1; Reference reference = 2; }` */
export function orReference(write: Write): Write {
  const own = inside(1, write);
  return (value) => (isJsonObject(value) && value['$ref'] !== undefined ? reference(value) : own(value));
}

/** The operations of a path, in consecutive field numbers. */
export function operations(first: number, write: Write): Message['fields'] {
  return methods.map((key, index) => ({ number: first + index, key, write }));
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'];

/** An object with arbitrary keys: messages of `name = 1`, `value = 2`. */
export function named(write: Write): Write {
  return (value) =>
    isJsonObject(value)
      ? Object.entries(value).map(([name, each]) =>
          Buffer.concat([...occurrences(1, [Buffer.from(name)]), ...occurrences(2, write(each))]),
        )
      : [];
}

export function map(write: Write): Write {
  return inside(1, named(write));
}
