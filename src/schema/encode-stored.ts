import { isJsonObject, type JsonObject, type JsonValue } from '../api/json.ts';
import { encodeRaw, quoteJson, withHtmlEscaped } from '../api/json-text.ts';
import { sharedFieldsText } from '../api/shared-fields.ts';
import { encodeWithoutVersion } from './encode-json.ts';
import type { Schema } from './schema.ts';
import { plainWireForm } from './wire-form.ts';

// Stored objects are written with JSON.stringify, several times faster than our encoder, wherever it matches Go's
// encoder.

/** The object as stored: without its resourceVersion. */
export function encodeStored(schema: Schema, object: Readonly<JsonObject>): Buffer {
  const text = plainText(schema, object);
  return text === undefined ? encodeWithoutVersion(schema, object) : Buffer.from(text);
}

/** Undefined if only `encode-json.ts` can write it. */
function plainText(schema: Schema, object: Readonly<JsonObject>): string | undefined {
  const formed = plainWireForm(schema, object);
  return isJsonObject(formed) ? plainly(() => objectText(formed, topText)) : undefined;
}

/**
 * JSON of these fields of an object, or of its metadata, as they are stored; undefined if one of them is not stored, or
 * if only `encode-json.ts` can write it.
 */
export function storedFieldTexts(
  schema: Schema,
  fields: Readonly<JsonObject>,
  part: 'object' | 'metadata',
): ReadonlyMap<string, string> | undefined {
  const formed = plainWireForm(schema, fields);
  if (!isJsonObject(formed)) return undefined;
  const textOf = part === 'object' ? topText : metadataText;
  const texts = new Map<string, string>();
  for (const name in fields) {
    const value = formed[name];
    const text = value === undefined ? undefined : plainly(() => textOf(value, name));
    if (text === undefined) return undefined;
    texts.set(name, text);
  }
  return texts;
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
