import { parseApiVersion } from '../api/group-version.ts';
import { isJsonObject, type JsonObject } from '../api/json.ts';
import { plainSource } from '../api/json-tree.ts';
import type { Work } from '../api/turns.ts';
import type { Schema } from '../schema/schema.ts';
import { type Document, type KindSchemas, typedDocument } from './document.ts';
import { readProtobuf } from './protobuf/decode.ts';
import { encodeEnvelope, type Envelope, readEnvelope } from './protobuf/envelope.ts';
import { parseStored } from './stored-json.ts';
import { ProtobufError } from '../api/wire-reader.ts';
import { BodySyntaxError, type DecodedBody, type Serializer } from './serializer.ts';

/** The default of Go clients. */
export const protobufSerializer: Serializer = {
  mediaType: 'application/vnd.kubernetes.protobuf',
  decode,
  *write(document, { schemaOf }) {
    yield;
    return writeProtobuf(document, schemaOf);
  },
};

/** The document in its envelope, at once. */
export function writeProtobuf(document: Document, schemaOf: KindSchemas): Uint8Array {
  const { apiVersion, kind, value, schema } = typedDocument(document, schemaOf, (json) => parseStored(json).value);
  if (!isJsonObject(value)) throw new Error('the response must be an object');
  if (schema === undefined) throw new Error(`${apiVersion} ${kind} has no protobuf encoding`);
  return encodeEnvelope({ apiVersion, kind }, schema, value);
}

function* decode(bytes: Uint8Array): Work<DecodedBody> {
  const { apiVersion: written, kind, raw } = openEnvelope(bytes);
  // An invalid group version counts as absent.
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
