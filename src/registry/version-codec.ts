import { formatApiVersion, type GroupVersionKind } from '../api/group-version.ts';
import type { KubernetesObject } from '../api/object.ts';
import { keepNotes } from '../api/written-notes.ts';
import type { Resource } from '../schema/resource.ts';
import { CacheEntry } from '../watchcache/cache-entry.ts';
import { schemaCodec } from './schema-codec.ts';
import type { StoredCodec } from './stored-object.ts';
import { storedVersion } from './stored-version.ts';

export interface VersionCodecOptions {
  /** The version in which objects are seen. */
  readonly seen: Resource;
  /** The version in which they are written. */
  readonly stored: GroupVersionKind;
  /** Of objects in the version in which they are stored. */
  readonly asStored: StoredCodec;
  /** Whether the watch cache renews what is stored. */
  readonly renews: boolean;
  /** Returns an object in the version that is seen, without what that version does not have. */
  readonly toSeen: (object: KubernetesObject) => KubernetesObject;
}

/**
 * The stored form of a kind as one of its versions sees it: objects are read by the schema of the version in which they
 * are stored, whichever that is, and written in the storage version.
 */
export function versionCodec({ seen, stored, asStored, renews, toSeen }: VersionCodecOptions): StoredCodec {
  const apiVersion = formatApiVersion(seen.group, seen.version);
  const writtenVersion = formatApiVersion(stored.group, stored.version);
  /** What the storage version does not have is left out when the object is encoded. */
  const toWritten = (object: Readonly<KubernetesObject>): Readonly<KubernetesObject> =>
    object.apiVersion === writtenVersion ? object : keepNotes(object, { ...object, apiVersion: writtenVersion });
  return {
    encode: (object) => asStored.encode(toWritten(object)),
    encodeSoon: (object, read) => asStored.encodeSoon(toWritten(object), read),
    decode: (object, purpose) => toSeen(asStored.decode(object, purpose)),
    *read(object, purpose) {
      const read = yield* asStored.read(object, purpose);
      yield;
      return toSeen(read);
    },
    seen: {
      // What has just been written may lack the defaults that the watch cache adds.
      shows: (object) => (!renews || object instanceof CacheEntry) && storedVersion(object.value) === apiVersion,
      codec: schemaCodec(seen),
    },
  };
}
