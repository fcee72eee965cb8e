import { Duplex } from 'node:stream';
import { pause } from '../../api/scheduling/pause.ts';

/** In pieces for so long: the reference measures as often. */
const pieceMs = 100;

/** A connection over which at most so many bytes a second pass in each direction. */
export class PacedConnection extends Duplex {
  readonly #socket: Duplex;
  readonly #bytesPerSec: number;
  readonly #destroyed = new AbortController();
  #delivered: Promise<void> = Promise.resolve();

  constructor(socket: Duplex, bytesPerSec: number) {
    super();
    this.#socket = socket;
    this.#bytesPerSec = bytesPerSec;
    socket.on('data', (chunk: Buffer) => {
      socket.pause();
      this.#delivered = this.#deliver(chunk);
    });
    socket.on('error', () => socket.destroy());
    // What has come before the end is still delivered.
    socket.once('end', () => void this.#delivered.then(() => this.push(null)));
    socket.once('close', () => {
      void this.#delivered.then(() => (this.readableEnded ? this.destroy() : this.#endReading()));
    });
  }

  override _read(): void {
    void this.#delivered.then(() => this.#socket.resume());
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.#inPieces(chunk, async (piece) => {
      if (this.#socket.write(piece)) return;
      await new Promise((resolve) => void this.#socket.once('drain', resolve).once('close', resolve));
    }).then(() => done(), done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#socket.end();
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#destroyed.abort();
    this.#socket.destroy();
    done(error);
  }

  #endReading(): void {
    this.once('end', () => this.destroy());
    this.push(null);
  }

  async #deliver(chunk: Buffer): Promise<void> {
    let hasRoom = true;
    await this.#inPieces(chunk, (piece) => {
      hasRoom = this.push(piece);
    });
    // Otherwise when the reader wants more.
    if (hasRoom && !this.destroyed) this.#socket.resume();
  }

  async #inPieces(chunk: Buffer, pass: (piece: Buffer) => Promise<void> | void): Promise<void> {
    const pieceBytes = Math.max(1, Math.floor((this.#bytesPerSec * pieceMs) / 1_000));
    for (let start = 0; start < chunk.length && !this.destroyed; start += pieceBytes) {
      const piece = chunk.subarray(start, start + pieceBytes);
      // oxlint-disable-next-line no-await-in-loop -- one after the other is the purpose
      await pass(piece);
      // oxlint-disable-next-line no-await-in-loop -- the same
      await pause((piece.length * 1_000) / this.#bytesPerSec, this.#destroyed.signal);
    }
  }
}
