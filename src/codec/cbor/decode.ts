import { isJsonObject, type JsonObject, type JsonValue } from '../../api/json/json.ts';
import type { Schema } from '../../schema/schema.ts';
import { UnknownFieldError } from './cbor-errors.ts';
import { decodeExactly } from './decode-exact.ts';
import { checkWellFormed } from './well-formed.ts';

/*
 * CBOR to the JSON that Go would write for the same object; the result goes through the schema's decoder like any body.
 * The bytes are checked as a whole, and then decoded with the reference's semantics and error messages.
 */

export interface DecodedCbor {
  readonly value: JsonValue;
  /** At most one: the reference's decoder stops at the first error. */
  readonly strictErrors: readonly string[];
}

/** Decodes one data item as an object of a kind. Throws CborError. */
export function decodeCbor(schema: Schema, bytes: Uint8Array): DecodedCbor {
  // Custom resources have no Go type: their schema applies to plain data.
  if (schema.structure?.goName === '') return { value: decodeFreeMap(bytes), strictErrors: [] };
  checkWellFormed(bytes);
  try {
    return { value: decodeExactly(schema, bytes, { strict: true }), strictErrors: [] };
  } catch (error) {
    // What is wrong for other reasons than being unknown is told first.
    const value = decodeExactly(schema, bytes, { strict: false });
    if (error instanceof UnknownFieldError) return { value, strictErrors: [error.message] };
    throw error;
  }
}

const anything: Schema = { type: 'any', format: 'json', goType: 'interface {}' };
const anyMap: Schema = { type: 'map', goType: 'map[string]interface {}' };

/** A map of unknown type; null is an empty one. Throws CborError. */
export function decodeFreeMap(bytes: Uint8Array): JsonObject {
  checkWellFormed(bytes);
  // Errors of the contents precede that of being no map.
  const value = decodeExactly(anything, bytes, { strict: true });
  const map = isJsonObject(value) ? value : decodeExactly(anyMap, bytes, { strict: true });
  return isJsonObject(map) ? map : {};
}
