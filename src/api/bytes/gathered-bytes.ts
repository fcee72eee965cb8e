/** Smaller chunks are copied: each would be an object of a hundred bytes, and hold all that was received with it. */
const copiedBelow = 1024;
const runBytes = 16 * 1024;

/** The chunks of a body as they arrive, in memory in proportion to their size. */
export class GatheredBytes {
  readonly #parts: Buffer[] = [];
  /** Small chunks that follow each other. */
  #run: Buffer | undefined;
  #runLength = 0;
  length = 0;

  add(chunk: Buffer): void {
    if (this.#isJoined(chunk)) return;
    // Most bodies are a single chunk.
    const isKept = this.length === 0 || chunk.length >= copiedBelow;
    this.length += chunk.length;
    if (isKept || this.#runLength + chunk.length > runBytes) this.#endRun();
    if (isKept) {
      this.#parts.push(chunk);
      return;
    }
    this.#run ??= Buffer.allocUnsafe(runBytes);
    this.#run.set(chunk, this.#runLength);
    this.#runLength += chunk.length;
  }

  /** All that was added, in a few parts. */
  parts(): readonly Buffer[] {
    this.#endRun();
    return this.#parts;
  }

  /** All that was added; a single chunk as it is. */
  whole(): Buffer {
    const [only, another] = this.parts();
    return only !== undefined && another === undefined ? only : Buffer.concat(this.#parts, this.length);
  }

  /** A chunk that lies behind the one before in memory, as if both had arrived as one, needs no copy. */
  #isJoined(chunk: Buffer): boolean {
    const before = this.#runLength === 0 ? this.#parts.at(-1) : undefined;
    if (before?.buffer !== chunk.buffer || before.byteOffset + before.length !== chunk.byteOffset) return false;
    this.#parts[this.#parts.length - 1] = Buffer.from(before.buffer, before.byteOffset, before.length + chunk.length);
    this.length += chunk.length;
    return true;
  }

  #endRun(): void {
    if (this.#run === undefined || this.#runLength === 0) return;
    this.#parts.push(Buffer.from(this.#run.subarray(0, this.#runLength)));
    this.#runLength = 0;
  }
}
