import { isJsonObject } from '../api/json.ts';
import { formatApiVersion } from '../api/group-version.ts';
import { encodeProtobuf } from '../codec/protobuf/encode.ts';
import { writeEnvelope } from '../codec/protobuf/envelope.ts';
import { parseStored } from '../codec/stored-json.ts';
import { objectBytes } from '../codec/stored-object.ts';
import { locatedOf, type StoredObject } from '../registry/stored-object.ts';
import type { Resource } from '../schema/resource.ts';
import { CacheEntry } from '../watchcache/cache-entry.ts';

/** The message of a stored object in the version in which it is stored; the cache keeps it while it has room. */
export function protobufMessage(stored: StoredObject, resource: Resource): Uint8Array {
  return stored instanceof CacheEntry ? stored.encoded(() => encode(stored, resource)) : encode(stored, resource);
}

/** The length of that message, which the cache keeps in any case. */
export function protobufSize(entry: CacheEntry, resource: Resource): number {
  return entry.encodedBytes(() => encode(entry, resource));
}

function encode(stored: StoredObject, { schema }: Resource): Uint8Array {
  const { value } = parseStored(storedJson(stored));
  if (!isJsonObject(value)) throw new Error('stored bytes are no object');
  return encodeProtobuf(schema, value);
}

/** The object in its envelope. */
export function protobufObject(stored: StoredObject, resource: Resource): Buffer {
  const { group, version, kind } = resource;
  return writeEnvelope({
    apiVersion: formatApiVersion(group, version),
    kind,
    raw: protobufMessage(stored, resource),
  });
}

/** The JSON of a stored object with its resource version. */
export function storedJson(stored: StoredObject): Uint8Array {
  const located = locatedOf(stored);
  return stored.modRevision === 0 ? located.bytes : objectBytes(located, String(stored.modRevision));
}
