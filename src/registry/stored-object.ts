import type { KubernetesObject } from '../api/object.ts';
import { inTurns, type Work } from '../api/turns.ts';
import { CacheEntry } from '../watchcache/cache-entry.ts';
import { locateVersion, objectBytes, type LocatedObject } from '../codec/stored-object.ts';

/** An object as it is stored: bytes without a resourceVersion, and the revision that is its resourceVersion. */
export interface StoredObject {
  readonly value: Uint8Array;
  /** 0: not stored (the answer of a dry run that creates). */
  readonly modRevision: number;
}

/** The bytes with the place of the resource version; what the watch cache knows already is not searched again. */
export function locatedOf(stored: StoredObject): LocatedObject {
  return stored instanceof CacheEntry ? stored.located() : locateVersion(stored.value);
}

/** The object as JSON, with its resource version. */
export function storedJson(stored: StoredObject): Uint8Array {
  const located = locatedOf(stored);
  return stored.modRevision === 0 ? located.bytes : objectBytes(located, String(stored.modRevision));
}

/** How objects of one kind become stored bytes and back. */
export interface StoredCodec {
  /** The stored form: no resourceVersion, fields in wire order. */
  encode(object: Readonly<KubernetesObject>): Buffer;
  /** A new object that the caller may change, with `metadata.resourceVersion` of `stored`. */
  decode(stored: StoredObject): KubernetesObject;
  /** The same, pausing in what is large. */
  read(stored: StoredObject): Work<KubernetesObject>;
}

/** Smaller objects are decoded in less than a turn. */
const maxAtOnceBytes = 32 * 1024;

/** Whether to work on it takes long. */
export function isLarge({ value }: StoredObject): boolean {
  return value.length > maxAtOnceBytes;
}

/** Decodes an object; others have their turns while it is a large one. */
export function decodeInTurns(codec: StoredCodec, stored: StoredObject): KubernetesObject | Promise<KubernetesObject> {
  return isLarge(stored) ? inTurns(codec.read(stored)) : codec.decode(stored);
}
