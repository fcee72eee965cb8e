import { Turns } from '../../api/turns.ts';
import { isLarge } from '../../registry/stored-object.ts';
import type { CacheEntry } from '../../watchcache/cache-entry.ts';

const defaultChunkBytes = 512 * 1024;
/** A stream that is given so much asks its writer to wait until it has been sent. */
const pauseBytes = 64 * 1024;

/** A list in one media type: what stands before the items, after them, and what each of them is. */
export interface ListLayout {
  readonly head: Uint8Array;
  readonly tail: Uint8Array;
  /** About so large are the chunks. */
  readonly chunkBytes?: number;
  /** Makes a large item in turns: its size and copy then take no time. There is none where items are bytes as they are. */
  prepare?(entry: CacheEntry): Promise<void>;
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

  /** True once `next` has given the end of the list. */
  get finished(): boolean {
    return this.#finished;
  }

  /** Resolves when what the next chunk takes of large items is there; undefined when there is nothing to wait for. */
  ready(): Promise<void> | undefined {
    return this.#layout.prepare === undefined ? undefined : this.#prepare();
  }

  async #prepare(): Promise<void> {
    const layout = this.#layout;
    const { chunkBytes = defaultChunkBytes } = layout;
    const turns = new Turns();
    let sizeBytes = 0;
    for (let at = this.#at; at < this.#entries.length && sizeBytes <= chunkBytes; at++) {
      const entry = this.#entries[at] as CacheEntry; // within bounds
      if (turns.isOver) await turns.next();
      if (isLarge(entry)) await layout.prepare?.(entry);
      sizeBytes += layout.size(entry, at === 0);
    }
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
    this.#buffer = chunk.length < pauseBytes ? Buffer.allocUnsafeSlow(buffer.length) : buffer;
    return chunk;
  }

  /** The first buffer, with the head in it. */
  #begin(): Buffer {
    const { head, tail, chunkBytes = defaultChunkBytes } = this.#layout;
    const itemBytes = Math.min(sizeUpTo(chunkBytes, this.#layout, this.#entries), chunkBytes);
    const buffer = Buffer.allocUnsafeSlow(head.length + itemBytes + tail.length);
    buffer.set(head);
    this.#position = head.length;
    return buffer;
  }

  /** The buffer that the item has been written into; undefined when the chunk is full. */
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

/** Bytes of all items, or some size over `limitBytes`. */
function sizeUpTo(limitBytes: number, layout: ListLayout, entries: readonly CacheEntry[]): number {
  let sizeBytes = 0;
  for (const entry of entries) {
    sizeBytes += layout.size(entry, sizeBytes === 0);
    if (sizeBytes > limitBytes) break;
  }
  return sizeBytes;
}
