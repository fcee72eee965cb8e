import { formatApiVersion, type GroupVersionKind } from '../../api/meta/group-version.ts';
import { cloneObject, type KubernetesObject } from '../../api/meta/object.ts';
import { soon, type Soon } from '../../api/scheduling/soon.ts';
import { keepNotes } from '../../api/json/written-notes.ts';
import type { Resource } from '../../schema/resource.ts';
import { CacheEntry } from '../../watchcache/cache-entry.ts';
import { schemaCodec } from './schema-codec.ts';
import type { PlainCodec, SeenForm, StoredCodec } from './stored-object.ts';
import { storedVersion } from './stored-version.ts';

interface SeenOptions {
  /** The version in which objects are seen. */
  readonly seen: Resource;
  /** Whether the watch cache renews what is stored. */
  readonly renews: boolean;
  /** The codec of objects in the version in which they are stored. */
  readonly asStored: PlainCodec;
}

export interface VersionCodecOptions extends SeenOptions {
  /** The version in which objects are written. */
  readonly stored: GroupVersionKind;
  /** Returns an object in the version that is seen, without what that version does not have. */
  readonly toSeen: (object: KubernetesObject) => KubernetesObject;
}

/**
 * The stored form of a kind as one of its versions sees it: objects are read by the schema of the version in which they
 * are stored, whichever that is, and written in the storage version.
 */
export function versionCodec({ seen, stored, asStored, renews, toSeen }: VersionCodecOptions): PlainCodec {
  const writtenVersion = formatApiVersion(stored.group, stored.version);
  /** What the storage version does not have is left out when the object is encoded. */
  const toWritten = (object: Readonly<KubernetesObject>): Readonly<KubernetesObject> =>
    object.apiVersion === writtenVersion ? object : keepNotes(object, { ...object, apiVersion: writtenVersion });
  return {
    encode: (object, read) => asStored.encode(toWritten(object), read),
    decode: (object, purpose) => toSeen(asStored.decode(object, purpose)),
    seen: seenForm({ seen, renews }),
  };
}

export interface ConvertedCodecOptions extends SeenOptions {
  /** The version in which objects are written. */
  readonly stored: GroupVersionKind;
  /** Converts an object to the version in which objects are written. May modify its argument. */
  readonly toWritten: (object: KubernetesObject) => Soon<KubernetesObject>;
}

/**
 * The codec of a kind whose versions only a webhook converts: objects are converted when they are encoded; those that
 * are decoded are in the version in which they are stored, for readers to convert together.
 */
export function convertedCodec({ asStored, stored, toWritten, ...how }: ConvertedCodecOptions): StoredCodec {
  const writtenVersion = formatApiVersion(stored.group, stored.version);
  return {
    ...asStored,
    encode: (object) =>
      object.apiVersion === writtenVersion
        ? asStored.encode(object)
        : soon(toWritten(cloneObject(object)), (written) => asStored.encode(written)),
    seen: seenForm(how),
  };
}

function seenForm({ seen, renews }: Pick<SeenOptions, 'seen' | 'renews'>): SeenForm {
  const apiVersion = formatApiVersion(seen.group, seen.version);
  return {
    // What has just been written may lack the defaults that the watch cache adds.
    shows: (object) => (!renews || object instanceof CacheEntry) && storedVersion(object.value) === apiVersion,
    codec: schemaCodec(seen),
  };
}
