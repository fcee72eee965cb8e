import type { WatchEvent } from '../watchcache/cache-event.ts';
import type { Exchange, ResponseStream } from './exchange.ts';

/** What one event is on the wire; shared events give shared bytes. */
export type EventEncoder = (event: WatchEvent) => Uint8Array;

/** Events that may wait for a slow client, beyond those it began with. */
const maxWaitingEvents = 10_000;
const groupBytes = 256 * 1024;

/**
 * Sends events to one client at its pace. All events of one turn of the event loop go out in one write: corked events
 * cost half of single ones. A client that falls too far behind is cut off.
 */
export class WatchStream {
  /** Resolves when the stream has ended, by whomever; rejects when an event could not be sent. */
  readonly done: Promise<void>;
  readonly #exchange: Exchange;
  readonly #response: ResponseStream;
  readonly #encode: EventEncoder;
  readonly #resolveDone: () => void;
  readonly #reject: (error: unknown) => void;
  #waiting: WatchEvent[] = [];
  #limit = Number.POSITIVE_INFINITY;
  #scheduled = false;
  #ended = false;

  constructor(exchange: Exchange, response: ResponseStream, encode: EventEncoder) {
    this.#exchange = exchange;
    this.#response = response;
    this.#encode = encode;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.done = promise;
    this.#resolveDone = resolve;
    this.#reject = reject;
    exchange.onClose(() => {
      this.#ended = true;
      this.#waiting = [];
      resolve();
    });
  }

  push(event: WatchEvent): void {
    if (this.#ended) return;
    this.#waiting.push(event);
    if (this.#waiting.length > this.#limit) {
      this.#ended = true;
      this.#exchange.abort();
      return;
    }
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#pump().catch((error: unknown) => this.#fail(error));
    });
  }

  /** Sends what waits and ends the answer. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    if (!this.#scheduled) this.#finish();
  }

  async #pump(): Promise<void> {
    // What was there when the watch began is not counted against a slow client.
    if (this.#limit === Number.POSITIVE_INFINITY) this.#limit = this.#waiting.length + maxWaitingEvents;
    while (this.#waiting.length > 0 && !this.#exchange.closed) {
      const batch = this.#waiting;
      this.#waiting = [];
      await this.#send(batch);
    }
    this.#scheduled = false;
    this.#limit = maxWaitingEvents;
    if (this.#ended) this.#finish();
  }

  async #send(events: readonly WatchEvent[]): Promise<void> {
    let group: Uint8Array[] = [];
    let sizeBytes = 0;
    for (const event of events) {
      const frame = this.#encode(event);
      group.push(frame);
      sizeBytes += frame.length;
      if (sizeBytes < groupBytes) continue;
      if (!this.#response.write(joined(group, sizeBytes))) await this.#response.drained();
      if (this.#exchange.closed) return;
      group = [];
      sizeBytes = 0;
    }
    if (sizeBytes > 0 && !this.#response.write(joined(group, sizeBytes))) await this.#response.drained();
  }

  /** An event that cannot be sent must not be left out: the client starts again. */
  #fail(error: unknown): void {
    this.#ended = true;
    this.#waiting = [];
    this.#exchange.abort();
    this.#reject(error);
  }

  #finish(): void {
    this.#response.end();
    this.#resolveDone();
  }
}

let lastGroup: readonly Uint8Array[] = [];
let lastJoined: Uint8Array = new Uint8Array();

/** Watchers of the same things send the same frames after each other: what was joined for one serves the others. */
function joined(group: readonly Uint8Array[], sizeBytes: number): Uint8Array {
  const [only] = group;
  if (group.length === 1 && only !== undefined) return only;
  if (group.length !== lastGroup.length || group.some((frame, index) => frame !== lastGroup[index])) {
    lastGroup = group;
    lastJoined = Buffer.concat(group, sizeBytes);
  }
  return lastJoined;
}
