import { isJsonObject, type JsonObject, type JsonValue } from '../api/json.ts';
import { encodeRaw, withHtmlEscaped } from '../api/json-text.ts';
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
    const text = withHtmlEscaped(objectText(formed));
    return text.includes(startOfSurrogate) ? undefined : text;
  } catch (error) {
    // There is a BigInt in it.
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Surrogates without their other half are escaped; Go replaces them. */
const startOfSurrogate = '\\ud';

function objectText(formed: Readonly<JsonObject>): string {
  let text = '';
  for (const key in formed) {
    const value = formed[key] as JsonValue; // an own key
    const isMetadata = key === 'metadata' && isJsonObject(value);
    text += `${text === '' ? '{' : ','}"${key}":${isMetadata ? metadataText(value) : JSON.stringify(value)}`;
  }
  return text === '' ? '{}' : `${text}}`;
}

/** The fields that others own are often longer than all the rest, and have their text with them. */
function metadataText(metadata: Readonly<JsonObject>): string {
  const { resourceVersion: _, managedFields, ...rest } = metadata;
  const text = JSON.stringify(rest);
  if (!Array.isArray(managedFields)) return text;
  // They are the last field.
  return `${text.slice(0, -1)}${text === '{}' ? '' : ','}"managedFields":[${managedFields.map(entryText).join(',')}]}`;
}

function entryText(entry: JsonValue): string {
  if (!isJsonObject(entry)) return JSON.stringify(entry);
  let text = '';
  for (const key in entry) {
    const value = entry[key] as JsonValue; // an own key
    const fields = isJsonObject(value) ? (sharedFieldsText(value) ?? encodeRaw(value)) : JSON.stringify(value);
    text += `${text === '' ? '{' : ','}"${key}":${fields}`;
  }
  return text === '' ? '{}' : `${text}}`;
}
