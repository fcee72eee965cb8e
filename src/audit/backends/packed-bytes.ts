import { constants, deflateRaw, type InputType, inflateRaw } from 'node:zlib';
import { promisify } from 'node:util';

/** Fewer bytes are not worth it. */
const minPackedBytes = 256 * 1024;
const inflatedAtOnce = 256 * 1024;
const deflated = promisify((bytes: InputType, done: (error: Error | null, packed: Buffer) => void) =>
  deflateRaw(bytes, { level: constants.Z_BEST_SPEED }, done),
);
const inflated = promisify((packed: InputType, done: (error: Error | null, bytes: Buffer) => void) =>
  inflateRaw(packed, { chunkSize: inflatedAtOnce }, done),
);

/** One at a time: other work of the thread pool, such as writes to disk, must not wait. */
let packing: Promise<void> = Promise.resolve();

/** Bytes that may have to wait for long, and are compressed meanwhile if there are many. */
export class PackedBytes {
  #plain: Uint8Array | undefined;
  #packed: Buffer | undefined;

  constructor(bytes: Uint8Array) {
    this.#plain = bytes;
  }

  /** Compresses them in another thread, if there are many and they are not yet. */
  pack(): void {
    if (this.#plain !== undefined && this.#plain.length >= minPackedBytes) packing = packing.then(() => this.#pack());
  }

  bytes(): Promise<Uint8Array> {
    if (this.#plain !== undefined) return Promise.resolve(this.#plain);
    if (this.#packed === undefined) throw new Error('bytes are kept in one of both forms');
    return inflated(this.#packed);
  }

  /** Without memory for it, they stay as they are. */
  async #pack(): Promise<void> {
    if (this.#plain === undefined) return;
    this.#packed = await deflated(this.#plain).catch(() => undefined);
    if (this.#packed !== undefined) this.#plain = undefined;
  }
}
