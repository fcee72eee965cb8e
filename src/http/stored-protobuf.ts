import { isJsonObject } from '../api/json.ts';
import { formatApiVersion } from '../api/group-version.ts';
import { parseJson } from '../codec/json.ts';
import { encodeProtobuf } from '../codec/protobuf/encode.ts';
import { writeEnvelope } from '../codec/protobuf/envelope.ts';
import { objectBytes } from '../codec/stored-object.ts';
import { locatedOf, type StoredObject } from '../registry/stored-object.ts';
import type { Resource } from '../schema/resource.ts';
import { CacheEntry } from '../watchcache/cache-entry.ts';

/** The message of a stored object in the version in which it is stored; what the cache holds keeps it. */
export function protobufMessage(stored: StoredObject, resource: Resource): Uint8Array {
  const encode = (): Uint8Array => {
    const { value } = parseJson(storedJson(stored));
    if (!isJsonObject(value)) throw new Error('stored bytes are no object');
    return encodeProtobuf(resource.schema, value);
  };
  return stored instanceof CacheEntry ? stored.encoded('protobuf', encode) : encode();
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
