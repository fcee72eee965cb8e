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
  /** Events from `#next` on wait. */
  #waiting: WatchEvent[] = [];
  #next = 0;
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
      this.#forget();
      resolve();
    });
  }

  push(event: WatchEvent): void {
    if (this.#ended) return;
    this.#waiting.push(event);
    if (this.#waiting.length - this.#next > this.#limit) {
      this.#ended = true;
      this.#exchange.abort();
      return;
    }
    if (this.#scheduled) return;
    this.#scheduled = true;
    sendInThisTurn(() => this.#pump());
  }

  /** Sends what waits and ends the answer. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    if (!this.#scheduled) this.#finish();
  }

  #pump(): void {
    // What was there when the watch began is not counted against a slow client.
    if (this.#limit === Number.POSITIVE_INFINITY) this.#limit = this.#waiting.length + maxWaitingEvents;
    try {
      this.#sendWaiting();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Sends what waits until the client is too slow for it; goes on when there is room again. */
  #sendWaiting(): void {
    while (this.#next < this.#waiting.length && !this.#exchange.closed) {
      if (this.#response.write(this.#nextGroup())) continue;
      this.#response.drained().then(
        () => this.#pump(),
        (error: unknown) => this.#fail(error),
      );
      return;
    }
    this.#scheduled = false;
    this.#limit = maxWaitingEvents;
    if (this.#ended) this.#finish();
  }

  /** Takes about `groupBytes` of events from those that wait. */
  #nextGroup(): Uint8Array {
    const group: Uint8Array[] = [];
    let sizeBytes = 0;
    for (; sizeBytes < groupBytes; this.#next += 1) {
      const event = this.#waiting[this.#next];
      if (event === undefined) break;
      const frame = this.#encode(event);
      group.push(frame);
      sizeBytes += frame.length;
    }
    if (this.#next === this.#waiting.length) this.#forget();
    return joined(group, sizeBytes);
  }

  #forget(): void {
    this.#waiting = [];
    this.#next = 0;
  }

  /** An event that cannot be sent must not be left out: the client starts again. */
  #fail(error: unknown): void {
    this.#ended = true;
    this.#forget();
    this.#exchange.abort();
    this.#reject(error);
  }

  #finish(): void {
    this.#response.end();
    this.#resolveDone();
  }
}

let turn: (() => void)[] = [];

/** All streams that have something to send share one callback a turn. `send` must not throw. */
function sendInThisTurn(send: () => void): void {
  if (turn.push(send) > 1) return;
  setImmediate(() => {
    const sends = turn;
    turn = [];
    for (const one of sends) one();
  });
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
