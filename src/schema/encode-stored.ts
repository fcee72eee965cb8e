import { isJsonObject, type JsonObject, type JsonValue } from '../api/json.ts';
import { encodeRaw, quoteJson, withHtmlEscaped } from '../api/json-text.ts';
import { sharedFieldsText } from '../api/shared-fields.ts';
import { encodeWithoutVersion } from './encode-json.ts';
import type { Schema } from './schema.ts';
import { plainWireForm } from './wire-form.ts';

// Stored objects are written by the platform's encoder, several times faster than ours, where it writes what Go's encoder does.

/** The object as it is stored: without its resource version. */
export function encodeStored(schema: Schema, object: Readonly<JsonObject>): Buffer {
  const text = plainText(schema, object);
  return text === undefined ? encodeWithoutVersion(schema, object) : Buffer.from(text);
}

/** Undefined where only `encode-json.ts` knows how to write it. */
function plainText(schema: Schema, object: Readonly<JsonObject>): string | undefined {
  const formed = plainWireForm(schema, object);
  if (!isJsonObject(formed)) return undefined;
  try {
    const text = withHtmlEscaped(objectText(formed, topText));
    return text.includes(startOfSurrogate) ? undefined : text;
  } catch (error) {
    // There is a BigInt in it.
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Surrogates without their other half are escaped; Go replaces them. */
const startOfSurrogate = '\\ud';

type FieldText = (value: JsonValue, key: string) => string;

/** An object of which some field is written otherwise. */
function objectText(object: Readonly<JsonObject>, textOf: FieldText): string {
  let text = '';
  for (const key in object) {
    const value = object[key] as JsonValue; // an own key
    if (value !== undefined) text += `${text === '' ? '{' : ','}"${key}":${textOf(value, key)}`;
  }
  return text === '' ? '{}' : `${text}}`;
}

/** To call the platform for a short text takes longer than to write it. */
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

/** The fields that somebody owns are often longer than all the rest, and have their text with them. */
function entryText(value: JsonValue): string {
  return isJsonObject(value) ? (sharedFieldsText(value) ?? encodeRaw(value)) : valueText(value);
}
