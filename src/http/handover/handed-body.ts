import { Readable } from 'node:stream';
import { countHere } from '../../api/metrics/counted-memory.ts';
import { bodyWindowBytes } from './messages.ts';

/** A body that another thread receives. */
export class HandedBody extends Readable {
  readonly #consumed: (sizeBytes: number) => void;
  #memory: SharedArrayBuffer | undefined;
  #used = 0;
  /** Not reported yet. */
  #unreported = 0;

  /** `consumed` is told now and then how much has been read. */
  constructor(consumed: (sizeBytes: number) => void) {
    super();
    this.#consumed = consumed;
    // As with the bodies of node's requests, who does not listen learns of the error through the exchange.
    this.on('error', () => undefined);
  }

  /** The next bytes of this memory, or of the one before. */
  receive(memory: SharedArrayBuffer | undefined, sizeBytes: number): void {
    if (this.destroyed) return;
    if (memory !== undefined) {
      countHere(memory);
      this.#memory = memory;
      this.#used = 0;
    }
    const chunk = Buffer.from(this.#memory!, this.#used, sizeBytes);
    this.#used += sizeBytes;
    this.#unreported += sizeBytes;
    this.push(chunk);
  }

  end(): void {
    this.push(null);
  }

  override _read(): void {
    if (this.#unreported < bodyWindowBytes / 4) return;
    this.#consumed(this.#unreported);
    this.#unreported = 0;
  }
}
