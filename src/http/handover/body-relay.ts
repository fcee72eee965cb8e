import type { Readable } from 'node:stream';
import { countHere } from '../../api/metrics/counted-memory.ts';
import { bodyWindowBytes, type ToExchange, type Unnumbered } from './messages.ts';

/** The size of a piece of memory for bodies of unknown length. */
const pieceBytes = 64 * 1024;

/** Passes a body on as it arrives, in shared memory, at the pace of the thread that reads it. */
export class BodyRelay {
  readonly #stream: Readable;
  readonly #post: (message: Unnumbered<ToExchange>) => void;
  /** The size of the next piece of memory. */
  #nextBytes: number;
  #memory: Buffer | undefined;
  #filled = 0;
  /** Has not been posted yet. */
  #begun: SharedArrayBuffer | undefined;
  #posted = 0;
  #isPlanned = false;
  /** Bytes that have not been consumed. */
  #underWay = 0;

  /** `expectedBytes` get one piece of memory. `begun`: what has been read of the body before. */
  constructor(
    stream: Readable,
    {
      expectedBytes,
      begun,
      post,
    }: {
      readonly expectedBytes: number;
      readonly begun: Buffer | undefined;
      readonly post: (message: Unnumbered<ToExchange>) => void;
    },
  ) {
    this.#stream = stream;
    this.#post = post;
    this.#nextBytes = expectedBytes;
    if (begun !== undefined) this.#take(begun);
    // Node ends the stream of an HTTP/2 request without a body by itself, perhaps before anybody listens.
    if (stream.readableEnded) this.#end();
    else if (stream.destroyed) this.#lose();
    else {
      stream.on('data', this.#take);
      stream.once('end', this.#end);
      stream.once('error', this.#lose);
      stream.once('close', this.#lose);
      if (this.#underWay <= bodyWindowBytes) stream.resume();
    }
  }

  /** The other thread has read so much. */
  consumed(sizeBytes: number): void {
    this.#underWay -= sizeBytes;
    if (this.#stream.isPaused() && this.#underWay <= bodyWindowBytes / 2) this.#stream.resume();
  }

  /** The rest is not wanted. */
  stop(): void {
    this.#stream.off('data', this.#take);
    this.#stream.off('end', this.#end);
    this.#stream.off('error', this.#lose);
    this.#stream.off('close', this.#lose);
  }

  readonly #take = (chunk: Buffer): void => {
    let copied = 0;
    while (copied < chunk.length) {
      if (this.#memory === undefined || this.#filled === this.#memory.length) this.#begin();
      const count = chunk.copy(this.#memory!, this.#filled, copied);
      copied += count;
      this.#filled += count;
    }
    this.#underWay += chunk.length;
    if (this.#underWay > bodyWindowBytes) this.#stream.pause();
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    // One message for all that arrives in this round of the event loop.
    setImmediate(this.#flush);
  };

  #begin(): void {
    this.#flush();
    this.#begun = new SharedArrayBuffer(this.#nextBytes || pieceBytes);
    countHere(this.#begun);
    this.#nextBytes = 0;
    this.#memory = Buffer.from(this.#begun);
    this.#filled = 0;
    this.#posted = 0;
  }

  readonly #flush = (): void => {
    this.#isPlanned = false;
    const sizeBytes = this.#filled - this.#posted;
    if (sizeBytes === 0) return;
    this.#post({ type: 'body', sizeBytes, ...(this.#begun === undefined ? {} : { memory: this.#begun }) });
    this.#begun = undefined;
    this.#posted = this.#filled;
  };

  readonly #end = (): void => {
    this.stop();
    this.#flush();
    this.#post({ type: 'bodyEnd' });
  };

  readonly #lose = (error?: Error): void => {
    this.stop();
    this.#flush();
    this.#post({ type: 'bodyLost', message: error?.message });
  };
}
