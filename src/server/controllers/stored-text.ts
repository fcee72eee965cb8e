import type { StoredMetadata } from '../../api/client/metadata-client.ts';
import type { ObjectMeta } from '../../api/meta/object.ts';
import { metadataFields, metadataText, uidOf } from '../../codec/stored-object.ts';

/** Metadata in the JSON of an object. */
export class StoredText implements StoredMetadata {
  readonly #bytes: Uint8Array;
  #buffer: Buffer | undefined;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  mentions(text: string): boolean {
    return this.#text.includes(text, 0, 'latin1');
  }

  fields(names: readonly string[]): readonly (string | undefined)[] {
    return metadataFields(this.#bytes, names).map(
      (place) => place && this.#text.toString('latin1', place.value, place.next),
    );
  }

  uid(): string {
    return uidOf(this.#bytes);
  }

  /** Unreadable objects have empty metadata. */
  read(): ObjectMeta {
    const text = metadataText(this.#bytes);
    if (text === undefined) return {};
    try {
      return JSON.parse(text) as ObjectMeta; // as it was written
    } catch {
      return {};
    }
  }

  get #text(): Buffer {
    return (this.#buffer ??= bufferOf(this.#bytes));
  }
}

/** A view of the bytes, not a copy. */
function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
