import { giveBackRoom, takeRoom } from './kept-bytes.ts';
import { locateVersion, type LocatedObject } from '../codec/stored-object.ts';
import { ownBytes } from '../storage/own-bytes.ts';

/** The parts of an object that selectors use. */
export interface SelectableAttributes {
  readonly labels: { readonly [key: string]: string };
  readonly fields: { readonly [field: string]: string };
}

/** Reads the selectable part of a stored object. */
export type AttributeReader = (value: Uint8Array) => SelectableAttributes;

/**
 * The bytes as the current server would write them, for kinds that changed since; the same value if nothing differs.
 */
export type Renewal = (value: Uint8Array) => Uint8Array;

/** One object in the cache: the storage engine's own bytes, never copied, and what has been derived from them. */
export class CacheEntry {
  readonly key: string;
  readonly modRevision: number;
  #value: Uint8Array;
  readonly #renew: Renewal | undefined;
  #attributes: SelectableAttributes | undefined;
  #located: LocatedObject | undefined;
  #encoded: Uint8Array | undefined;
  /** -1 until the object has been encoded once. */
  #encodedBytes = -1;
  #isSuperseded = false;

  constructor(key: string, value: Uint8Array, modRevision: number, renew?: Renewal) {
    this.#renew = renew;
    this.key = key;
    this.#value = value;
    this.modRevision = modRevision;
  }

  get value(): Uint8Array {
    return this.#value;
  }

  /** Labels and fields, read on first use. */
  attributes(read: AttributeReader): SelectableAttributes {
    this.#attributes ??= read(this.#renew === undefined ? this.value : this.located().bytes);
    return this.#attributes;
  }

  /** The bytes with the position of the resourceVersion, located on first use. */
  located(): LocatedObject {
    this.#located ??= locateVersion(this.#renew?.(this.value) ?? this.value);
    return this.#located;
  }

  /**
   * The object in protobuf, encoded by `encode`, which must always yield the same; cached while there is room and the
   * entry is the latest state.
   */
  encoded(encode: () => Uint8Array): Uint8Array {
    if (this.#encoded !== undefined) return this.#encoded;
    const bytes = encode();
    this.#encodedBytes = bytes.length;
    if (this.#isSuperseded || !takeRoom(this, bytes.length)) return bytes;
    this.#encoded = ownBytes(bytes);
    return this.#encoded;
  }

  /** The length of the encoded form, which is always cached. */
  encodedBytes(encode: () => Uint8Array): number {
    return this.#encodedBytes === -1 ? this.encoded(encode).length : this.#encodedBytes;
  }

  /**
   * A later state has taken its place. From now on it is read by those who start from the past; what everybody else has
   * asked for, made again in that case, would take the room of states that are current.
   */
  supersede(): void {
    this.#isSuperseded = true;
    this.#located = undefined;
    if (this.#encoded === undefined) return;
    giveBackRoom(this, this.#encoded.length);
    this.#encoded = undefined;
  }

  /** Keeps `value`, the same bytes, instead of its own. */
  moveTo(value: Uint8Array): void {
    this.#value = value;
    this.#located = undefined;
    // They may hold the other bytes.
    this.#attributes = undefined;
  }

  /** The entry at another revision: DELETED events carry the last state with the revision of the deletion. */
  at(revision: number): CacheEntry {
    const entry = new CacheEntry(this.key, this.value, revision, this.#renew);
    entry.#attributes = this.#attributes;
    return entry;
  }
}
