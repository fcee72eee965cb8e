import { type GroupVersionKind, parseApiVersion } from '../api/meta/group-version.ts';
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../api/json/json.ts';
import { encodeRaw } from '../api/json/json-text.ts';
import { encodeJson, encodeJsonBytes } from '../schema/encode-json.ts';
import type { Schema } from '../schema/schema.ts';

/** Schemas of known kinds. */
export type KindSchemas = (kind: GroupVersionKind) => Schema | undefined;

/** Something to encode: an object in memory, or JSON. Both include their kind. */
export type Document = ObjectDocument | JsonDocument;

export interface ObjectDocument {
  readonly object: Readonly<JsonObject>;
  /** Schema of its kind; undefined for objects written in key order. */
  readonly schema: Schema | undefined;
}

export interface JsonDocument {
  /** Compact, as Go writes it. */
  readonly json: Uint8Array;
}

/** The document as compact JSON. */
export function jsonOf(document: Document): Uint8Array {
  if ('json' in document) return document.json;
  const { object, schema } = document;
  return schema === undefined ? Buffer.from(encodeRaw(object)) : encodeJsonBytes(schema, object);
}

/** The document as compact JSON, as a string. */
export function jsonTextOf(document: Document): string {
  if ('json' in document) return utf8Text(document.json);
  const { object, schema } = document;
  return schema === undefined ? encodeRaw(object) : encodeJson(schema, object);
}

/** Without a copy of the bytes. */
export function utf8Text({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('utf8');
}

/** A document for encodings that need a schema. */
export interface TypedDocument {
  readonly apiVersion: string;
  readonly kind: string;
  readonly value: JsonValue;
  /** Undefined for unknown kinds. */
  readonly schema: Schema | undefined;
}

/** `parse` parses a document that is JSON. */
export function typedDocument(
  document: Document,
  schemaOf: KindSchemas,
  parse: (json: Uint8Array) => JsonValue,
): TypedDocument {
  const value = 'json' in document ? parse(document.json) : document.object;
  const [apiVersion, kind] = [stringOf(value, 'apiVersion'), stringOf(value, 'kind')];
  const known = 'json' in document ? undefined : document.schema;
  return { apiVersion, kind, value, schema: known ?? schemaOfType(apiVersion, kind, schemaOf) };
}

/** Documents of the core group may lack a version. */
function schemaOfType(apiVersion: string, kind: string, schemaOf: KindSchemas): Schema | undefined {
  const parsed = parseApiVersion(apiVersion === '' ? 'v1' : apiVersion);
  return parsed === undefined || kind === '' ? undefined : schemaOf({ ...parsed, kind });
}

function stringOf(value: JsonValue, key: string): string {
  const text = isJsonObject(value) ? getOwn(value, key) : undefined;
  return typeof text === 'string' ? text : '';
}
