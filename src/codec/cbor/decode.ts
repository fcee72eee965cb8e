import { isJsonObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import type { HugeKeys } from '../../api/json-tree.ts';
import type { Work } from '../../api/turns.ts';
import type { Schema } from '../../schema/schema.ts';
import { UnknownFieldError } from './cbor-errors.ts';
import { decodeExactly } from './decode-exact.ts';
import { FastDecoder } from './fast-decoder.ts';
import { checkWellFormed } from './well-formed.ts';

/*
 * CBOR to the JSON that Go would write for the same object; the result goes through the schema's decoder like any body.
 *
 * Two decoders share the work. The fast one decodes bodies of a known kind in one pass and gives up at anything that
 * encoders of this API do not write; then the bytes are checked as a whole, and the exact one applies the reference's
 * semantics and error messages.
 */

export interface DecodedCbor {
  readonly value: JsonValue;
  /** At most one: the reference's decoder stops at the first error. */
  readonly strictErrors: readonly string[];
  readonly hugeKeys?: HugeKeys;
}

/** Decodes one data item as an object of a kind. Throws CborError. */
export function* decodeCbor(schema: Schema, bytes: Uint8Array): Work<DecodedCbor> {
  // Custom resources have no Go type: their schema applies to plain data.
  if (schema.structure?.goName === '') return { value: yield* decodeFreeMap(bytes), strictErrors: [] };
  const decoder = new FastDecoder(bytes);
  const value = yield* decoder.decode(schema);
  if (value !== undefined) return { value, strictErrors: [], hugeKeys: decoder.hugeKeys };
  yield;
  yield* checkWellFormed(bytes);
  const exact = yield* decodeExactly(schema, bytes, { strict: false });
  return { value: exact, strictErrors: yield* strictErrorsOf(schema, bytes) };
}

const anything: Schema = { type: 'any', format: 'json', goType: 'interface {}' };
const anyMap: Schema = { type: 'map', goType: 'map[string]interface {}' };

/** A map of unknown type; null is an empty one. Throws CborError. */
export function* decodeFreeMap(bytes: Uint8Array): Work<JsonObject> {
  const value = yield* new FastDecoder(bytes).decode(anything);
  if (isJsonObject(value)) return value;
  yield;
  yield* checkWellFormed(bytes);
  // Errors of the contents are reported first.
  yield* decodeExactly(anything, bytes, { strict: true });
  const map = yield* decodeExactly(anyMap, bytes, { strict: true });
  return isJsonObject(map) ? map : {};
}

function* strictErrorsOf(schema: Schema, bytes: Uint8Array): Work<readonly string[]> {
  try {
    yield* decodeExactly(schema, bytes, { strict: true });
    return [];
  } catch (error) {
    if (error instanceof UnknownFieldError) return [error.message];
    throw error;
  }
}
