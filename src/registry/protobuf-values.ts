import { parseApiVersion } from '../api/group-version.ts';
import { isJsonObject, type JsonObject } from '../api/json.ts';
import { ProtobufError } from '../api/wire-reader.ts';
import { decodeProtobuf } from '../codec/protobuf/decode.ts';
import { encodeEnvelope, readEnvelope } from '../codec/protobuf/envelope.ts';
import { parseStored } from '../codec/stored-json.ts';
import { encodeForStorage } from '../codec/stored-object.ts';
import { schemaOfKind } from '../schema/kubernetes/definitions.ts';
import type { Schema } from '../schema/schema.ts';

/*
 * Objects as kube-apiserver stores them by default: a protobuf message in its envelope. Above the store they are JSON, so these two stand between.
 */

/** The stored JSON of an object in protobuf. Throws a ProtobufError. */
export function readProtobufValue(value: Uint8Array): Uint8Array {
  const { apiVersion, kind, raw } = readEnvelope(value);
  const schema = schemaOf(apiVersion, kind);
  if (schema === undefined) throw new ProtobufError(`no kind ${kind} is known in ${apiVersion}`);
  return encodeForStorage(schema, withMetadata(decodeProtobuf(schema, raw), apiVersion, kind));
}

/** The protobuf of stored JSON; undefined for what has no such form: custom resources, and what is no object. */
export function writeProtobufValue(json: Uint8Array): Uint8Array | undefined {
  const { value } = parseStored(json);
  if (!isJsonObject(value)) return undefined;
  const { apiVersion, kind } = value;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') return undefined;
  const schema = schemaOf(apiVersion, kind);
  return schema === undefined ? undefined : encodeEnvelope({ apiVersion, kind }, schema, value);
}

function schemaOf(apiVersion: string, kind: string): Schema | undefined {
  const parsed = parseApiVersion(apiVersion);
  return parsed === undefined ? undefined : schemaOfKind({ ...parsed, kind });
}

/** Kind and version first, as they are stored. */
function withMetadata(object: JsonObject, apiVersion: string, kind: string): JsonObject {
  return { ...object, kind, apiVersion, metadata: object['metadata'] ?? {} };
}
