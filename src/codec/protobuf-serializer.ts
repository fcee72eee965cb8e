import { parseApiVersion } from '../api/group-version.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../api/json.ts';
import { plainSource } from '../api/json-tree.ts';
import type { Work } from '../api/turns.ts';
import type { Schema } from '../schema/schema.ts';
import { readProtobuf } from './protobuf/decode.ts';
import { encodeEnvelope, type Envelope, readEnvelope } from './protobuf/envelope.ts';
import { parseStored } from './stored-json.ts';
import { ProtobufError } from '../api/wire-reader.ts';
import { BodySyntaxError, type DecodedBody, type KindSchemas, type Serializer } from './serializer.ts';

/** What Go clients speak by default. */
export const protobufSerializer: Serializer = {
  mediaType: 'application/vnd.kubernetes.protobuf',
  decode,
  *render(json, { schemaOf }) {
    yield;
    return renderProtobuf(json, schemaOf);
  },
};

/** The object's JSON tells its kind, and that its schema. Documents of the core group may lack their version. */
export function renderProtobuf(json: Uint8Array, schemaOf: KindSchemas): Uint8Array {
  const { value } = parseStored(json);
  if (!isJsonObject(value)) throw new Error('an answer is an object');
  const [apiVersion, kind] = [textOf(value['apiVersion']), textOf(value['kind'])];
  const parsed = parseApiVersion(apiVersion === '' ? 'v1' : apiVersion);
  const schema = parsed === undefined ? undefined : schemaOf({ ...parsed, kind });
  if (schema === undefined) throw new Error(`${apiVersion} ${kind} has no protobuf form`);
  return encodeEnvelope({ apiVersion, kind }, schema, value);
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

function* decode(bytes: Uint8Array): Work<DecodedBody> {
  const { apiVersion: written, kind, raw } = openEnvelope(bytes);
  // What is no group version is as none.
  const apiVersion = parseApiVersion(written) === undefined ? '' : written;
  yield;
  return {
    source: plainSource({ apiVersion, kind }),
    strictErrors: [],
    objectOf: (schema) => readBody(schema, raw),
  };
}

function openEnvelope(bytes: Uint8Array): Envelope {
  try {
    return readEnvelope(bytes);
  } catch (error) {
    throw asBodyError(error);
  }
}

function* readBody(schema: Schema, raw: Uint8Array): Work<JsonObject> {
  try {
    return yield* readProtobuf(schema, raw);
  } catch (error) {
    throw asBodyError(error);
  }
}

function asBodyError(error: unknown): unknown {
  return error instanceof ProtobufError ? new BodySyntaxError(error.message) : error;
}
