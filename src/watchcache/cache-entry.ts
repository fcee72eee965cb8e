import { takeRoom } from './kept-bytes.ts';
import { locateVersion, type LocatedObject } from '../codec/stored-object.ts';

/** What selectors look at. */
export interface SelectableAttributes {
  readonly labels: { readonly [key: string]: string };
  readonly fields: { readonly [field: string]: string };
}

/** Reads the selectable part of a stored object. */
export type AttributeReader = (value: Uint8Array) => SelectableAttributes;

/** The bytes of an object as they would be written now, of kinds that have become others since; the same where nothing differs. */
export type Renewal = (value: Uint8Array) => Uint8Array;

/** One object as the cache holds it: the storage engine's own bytes, never copied, and what has been read from them. */
export class CacheEntry {
  readonly key: string;
  readonly value: Uint8Array;
  readonly modRevision: number;
  readonly #renew: Renewal | undefined;
  #attributes: SelectableAttributes | undefined;
  #located: LocatedObject | undefined;
  #encoded: Uint8Array | undefined;
  /** -1 until the object has been encoded once. */
  #encodedBytes = -1;

  constructor(key: string, value: Uint8Array, modRevision: number, renew?: Renewal) {
    this.#renew = renew;
    this.key = key;
    this.value = value;
    this.modRevision = modRevision;
  }

  /** Labels and fields, read at the first call and kept. */
  attributes(read: AttributeReader): SelectableAttributes {
    this.#attributes ??= read(this.#renew === undefined ? this.value : this.located().bytes);
    return this.#attributes;
  }

  /** The bytes with the place of the resource version, found at the first call. */
  located(): LocatedObject {
    this.#located ??= locateVersion(this.#renew?.(this.value) ?? this.value);
    return this.#located;
  }

  /** The object in the other form that clients ask for, protobuf: made by `encode`, always the same, and kept while there is room. */
  encoded(encode: () => Uint8Array): Uint8Array {
    if (this.#encoded !== undefined) return this.#encoded;
    const bytes = encode();
    this.#encodedBytes = bytes.length;
    if (takeRoom(this, bytes.length)) this.#encoded = bytes;
    return bytes;
  }

  /** Whether that form is kept. */
  get isEncoded(): boolean {
    return this.#encoded !== undefined;
  }

  /** The length of that form, which is always kept. */
  encodedBytes(encode: () => Uint8Array): number {
    return this.#encodedBytes === -1 ? this.encoded(encode).length : this.#encodedBytes;
  }

  /** The same object under another revision: the last state in a DELETED event carries the revision of the deletion. */
  at(revision: number): CacheEntry {
    const entry = new CacheEntry(this.key, this.value, revision, this.#renew);
    entry.#attributes = this.#attributes;
    return entry;
  }
}
