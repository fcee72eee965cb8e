import { isJsonObject, type JsonObject, type JsonValue } from '../api/json/json.ts';
import { encodeRaw, quoteJson, withHtmlEscaped } from '../api/json/json-text.ts';
import { sharedFieldsText } from '../api/json/shared-fields.ts';
import { encodeWithoutVersion } from './encode-json.ts';
import type { Schema } from './schema.ts';
import { plainWireForm } from './wire-form.ts';

// Stored objects are written with JSON.stringify, several times faster than our encoder, wherever it matches Go's
// encoder.

/** An object as it is stored. */
export interface StoredForm {
  readonly bytes: Buffer;
  /** What parsing the bytes would yield; undefined if that is only known from them. Shares parts of the object. */
  readonly parsed: JsonObject | undefined;
}

/** The object as stored: without its resourceVersion. */
export function encodeStored(schema: Schema, object: Readonly<JsonObject>): Buffer {
  return storedForm(schema, object).bytes;
}

export function storedForm(schema: Schema, object: Readonly<JsonObject>): StoredForm {
  const formed = plainWireForm(schema, object);
  const text = isJsonObject(formed) ? plainly(() => objectText(formed, topText)) : undefined;
  if (text === undefined || !isJsonObject(formed)) {
    return { bytes: encodeWithoutVersion(schema, object), parsed: undefined };
  }
  const { metadata } = formed;
  const hasVersion = isJsonObject(metadata) && metadata['resourceVersion'] !== undefined;
  const parsed = hasVersion ? { ...formed, metadata: withoutVersion(metadata) } : formed;
  return { bytes: Buffer.from(text), parsed };
}

/** A field as it is stored. */
export interface StoredField {
  readonly text: string;
  /** What parsing the text would yield. */
  readonly parsed: JsonValue;
}

/**
 * These fields of an object, or of its metadata, as they are stored; undefined if one of them is not stored, or if only
 * `encode-json.ts` can write it.
 */
export function storedFields(
  schema: Schema,
  fields: Readonly<JsonObject>,
  part: 'object' | 'metadata',
): ReadonlyMap<string, StoredField> | undefined {
  const formed = plainWireForm(schema, fields);
  if (!isJsonObject(formed)) return undefined;
  const textOf = part === 'object' ? topText : metadataText;
  const stored = new Map<string, StoredField>();
  for (const name in fields) {
    const parsed = formed[name];
    const text = parsed === undefined ? undefined : plainly(() => textOf(parsed, name));
    if (parsed === undefined || text === undefined) return undefined;
    stored.set(name, { text, parsed });
  }
  return stored;
}

/** What `write` returns as Go would write it; undefined if JSON.stringify would not. */
function plainly(write: () => string): string | undefined {
  try {
    const text = withHtmlEscaped(write());
    return text.includes(startOfSurrogate) ? undefined : text;
  } catch (error) {
    // It contains a BigInt.
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** JSON.stringify escapes unpaired surrogates; Go replaces them. */
const startOfSurrogate = '\\ud';

type FieldText = (value: JsonValue, key: string) => string;

/** An object with fields that need special treatment. */
function objectText(object: Readonly<JsonObject>, textOf: FieldText): string {
  let text = '';
  for (const key in object) {
    const value = object[key] as JsonValue; // an own key
    if (value !== undefined) text += `${text === '' ? '{' : ','}"${key}":${textOf(value, key)}`;
  }
  return text === '' ? '{}' : `${text}}`;
}

/** For short strings, calling JSON.stringify costs more than writing them. */
function valueText(value: JsonValue): string {
  return typeof value === 'string' ? quoteJson(value) : JSON.stringify(value);
}

function topText(value: JsonValue, key: string): string {
  if (key !== 'metadata' || !isJsonObject(value)) return valueText(value);
  return objectText(value['resourceVersion'] === undefined ? value : withoutVersion(value), metadataText);
}

function withoutVersion(metadata: Readonly<JsonObject>): JsonObject {
  const { resourceVersion: _, ...rest } = metadata;
  return rest;
}

function metadataText(value: JsonValue, key: string): string {
  if (key !== 'managedFields' || !Array.isArray(value)) return valueText(value);
  return `[${value.map((entry) => (isJsonObject(entry) ? objectText(entry, entryText) : valueText(entry))).join(',')}]`;
}

/** The owned fields are often longer than everything else, and carry their JSON. */
function entryText(value: JsonValue): string {
  return isJsonObject(value) ? (sharedFieldsText(value) ?? encodeRaw(value)) : valueText(value);
}
