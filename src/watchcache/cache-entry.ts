import { locateVersion, type StoredObject as LocatedObject } from '../codec/stored-object.ts';

/** What selectors look at. */
export interface SelectableAttributes {
  readonly labels: { readonly [key: string]: string };
  readonly fields: { readonly [field: string]: string };
}

/** Reads the selectable part of a stored object. */
export type AttributeReader = (value: Uint8Array) => SelectableAttributes;

/** One object as the cache holds it: the storage engine's own bytes, never copied, and what has been read from them. */
export class CacheEntry {
  readonly key: string;
  readonly value: Uint8Array;
  readonly modRevision: number;
  #attributes: SelectableAttributes | undefined;
  #located: LocatedObject | undefined;
  #encoded: Map<string, Uint8Array> | undefined;

  constructor(key: string, value: Uint8Array, modRevision: number) {
    this.key = key;
    this.value = value;
    this.modRevision = modRevision;
  }

  /** Labels and fields, read at the first call and kept. */
  attributes(read: AttributeReader): SelectableAttributes {
    this.#attributes ??= read(this.value);
    return this.#attributes;
  }

  /** The bytes with the place of the resource version, found at the first call. */
  located(): LocatedObject {
    this.#located ??= locateVersion(this.value);
    return this.#located;
  }

  /** The object in another form, made at the first call for `form` and kept. */
  encoded(form: string, encode: () => Uint8Array): Uint8Array {
    let bytes = this.#encoded?.get(form);
    if (bytes === undefined) {
      bytes = encode();
      this.#encoded ??= new Map();
      this.#encoded.set(form, bytes);
    }
    return bytes;
  }

  /** The same object under another revision: the last state in a DELETED event carries the revision of the deletion. */
  at(revision: number): CacheEntry {
    const entry = new CacheEntry(this.key, this.value, revision);
    entry.#attributes = this.#attributes;
    return entry;
  }
}
