import { randomInt } from 'node:crypto';
import type { JsonObject } from '../api/json/json.ts';
import { plainSource } from '../api/json/json-tree.ts';
import { type Document, type KindSchemas, typedDocument } from './document.ts';
import { CborError } from './cbor/cbor-errors.ts';
import { decodeCbor, decodeFreeMap } from './cbor/decode.ts';
import { encodeCbor } from './cbor/encode.ts';
import { diagnose } from './cbor/diagnose.ts';
import { readTypeMeta, type TypeMeta, withoutKind } from './cbor/type-meta.ts';
import { parseOwnJson } from './json.ts';
import { BodySyntaxError, type DecodedBody, type Serializer } from './serializer.ts';

/** RFC 8949, behind the feature gate `CBORServingAndStorage`. */
export const cborSerializer: Serializer = {
  mediaType: 'application/cbor',
  decode,
  write: (document, { schemaOf }) => writeCbor(document, schemaOf),
};

/** Media type of a CBOR sequence (RFC 8742). */
export const cborSequence = 'application/cbor-seq';

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
export function decodeCborMap(bytes: Uint8Array): JsonObject {
  return refuseAsBody(() => decodeFreeMap(bytes));
}

function decode(bytes: Uint8Array): DecodedBody {
  const { kind, apiVersion } = refuseAsBody(() => kindOf(bytes));
  const strictErrors: string[] = [];
  return {
    source: plainSource({ apiVersion, kind }),
    strictErrors,
    shown: () => diagnose(bytes),
    typed(schema) {
      const decoded = refuseAsBody(() => decodeCbor(schema, bytes));
      strictErrors.push(...decoded.strictErrors);
      return plainSource(decoded.value ?? {});
    },
  };
}

function kindOf(bytes: Uint8Array): TypeMeta {
  try {
    return readTypeMeta(bytes);
  } catch (error) {
    throw error instanceof CborError ? withoutKind(error) : error;
  }
}

function refuseAsBody<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof CborError ? new BodySyntaxError(error.message) : error;
  }
}
