import type { KubernetesObject } from '../api/object.ts';

/** An object as it is stored: bytes without a resourceVersion, and the revision that is its resourceVersion. */
export interface StoredObject {
  readonly value: Uint8Array;
  /** 0: not stored (the answer of a dry run that creates). */
  readonly modRevision: number;
}

/** How objects of one kind become stored bytes and back. */
export interface StoredCodec {
  /** The stored form: no resourceVersion, fields in wire order. */
  encode(object: KubernetesObject): Buffer;
  /** A new object that the caller may change, with `metadata.resourceVersion` of `stored`. */
  decode(stored: StoredObject): KubernetesObject;
}
