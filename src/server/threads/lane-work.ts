import type { MessagePort } from 'node:worker_threads';
import { ExchangeReceiver } from '../../http/handover/exchange-receiver.ts';
import type { Exchange } from '../../http/transport/exchange.ts';

/** What a lane serves: the exchanges of all threads that hand them over. */
export class LaneWork {
  readonly #handle: (exchange: Exchange) => void;
  #open = 0;

  /** `handle` serves an exchange. */
  constructor(handle: (exchange: Exchange) => void) {
    this.#handle = handle;
  }

  /** How many have not ended. */
  get size(): number {
    return this.#open;
  }

  /** Serves what comes through a port, until its other end is closed. */
  take(port: MessagePort): void {
    new ExchangeReceiver(port, this.#handle, (change) => {
      this.#open += change;
    });
  }
}
