import { parseApiVersion } from '../api/group-version.ts';
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../api/json.ts';
import { plainSource } from '../api/json-tree.ts';
import type { Work } from '../api/turns.ts';
import type { Schema } from '../schema/schema.ts';
import { CborError } from './cbor/cbor-errors.ts';
import { decodeCbor, decodeFreeMap } from './cbor/decode.ts';
import { encodeCbor } from './cbor/encode.ts';
import { diagnose } from './cbor/diagnose.ts';
import { readTypeMeta, withoutKind } from './cbor/type-meta.ts';
import { parseJson } from './json.ts';
import {
  BodySyntaxError,
  type DecodedBody,
  type KindSchemas,
  type RenderOptions,
  type Serializer,
} from './serializer.ts';

/** RFC 8949, behind the feature gate `CBORServingAndStorage`. */
export const cborSerializer: Serializer = { mediaType: 'application/cbor', decode, render };

/** What a stream of such items calls itself (RFC 8742). */
export const cborSequence = 'application/cbor-seq';

function* render(json: Uint8Array, { schemaOf }: RenderOptions): Work<Uint8Array> {
  yield;
  return renderCbor(json, schemaOf);
}

/** The object's JSON tells its kind, and that which of its strings are bytes. */
export function renderCbor(json: Uint8Array, schemaOf: KindSchemas): Uint8Array {
  const { value } = parseJson(json);
  return encodeCbor(isJsonObject(value) ? kindSchema(value, schemaOf) : undefined, value);
}

/** A map of which nothing is known; null is an empty one. Throws BodySyntaxError. */
export function decodeCborMap(bytes: Uint8Array): JsonObject {
  return refuseAsBody(() => decodeFreeMap(bytes));
}

/** The schema of an object that tells its kind; undefined for those that only JSON describes. */
function kindSchema(object: Readonly<JsonObject>, schemaOf: KindSchemas): Schema | undefined {
  const kind = textOf(getOwn(object, 'kind'));
  const apiVersion = textOf(getOwn(object, 'apiVersion'));
  // Documents of the core group may lack their version.
  const parsed = parseApiVersion(apiVersion === '' ? 'v1' : apiVersion);
  return parsed === undefined || kind === '' ? undefined : schemaOf({ ...parsed, kind });
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

function* decode(bytes: Uint8Array): Work<DecodedBody> {
  const { kind, apiVersion } = refuseAsBody(() => kindOf(bytes));
  yield;
  const strictErrors: string[] = [];
  return {
    source: plainSource({ apiVersion, kind }),
    strictErrors,
    shown: () => diagnose(bytes),
    *typed(schema) {
      const decoded = refuseAsBody(() => decodeCbor(schema, bytes));
      strictErrors.push(...decoded.strictErrors);
      yield;
      return plainSource(decoded.value ?? {});
    },
  };
}

function kindOf(bytes: Uint8Array): { readonly kind: string; readonly apiVersion: string } {
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
