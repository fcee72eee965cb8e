import { type GroupVersionKind, parseApiVersion } from '../api/group-version.ts';
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../api/json.ts';
import { encodeRaw } from '../api/json-text.ts';
import { encodeJson, encodeJsonBytes } from '../schema/encode-json.ts';
import type { Schema } from '../schema/schema.ts';

/** Schemas of the kinds that are known. */
export type KindSchemas = (kind: GroupVersionKind) => Schema | undefined;

/** What is to be written: an object in memory, or JSON that is there already. Both tell their kind. */
export type Document = ObjectDocument | JsonDocument;

export interface ObjectDocument {
  readonly object: Readonly<JsonObject>;
  /** Of its kind; undefined for what is written in the order of its keys. */
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

/** The same as text. */
export function jsonTextOf(document: Document): string {
  if ('json' in document) return utf8Text(document.json);
  const { object, schema } = document;
  return schema === undefined ? encodeRaw(object) : encodeJson(schema, object);
}

/** Without a copy of the bytes. */
export function utf8Text({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('utf8');
}

/** A document as formats need it that are written by a schema. */
export interface TypedDocument {
  readonly apiVersion: string;
  readonly kind: string;
  readonly value: JsonValue;
  /** Undefined for kinds that nobody knows. */
  readonly schema: Schema | undefined;
}

/** `parse` reads the document that is JSON. */
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

/** Documents of the core group may lack their version. */
function schemaOfType(apiVersion: string, kind: string, schemaOf: KindSchemas): Schema | undefined {
  const parsed = parseApiVersion(apiVersion === '' ? 'v1' : apiVersion);
  return parsed === undefined || kind === '' ? undefined : schemaOf({ ...parsed, kind });
}

function stringOf(value: JsonValue, key: string): string {
  const text = isJsonObject(value) ? getOwn(value, key) : undefined;
  return typeof text === 'string' ? text : '';
}
