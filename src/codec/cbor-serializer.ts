import { randomInt } from 'node:crypto';
import type { JsonObject } from '../api/json.ts';
import { plainSource } from '../api/json-tree.ts';
import type { Work } from '../api/turns.ts';
import { type Document, type KindSchemas, typedDocument } from './document.ts';
import { CborError } from './cbor/cbor-errors.ts';
import { decodeCbor, decodeFreeMap } from './cbor/decode.ts';
import { encodeCbor, encodeCborInTurns } from './cbor/encode.ts';
import { diagnose } from './cbor/diagnose.ts';
import { readTypeMeta, type TypeMeta, withoutKind } from './cbor/type-meta.ts';
import { parseOwnJson, readOwnJson } from './json.ts';
import { BodySyntaxError, type DecodedBody, type Serializer, type FormatOptions } from './serializer.ts';

/** RFC 8949, behind the feature gate `CBORServingAndStorage`. */
export const cborSerializer: Serializer = { mediaType: 'application/cbor', decode, write };

/** Media type of a CBOR sequence (RFC 8742). */
export const cborSequence = 'application/cbor-seq';

function* write(document: Document, { schemaOf }: Pick<FormatOptions, 'schemaOf'>): Work<Uint8Array> {
  yield;
  const json = 'json' in document ? (yield* readOwnJson(document.json)).value : null;
  const { schema, value } = typedDocument(document, schemaOf, () => json);
  return yield* encodeCborInTurns(schema, value, randomInt(rotations));
}

const rotations = 1 << 16;

/**
 * Encodes the whole document; the kind determines which of its strings are bytes. The order of fields is random, so
 * that no client relies on one; rotation 0 is the deterministic order.
 */
export function writeCbor(document: Document, schemaOf: KindSchemas, rotation = randomInt(rotations)): Uint8Array {
  const { schema, value } = typedDocument(document, schemaOf, (json) => parseOwnJson(json).value);
  return encodeCbor(schema, value, rotation);
}

/** A map of unknown type; null is an empty one. Throws BodySyntaxError. */
export function* decodeCborMap(bytes: Uint8Array): Work<JsonObject> {
  return yield* refuseAsBody(decodeFreeMap(bytes));
}

function* decode(bytes: Uint8Array): Work<DecodedBody> {
  const { kind, apiVersion } = yield* refuseAsBody(kindOf(bytes));
  yield;
  const strictErrors: string[] = [];
  return {
    source: plainSource({ apiVersion, kind }),
    strictErrors,
    shown: () => diagnose(bytes),
    *typed(schema) {
      const decoded = yield* refuseAsBody(decodeCbor(schema, bytes));
      strictErrors.push(...decoded.strictErrors);
      yield;
      return { ...plainSource(decoded.value ?? {}), hugeKeys: decoded.hugeKeys };
    },
  };
}

function* kindOf(bytes: Uint8Array): Work<TypeMeta> {
  try {
    return yield* readTypeMeta(bytes);
  } catch (error) {
    throw error instanceof CborError ? withoutKind(error) : error;
  }
}

function* refuseAsBody<T>(read: Work<T>): Work<T> {
  try {
    return yield* read;
  } catch (error) {
    throw error instanceof CborError ? new BodySyntaxError(error.message) : error;
  }
}
