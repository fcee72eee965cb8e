import { Turns, type Work } from '../../api/turns.ts';
import type { Document } from '../../codec/document.ts';
import type { Serializer } from '../../codec/serializer.ts';
import type { ChunkSource } from './send.ts';

/** Chunks of a body that is written while it is sent: no more than two of them exist at a time. */
export class WrittenChunks implements ChunkSource {
  readonly #work: Work<void>;
  readonly #written: Uint8Array[] = [];
  #isDone = false;

  constructor(write: NonNullable<Serializer['writePieces']>, document: Document) {
    this.#work = write(document, (piece) => this.#written.push(piece));
  }

  get finished(): boolean {
    return this.#isDone && this.#written.length === 0;
  }

  /** The size of the body if it has one chunk only, once that is ready. */
  get knownBytes(): number | undefined {
    return this.#isDone && this.#written.length === 1 ? this.#written[0]?.length : undefined;
  }

  /** Writes until it is known whether another chunk follows the next one. */
  async ready(): Promise<void> {
    const turns = new Turns();
    while (!this.#isDone && this.#written.length < 2) {
      const step = this.#work.next();
      if (step.done === true) this.#isDone = true;
      else if (step.value !== undefined) await step.value;
      else if (turns.isOver) await turns.next();
    }
  }

  next(): Uint8Array {
    return this.#written.shift() ?? new Uint8Array();
  }
}
