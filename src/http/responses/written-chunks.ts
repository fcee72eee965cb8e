import type { ChunkSource } from './send.ts';

/** Chunks of a body that is written while it is sent: only the next two of them are there. */
export class WrittenChunks implements ChunkSource {
  readonly #pieces: Iterator<Uint8Array>;
  readonly #waiting: Uint8Array[] = [];

  /** Throws what writing the first pieces throws. */
  constructor(pieces: Iterable<Uint8Array>) {
    this.#pieces = pieces[Symbol.iterator]();
    this.#write();
  }

  get finished(): boolean {
    return this.#waiting.length === 0;
  }

  /** Before the first call of `next`: the size of the body if it has one chunk only. */
  get knownBytes(): number | undefined {
    return this.#waiting.length === 1 ? this.#waiting[0]?.length : undefined;
  }

  next(): Uint8Array {
    const chunk = this.#waiting.shift() ?? new Uint8Array();
    this.#write();
    return chunk;
  }

  #write(): void {
    while (this.#waiting.length < 2) {
      const step = this.#pieces.next();
      if (step.done === true) return;
      this.#waiting.push(step.value);
    }
  }
}
