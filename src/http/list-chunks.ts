import type { CacheEntry } from '../watchcache/cache-entry.ts';

const defaultChunkBytes = 512 * 1024;
/** A stream that is given so much asks its writer to wait until it has been sent. */
const pauseBytes = 64 * 1024;

/** A list in one media type: what stands before the items, after them, and what each of them is. */
export interface ListForm {
  readonly head: Uint8Array;
  readonly tail: Uint8Array;
  /** About so large are the chunks. */
  readonly chunkBytes?: number;
  /** Bytes of an item with what parts it from the one before. */
  size(entry: CacheEntry, isFirst: boolean): number;
  /** Writes the item into `target` at `position` and returns the position after it. */
  copy(entry: CacheEntry, isFirst: boolean, into: { readonly target: Buffer; readonly position: number }): number;
}

/**
 * Cuts a list into chunks of about `chunkBytes`. All are written into the same buffer, so one must have been sent before the next is asked for:
 * a buffer for each makes the garbage collector run once a list. A chunk too small for the stream to ask for a pause keeps its buffer.
 */
export class ListChunks {
  readonly #form: ListForm;
  readonly #entries: readonly CacheEntry[];
  #buffer: Buffer;
  #position: number;
  #at = 0;
  #finished = false;

  constructor(form: ListForm, entries: readonly CacheEntry[]) {
    this.#form = form;
    this.#entries = entries;
    const { head, tail, chunkBytes = defaultChunkBytes } = form;
    const itemBytes = Math.min(sizeUpTo(chunkBytes, form, entries), chunkBytes);
    this.#buffer = Buffer.allocUnsafeSlow(head.length + itemBytes + tail.length);
    this.#buffer.set(head);
    this.#position = head.length;
  }

  /** True once `next` has given the end of the list. */
  get finished(): boolean {
    return this.#finished;
  }

  next(): Buffer {
    const { tail } = this.#form;
    while (this.#at < this.#entries.length && this.#add()) this.#at += 1;
    if (this.#at === this.#entries.length && this.#position + tail.length <= this.#buffer.length) {
      this.#buffer.set(tail, this.#position);
      this.#position += tail.length;
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
    const isFirst = this.#at === 0;
    const sizeBytes = this.#form.size(entry, isFirst);
    if (this.#position + sizeBytes > this.#buffer.length) {
      if (this.#position > 0) return false;
      this.#buffer = Buffer.allocUnsafeSlow(sizeBytes);
    }
    this.#position = this.#form.copy(entry, isFirst, { target: this.#buffer, position: this.#position });
    return true;
  }
}

/** Bytes of all items, or some size over `limitBytes`. */
function sizeUpTo(limitBytes: number, form: ListForm, entries: readonly CacheEntry[]): number {
  let sizeBytes = 0;
  for (const entry of entries) {
    sizeBytes += form.size(entry, sizeBytes === 0);
    if (sizeBytes > limitBytes) break;
  }
  return sizeBytes;
}
