import { isJsonObject, type JsonValue } from '../../api/json.ts';
import { formatApiVersion } from '../../api/group-version.ts';
import { encodeProtobuf } from '../../codec/protobuf/encode.ts';
import { writeEnvelope } from '../../codec/protobuf/envelope.ts';
import { parseStored, readStored } from '../../codec/stored-json.ts';
import { isLarge, storedJson, type StoredObject } from '../../registry/stored-object.ts';
import type { Resource } from '../../schema/resource.ts';
import type { Schema } from '../../schema/schema.ts';
import { CacheEntry } from '../../watchcache/cache-entry.ts';
import { finish } from '../../api/turns.ts';

/** The message of a stored object in its storage version; cached while there is room. */
export function protobufMessage(stored: StoredObject, resource: Resource): Uint8Array {
  return stored instanceof CacheEntry ? stored.encoded(() => encode(stored, resource)) : encode(stored, resource);
}

/** The length of that message; always cached. */
export function protobufSize(entry: CacheEntry, resource: Resource): number {
  return entry.encodedBytes(() => encode(entry, resource));
}

/** The same message, encoded with pauses if the object is large. */
export function messageInTurns(stored: StoredObject, resource: Resource): Uint8Array | Promise<Uint8Array> {
  const isKept = stored instanceof CacheEntry && stored.isEncoded;
  return isKept || !isLarge(stored) ? protobufMessage(stored, resource) : readMessage(stored, resource);
}

function readMessage(stored: StoredObject, { schema }: Resource): Uint8Array {
  const { value } = finish(readStored(storedJson(stored)));
  const message = (): Uint8Array => encodeValue(value, schema);
  return stored instanceof CacheEntry ? stored.encoded(message) : message();
}

function encode(stored: StoredObject, { schema }: Resource): Uint8Array {
  return encodeValue(parseStored(storedJson(stored)).value, schema);
}

function encodeValue(value: JsonValue, schema: Schema): Uint8Array {
  if (!isJsonObject(value)) throw new Error('the stored value is not an object');
  return encodeProtobuf(schema, value);
}

/** The object in the `k8s\0` envelope. */
export function protobufObject(stored: StoredObject, resource: Resource): Buffer {
  return inEnvelope(resource, protobufMessage(stored, resource));
}

/** The same, encoded with pauses if the object is large. */
export async function protobufInTurns(stored: StoredObject, resource: Resource): Promise<Buffer> {
  return inEnvelope(resource, await messageInTurns(stored, resource));
}

function inEnvelope({ group, version, kind }: Resource, raw: Uint8Array): Buffer {
  return writeEnvelope({ apiVersion: formatApiVersion(group, version), kind, raw });
}
