import { Turns } from '../../api/turns.ts';
import type { Soon } from '../../api/soon.ts';
import { StatusError } from '../../api/status.ts';
import { WatchEvent } from '../../watchcache/cache-event.ts';
import type { Exchange, ResponseStream } from '../transport/exchange.ts';
import type { Bookmark } from '../forms/bookmark.ts';

/** What a watch sends. */
export type Notification = WatchEvent | Bookmark;

/** What one of them is on the wire; shared events give shared bytes. */
export type EventEncoder = (event: Notification) => Uint8Array;

/** What may come while a client is behind; objects count although others may hold them as well. */
const maxBehind = { events: 10_000, bytes: 64 * 1024 * 1024 };
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
  readonly #onTooSlow: () => void;
  readonly #resolveDone: () => void;
  readonly #reject: (error: unknown) => void;
  /** Events from `#next` on wait. */
  #waiting: Notification[] = [];
  #next = 0;
  #waitingBytes = 0;
  /** How much may wait before the client is cut off; undefined while it keeps up, since what comes in one turn is nobody's fault. */
  #limit: { readonly events: number; readonly bytes: number } | undefined;
  #scheduled = false;
  #ended = false;

  constructor(
    exchange: Exchange,
    response: ResponseStream,
    { encode, onTooSlow }: { readonly encode: EventEncoder; readonly onTooSlow: () => void },
  ) {
    this.#onTooSlow = onTooSlow;
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

  /** Sends a beginning, which is made while it is sent; what is pushed meanwhile follows. */
  begin(beginning: Iterable<Soon<readonly Notification[]>>): void {
    if (this.#ended) return;
    this.#scheduled = true;
    this.#limit = maxBehind;
    beginnings += 1;
    this.#sendBeginning(beginning)
      .finally(() => (beginnings -= 1))
      .then(
        () => this.#pump(),
        (error: unknown) => this.fail(error),
      );
  }

  push(event: Notification): void {
    if (this.#ended) return;
    this.#waiting.push(event);
    this.#waitingBytes += sizeOf(event);
    if (this.#limit !== undefined && this.#exceeds(this.#limit)) {
      this.#ended = true;
      this.#onTooSlow();
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

  async #sendBeginning(beginning: Iterable<Soon<readonly Notification[]>>): Promise<void> {
    let frames: Uint8Array[] = [];
    let sizeBytes = 0;
    const enoughBytes = this.#response.separate === true ? 1 : groupBytes;
    const turns = new Turns();
    if (beginnings > beginningsAtOnce) await turns.next();
    const send = async (): Promise<void> => {
      if (sizeBytes > 0 && !this.#response.write(Buffer.concat(frames, sizeBytes))) await this.#response.drained();
      frames = [];
      sizeBytes = 0;
    };
    for (const group of beginning) {
      const events = group instanceof Promise ? await group : group;
      for (const event of events) {
        const frame = this.#encode(event);
        frames.push(frame);
        sizeBytes += frame.length;
        if (sizeBytes >= enoughBytes) await send();
        // What follows makes no sense to a client that does not know the beginning.
        if (this.#ended) return this.#forget();
      }
      if (turns.isOver) await turns.next();
    }
    await send();
  }

  #pump(): void {
    try {
      this.#sendWaiting();
    } catch (error) {
      this.fail(error);
    }
  }

  /** Sends what waits until the client is too slow for it; goes on when there is room again. */
  #sendWaiting(): void {
    while (this.#next < this.#waiting.length && !this.#exchange.closed) {
      if (this.#response.write(this.#nextGroup())) continue;
      this.#limit ??= {
        events: this.#waiting.length - this.#next + maxBehind.events,
        bytes: this.#waitingBytes + maxBehind.bytes,
      };
      this.#response.drained().then(
        () => this.#pump(),
        (error: unknown) => this.fail(error),
      );
      return;
    }
    this.#scheduled = false;
    this.#limit = undefined;
    if (this.#ended) this.#finish();
  }

  /** Takes about `groupBytes` of events from those that wait. */
  #nextGroup(): Uint8Array {
    const group: Uint8Array[] = [];
    let sizeBytes = 0;
    const enoughBytes = this.#response.separate === true ? 1 : groupBytes;
    for (; sizeBytes < enoughBytes; this.#next += 1) {
      const event = this.#waiting[this.#next];
      if (event === undefined) break;
      this.#waitingBytes -= sizeOf(event);
      const frame = this.#encode(event);
      group.push(frame);
      sizeBytes += frame.length;
    }
    if (this.#next === this.#waiting.length) this.#forget();
    return joined(group, sizeBytes);
  }

  #exceeds({ events, bytes }: { readonly events: number; readonly bytes: number }): boolean {
    return this.#waiting.length - this.#next > events || this.#waitingBytes > bytes;
  }

  #forget(): void {
    this.#waiting = [];
    this.#next = 0;
    this.#waitingBytes = 0;
  }

  /** An event that cannot be sent must not be left out: the client starts again, or sees that there is nothing to have. */
  fail(error: unknown): void {
    this.#ended = true;
    this.#forget();
    if (error instanceof StatusError) return this.#finish();
    this.#exchange.abort();
    this.#reject(error);
  }

  #finish(): void {
    this.#response.end();
    this.#resolveDone();
  }
}

function sizeOf(event: Notification): number {
  return event instanceof WatchEvent ? event.entry.value.byteLength : 0;
}

/** Beginnings under way, of all streams: past a few, each waits for a turn of its own before it is made. */
let beginnings = 0;
const beginningsAtOnce = 8;

let turn: (() => void)[] = [];

/** All streams that have something to send share one callback; many of them share the event loop with others. `send` must not throw. */
function sendInThisTurn(send: () => void): void {
  if (turn.push(send) === 1) setImmediate(() => void sendAll());
}

async function sendAll(): Promise<void> {
  const sends = turn;
  turn = [];
  const turns = new Turns();
  for (const send of sends) {
    if (turns.isOver) await turns.next();
    send();
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
