import { parseApiVersion } from '../api/group-version.ts';
import { isJsonObject, type JsonObject } from '../api/json.ts';
import { ProtobufError } from '../api/wire-reader.ts';
import { decodeProtobuf } from '../codec/protobuf/decode.ts';
import { encodeEnvelope, readEnvelope } from '../codec/protobuf/envelope.ts';
import type { KindSchemas } from '../codec/serializer.ts';
import { parseStored } from '../codec/stored-json.ts';
import { encodeForStorage } from '../codec/stored-object.ts';
import type { Schema } from '../schema/schema.ts';
import { isUnstructured } from '../schema/unstructured.ts';

/** Objects as kube-apiserver stores them by default: a protobuf message in its envelope. Above the store they are JSON, so these two stand between. */
export interface ProtobufValues {
  /** The stored JSON of an object in protobuf. Throws a ProtobufError. */
  readonly read: (value: Uint8Array) => Uint8Array;
  /** The protobuf of stored JSON; undefined for what has no such form: custom resources, and what is no object. */
  readonly write: (json: Uint8Array) => Uint8Array | undefined;
}

export function protobufValues(schemasOf: KindSchemas): ProtobufValues {
  const schemaOf = (apiVersion: string, kind: string): Schema | undefined => {
    const parsed = parseApiVersion(apiVersion);
    return parsed === undefined ? undefined : schemasOf({ ...parsed, kind });
  };
  return {
    read(value) {
      const { apiVersion, kind, raw } = readEnvelope(value);
      const schema = schemaOf(apiVersion, kind);
      if (schema === undefined) throw new ProtobufError(`no kind ${kind} is known in ${apiVersion}`);
      return encodeForStorage(schema, withMetadata(decodeProtobuf(schema, raw), apiVersion, kind));
    },
    write(json) {
      const { value } = parseStored(json);
      if (!isJsonObject(value)) return undefined;
      const { apiVersion, kind } = value;
      if (typeof apiVersion !== 'string' || typeof kind !== 'string') return undefined;
      const schema = schemaOf(apiVersion, kind);
      if (schema === undefined || isUnstructured(schema)) return undefined;
      return encodeEnvelope({ apiVersion, kind }, schema, value);
    },
  };
}

/** Kind and version first, as they are stored. */
function withMetadata(object: JsonObject, apiVersion: string, kind: string): JsonObject {
  return { ...object, kind, apiVersion, metadata: object['metadata'] ?? {} };
}
