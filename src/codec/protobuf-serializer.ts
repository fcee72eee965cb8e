import { parseApiVersion } from '../api/meta/group-version.ts';
import { isJsonObject } from '../api/json/json.ts';
import { plainSource } from '../api/json/json-tree.ts';
import { type Document, type KindSchemas, typedDocument } from './document.ts';
import { decodeProtobuf } from './protobuf/decode.ts';
import { encodeEnvelope, readEnvelope } from './protobuf/envelope.ts';
import { parseStored } from './stored-json.ts';
import { ProtobufError } from '../api/bytes/wire-reader.ts';
import { BodySyntaxError, type DecodedBody, type Serializer } from './serializer.ts';

/** The default of Go clients. */
export const protobufSerializer: Serializer = {
  mediaType: 'application/vnd.kubernetes.protobuf',
  decode,
  write: (document, { schemaOf }) => writeProtobuf(document, schemaOf),
};

/** The document in its envelope. */
export function writeProtobuf(document: Document, schemaOf: KindSchemas): Uint8Array {
  const { apiVersion, kind, value, schema } = typedDocument(document, schemaOf, (json) => parseStored(json).value);
  if (!isJsonObject(value)) throw new Error('the response must be an object');
  if (schema === undefined) throw new Error(`${apiVersion} ${kind} has no protobuf encoding`);
  return encodeEnvelope({ apiVersion, kind }, schema, value);
}

function decode(bytes: Uint8Array): DecodedBody {
  const { apiVersion: written, kind, raw } = orBodyError(() => readEnvelope(bytes));
  // An invalid group version counts as absent.
  const apiVersion = parseApiVersion(written) === undefined ? '' : written;
  return {
    source: plainSource({ apiVersion, kind }),
    strictErrors: [],
    objectOf: (schema) => orBodyError(() => decodeProtobuf(schema, raw)),
  };
}

function orBodyError<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof ProtobufError ? new BodySyntaxError(error.message) : error;
  }
}
