import type { CacheEntry } from '../../watchcache/cache-entry.ts';

/** Fits into the caches of a processor with what TLS makes of it. */
const defaultChunkBytes = 256 * 1024;
/** A stream with this much buffered makes its writer wait for a drain. */
const pauseBytes = 64 * 1024;

/** Buffers of lists that have been sent. New ones are slow to write to, and make the garbage collector run. */
const spareBuffers: Buffer[] = [];
const maxSpareBuffers = 2;

/** The layout of a list in one media type: head, items, tail. */
export interface ListLayout {
  readonly head: Uint8Array;
  readonly tail: Uint8Array;
  /** The approximate chunk size. */
  readonly chunkBytes?: number;
  /** Size of an item in bytes, including its separator. */
  size(entry: CacheEntry, isFirst: boolean): number;
  /** Writes the item into `target` at `position` and returns the position after it. */
  copy(entry: CacheEntry, isFirst: boolean, into: { readonly target: Buffer; readonly position: number }): number;
}

/**
 * Cuts a list into chunks of about `chunkBytes`. They share one buffer, so a chunk must have been sent before the next
 * is requested. A chunk too small to make the stream wait for a drain has its own.
 */
export class ListChunks {
  readonly #layout: ListLayout;
  readonly #entries: readonly CacheEntry[];
  #buffer: Buffer | undefined;
  #position = 0;
  #at = 0;
  #finished = false;

  constructor(layout: ListLayout, entries: readonly CacheEntry[]) {
    this.#layout = layout;
    this.#entries = entries;
  }

  /** True once `next` has returned the end of the list. */
  get finished(): boolean {
    return this.#finished;
  }

  next(): Buffer {
    const { tail } = this.#layout;
    let buffer = this.#buffer ?? this.#begin();
    for (let entry = this.#entries[this.#at]; entry !== undefined; entry = this.#entries[this.#at]) {
      const roomier = this.#add(entry, buffer);
      if (roomier === undefined) break;
      buffer = roomier;
      this.#at += 1;
    }
    if (this.#at === this.#entries.length && this.#position + tail.length <= buffer.length) {
      buffer.set(tail, this.#position);
      this.#position += tail.length;
      this.#finished = true;
    }
    const chunk = buffer.subarray(0, this.#position);
    this.#position = 0;
    this.#buffer = buffer;
    const isReused = !this.#finished || buffer.length === defaultChunkBytes;
    return chunk.length < pauseBytes && isReused ? Buffer.from(chunk) : chunk;
  }

  /** Leaves the buffer to other lists. All chunks must have been sent. */
  release(): void {
    const buffer = this.#buffer;
    this.#buffer = undefined;
    if (buffer?.length === defaultChunkBytes && spareBuffers.length < maxSpareBuffers) spareBuffers.push(buffer);
  }

  /** The first buffer, starting with the head. */
  #begin(): Buffer {
    const { head, tail, chunkBytes = defaultChunkBytes } = this.#layout;
    const listBytes = head.length + sizeUpTo(chunkBytes, this.#layout, this.#entries) + tail.length;
    const buffer = bufferOf(Math.max(head.length, Math.min(listBytes, chunkBytes)));
    buffer.set(head);
    this.#position = head.length;
    return buffer;
  }

  /** The buffer that the item was written into; undefined when the chunk is full. */
  #add(entry: CacheEntry, buffer: Buffer): Buffer | undefined {
    const isFirst = this.#at === 0;
    const sizeBytes = this.#layout.size(entry, isFirst);
    const fits = this.#position + sizeBytes <= buffer.length;
    if (!fits && this.#position > 0) return undefined;
    const target = fits ? buffer : Buffer.allocUnsafeSlow(sizeBytes);
    this.#position = this.#layout.copy(entry, isFirst, { target, position: this.#position });
    return target;
  }
}

function bufferOf(sizeBytes: number): Buffer {
  const spare = sizeBytes === defaultChunkBytes ? spareBuffers.pop() : undefined;
  return spare ?? Buffer.allocUnsafeSlow(sizeBytes);
}

/** Total size of the items, or any size over `limitBytes`. */
function sizeUpTo(limitBytes: number, layout: ListLayout, entries: readonly CacheEntry[]): number {
  let sizeBytes = 0;
  for (const entry of entries) {
    sizeBytes += layout.size(entry, sizeBytes === 0);
    if (sizeBytes > limitBytes) break;
  }
  return sizeBytes;
}
