import { isJsonObject, type JsonObject } from '../../api/json/json.ts';
import { formatApiVersion } from '../../api/meta/group-version.ts';
import { encodeProtobuf } from '../../codec/protobuf/encode.ts';
import { writeEnvelope } from '../../codec/protobuf/envelope.ts';
import { parseStored } from '../../codec/stored-json.ts';
import { knownJson } from '../../registry/stored/known-states.ts';
import { storedJson, type StoredObject, versionOf } from '../../registry/stored/stored-object.ts';
import type { Resource } from '../../schema/resource.ts';
import { CacheEntry } from '../../watchcache/cache-entry.ts';

/** The message of a stored object in its storage version; cached while there is room. */
export function protobufMessage(stored: StoredObject, resource: Resource): Uint8Array {
  return stored instanceof CacheEntry ? stored.encoded(() => encode(stored, resource)) : encode(stored, resource);
}

/** The length of that message; always cached. */
export function protobufSize(entry: CacheEntry, resource: Resource): number {
  return entry.encodedBytes(() => encode(entry, resource));
}

function encode(stored: StoredObject, { schema }: Resource): Uint8Array {
  const known = knownJson(stored);
  if (known !== undefined) return encodeProtobuf(schema, withVersion(known, versionOf(stored)));
  const { value } = parseStored(storedJson(stored));
  if (!isJsonObject(value)) throw new Error('the stored value is not an object');
  return encodeProtobuf(schema, value);
}

/** The JSON of a stored object, which has no resourceVersion, with one. */
function withVersion(object: Readonly<JsonObject>, resourceVersion: string | undefined): JsonObject {
  const { metadata } = object;
  if (resourceVersion === undefined || !isJsonObject(metadata)) return object;
  return { ...object, metadata: { ...metadata, resourceVersion } };
}

/** The object in the `k8s\0` envelope. */
export function protobufObject(stored: StoredObject, resource: Resource): Buffer {
  return inEnvelope(resource, protobufMessage(stored, resource));
}

function inEnvelope({ group, version, kind }: Resource, raw: Uint8Array): Buffer {
  return writeEnvelope({ apiVersion: formatApiVersion(group, version), kind, raw });
}
