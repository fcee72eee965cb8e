import { copyItem, itemSize } from '../codec/stored-object.ts';
import type { CacheEntry } from '../watchcache/cache-entry.ts';

const chunkBytes = 512 * 1024;
/** A stream that is given so much asks its writer to wait until it has been sent. */
const pauseBytes = 64 * 1024;
const comma = 0x2c;
const tail = Buffer.from(']}\n');

/**
 * Cuts a list into chunks of about `chunkBytes`. All are written into the same buffer, so one must have been sent before the next is asked for:
 * a buffer for each makes the garbage collector run once a list. A chunk too small for the stream to ask for a pause keeps its buffer.
 */
export class ListChunks {
  readonly #entries: readonly CacheEntry[];
  #buffer: Buffer;
  #position: number;
  #at = 0;
  #finished = false;

  constructor(head: string, entries: readonly CacheEntry[]) {
    this.#entries = entries;
    this.#buffer = Buffer.allocUnsafeSlow(
      Math.min(sizeUpTo(chunkBytes, entries), chunkBytes) + head.length + tail.length,
    );
    // Kinds and versions are ASCII.
    this.#position = this.#buffer.write(head, 'latin1');
  }

  /** True once `next` has given the end of the list. */
  get finished(): boolean {
    return this.#finished;
  }

  next(): Buffer {
    while (this.#at < this.#entries.length && this.#add()) this.#at += 1;
    if (this.#at === this.#entries.length && this.#position + tail.length <= this.#buffer.length) {
      this.#position += tail.copy(this.#buffer, this.#position);
      this.#finished = true;
    }
    const chunk = this.#buffer.subarray(0, this.#position);
    this.#position = 0;
    if (chunk.length < pauseBytes) this.#buffer = Buffer.allocUnsafeSlow(this.#buffer.length);
    return chunk;
  }

  /** False when the chunk is full. */
  #add(): boolean {
    const entry = this.#entries[this.#at];
    if (entry === undefined) return false;
    const located = entry.located();
    const version = String(entry.modRevision);
    const sizeBytes = itemSize(located, version) + 1;
    if (this.#position + sizeBytes > this.#buffer.length) {
      if (this.#position > 0) return false;
      this.#buffer = Buffer.allocUnsafeSlow(sizeBytes);
    }
    if (this.#at > 0) this.#buffer[this.#position++] = comma;
    this.#position = copyItem(located, version, { target: this.#buffer, position: this.#position });
    return true;
  }
}

/** Bytes of all items, or some size over `limitBytes`. */
function sizeUpTo(limitBytes: number, entries: readonly CacheEntry[]): number {
  let sizeBytes = 0;
  for (const entry of entries) {
    sizeBytes += itemSize(entry.located(), String(entry.modRevision)) + 1;
    if (sizeBytes > limitBytes) break;
  }
  return sizeBytes;
}
