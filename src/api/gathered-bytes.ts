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

  #endRun(): void {
    if (this.#run === undefined || this.#runLength === 0) return;
    this.#parts.push(Buffer.from(this.#run.subarray(0, this.#runLength)));
    this.#runLength = 0;
  }
}
