import type { PieceWriter } from './piece-writer.ts';
import type { Work } from './turns.ts';

/** Writing is synchronous between pauses and has no callbacks, so texts without pauses share a writer. */
export class SharedWriter<W extends PieceWriter> {
  readonly #make: () => W;
  #writer: W;

  constructor(make: () => W) {
    this.#make = make;
    this.#writer = make();
  }

  /** The writer with what `write` writes at once; to be taken from it before it is asked for again. */
  written(write: (out: W) => void): W {
    const writer = this.#writer;
    writer.reset();
    write(writer);
    return writer;
  }

  /** The same in pieces: what was set aside is still to be written, by `joined`. */
  started(write: (out: W) => void): W {
    const writer = this.#writer;
    writer.reset();
    writer.startPieces();
    write(writer);
    // It goes on while others write.
    if (writer.isIncomplete) this.#writer = this.#make();
    return writer;
  }

  /** What `write` writes, with pauses; short texts cost no more than at once. */
  *inTurns(write: (out: W) => void): Work<Buffer> {
    const writer = this.started(write);
    return writer.isIncomplete ? yield* writer.joined() : writer.take();
  }
}
