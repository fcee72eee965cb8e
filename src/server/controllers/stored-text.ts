import type { StoredMetadata } from '../../api/metadata-client.ts';
import type { ObjectMeta } from '../../api/object.ts';
import { metadataText, skipValue, uidOf } from '../../codec/stored-object.ts';

/** Metadata in the JSON of an object. */
export class StoredText implements StoredMetadata {
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  mentions(text: string): boolean {
    return bufferOf(this.#bytes).includes(text, 0, 'latin1');
  }

  field(name: string): string | undefined {
    const bytes = bufferOf(this.#bytes);
    const label = `"${name}":`;
    const at = bytes.indexOf(label, 0, 'latin1');
    return at === -1 ? undefined : bytes.toString('latin1', at + label.length, skipValue(bytes, at + label.length));
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
}

/** The same bytes, not a copy. */
function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
