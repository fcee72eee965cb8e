/** Reads exact numbers of bytes from chunks of any size. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  #taken = 0;

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** Bytes read so far. */
  get taken(): number {
    return this.#taken;
  }

  /** The next bytes; undefined if there are fewer. */
  async take(sizeBytes: number): Promise<Buffer | undefined> {
    while (this.#pendingBytes < sizeBytes) if (!(await this.#fill())) return undefined;
    const all = this.#pending.length === 1 ? asBuffer(this.#pending[0]!) : Buffer.concat(this.#pending);
    const rest = all.subarray(sizeBytes);
    this.#pending = rest.length > 0 ? [rest] : [];
    this.#pendingBytes = rest.length;
    this.#taken += sizeBytes;
    return all.subarray(0, sizeBytes);
  }

  async atEnd(): Promise<boolean> {
    return this.#pendingBytes === 0 && !(await this.#fill());
  }

  /** Reads one non-empty chunk; false at the end. */
  async #fill(): Promise<boolean> {
    for (;;) {
      const next = await this.#chunks.next();
      if (next.done === true) return false;
      if (next.value.length === 0) continue;
      this.#pending.push(next.value);
      this.#pendingBytes += next.value.length;
      return true;
    }
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
