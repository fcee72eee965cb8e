import { TimeSlice } from '../../api/scheduling/time-slice.ts';
import type { Soon } from '../../api/scheduling/soon.ts';
import { StatusError } from '../../api/errors/status.ts';
import { WatchEvent } from '../../watchcache/cache-event.ts';
import type { Exchange, ResponseStream } from '../transport/exchange.ts';
import type { Bookmark } from '../forms/bookmark.ts';
import { type Frame, type FramePages, joined } from './event-frames.ts';

export type Notification = WatchEvent | Bookmark;

/** Encodes notifications. */
export interface EventEncoder {
  /** Shared events yield shared frames. */
  frame(event: Notification): Frame;
  /** Where shared frames are copied for writes of several; undefined when none is shared. */
  readonly pages: FramePages | undefined;
}

export interface WatchStreamOptions {
  readonly encoder: EventEncoder;
  /** Called for each notification with its size. */
  readonly onSent: (sizeBytes: number) => void;
  /** Called when the client is cut off. */
  readonly onTooSlow: () => void;
}

/** The backlog of a slow client; objects count even if other watches hold them too. */
export const maxBehind = { events: 10_000, bytes: 64 * 1024 * 1024 };
const groupBytes = 256 * 1024;
/** A write of this size is worth while even if more is due. */
const worthWriting = 16 * 1024;

/**
 * Sends events to one client at its pace. All events of one turn of the event loop go out in one write: batched events
 * cost half of single ones. A client that falls too far behind is cut off.
 */
export class WatchStream {
  /** Resolves when the stream has ended, from either side; rejects when an event could not be sent. */
  readonly done: Promise<void>;
  readonly #exchange: Exchange;
  readonly #response: ResponseStream;
  readonly #encoder: EventEncoder;
  readonly #onSent: WatchStreamOptions['onSent'];
  readonly #onTooSlow: () => void;
  readonly #resolveDone: () => void;
  readonly #reject: (error: unknown) => void;
  /** Events from index `#next` on are pending. */
  #waiting: Notification[] = [];
  #next = 0;
  #waitingBytes = 0;
  /**
   * The backlog at which the client is cut off; undefined while it keeps up, since a burst within one turn is not its
   * fault.
   */
  #limit: { readonly events: number; readonly bytes: number } | undefined;
  #scheduled = false;
  #ended = false;

  constructor(exchange: Exchange, response: ResponseStream, { encoder, onSent, onTooSlow }: WatchStreamOptions) {
    this.#onSent = onSent;
    this.#onTooSlow = onTooSlow;
    this.#exchange = exchange;
    this.#response = response;
    this.#encoder = encoder;
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

  /** Whether nothing more is sent. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Sends the initial events, generated while they are sent; events pushed meanwhile follow. */
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
    sendSoon(() => this.#pump());
  }

  /** Sends pending events and ends the response. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    if (!this.#scheduled) this.#finish();
  }

  async #sendBeginning(beginning: Iterable<Soon<readonly Notification[]>>): Promise<void> {
    let frames: Uint8Array[] = [];
    let sizeBytes = 0;
    const enoughBytes = this.#response.separate === true ? 1 : groupBytes;
    const timeSlice = new TimeSlice();
    if (beginnings > beginningsAtOnce) await timeSlice.next();
    const send = async (): Promise<void> => {
      if (sizeBytes > 0 && !this.#response.write(Buffer.concat(frames, sizeBytes))) await this.#response.drained();
      frames = [];
      sizeBytes = 0;
    };
    for (const group of beginning) {
      const events = await group;
      for (const event of events) {
        const { bytes } = this.#encoder.frame(event);
        frames.push(bytes);
        this.#onSent(bytes.length);
        sizeBytes += bytes.length;
        if (sizeBytes >= enoughBytes) await send();
        // Later events are useless without the initial ones.
        if (this.#ended) return this.#forget();
      }
      if (timeSlice.isOver) await timeSlice.next();
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

  /** Sends pending events until the client is too slow; resumes on drain. */
  #sendWaiting(): void {
    while (this.#next < this.#waiting.length && !this.#exchange.closed) {
      const group = this.#nextGroup();
      writtenBytes += group.length;
      if (this.#response.write(group)) continue;
      return this.#sendAfter(this.#response.drained());
    }
    this.#scheduled = false;
    this.#limit = undefined;
    if (this.#ended) this.#finish();
  }

  #sendAfter(waits: Promise<void>): void {
    this.#limit ??= {
      events: this.#waiting.length - this.#next + maxBehind.events,
      bytes: this.#waitingBytes + maxBehind.bytes,
    };
    waits.then(
      () => sendSoon(() => this.#pump()),
      (error: unknown) => this.fail(error),
    );
  }

  /** Takes about `groupBytes` of pending events, or fewer that are a part of a page. */
  #nextGroup(): Uint8Array {
    const group: Frame[] = [];
    let sizeBytes = 0;
    const enoughBytes = this.#response.separate === true ? 1 : groupBytes;
    for (; sizeBytes < enoughBytes; this.#next += 1) {
      const event = this.#waiting[this.#next];
      if (event === undefined) break;
      const frame = this.#encoder.frame(event);
      this.#encoder.pages?.place(frame);
      const last = group.at(-1);
      if (last !== undefined && sizeBytes >= worthWriting && !frame.follows(last)) break;
      this.#waitingBytes -= sizeOf(event);
      this.#onSent(frame.bytes.length);
      group.push(frame);
      sizeBytes += frame.bytes.length;
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

  /**
   * An event that cannot be sent must not be skipped: end the watch, so that the client starts over or sees the error.
   */
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

/** Initial lists being sent, over all streams: past a few, each waits for a time slice of its own. */
let beginnings = 0;
const beginningsAtOnce = 8;

/** Streams with pending events. */
let pending: (() => void)[] = [];
/** In this time slice. */
let writtenBytes = 0;
/** What is written in one time slice is encrypted at its end without a pause. */
const maxWrittenBytes = 1024 * 1024;

/**
 * All streams with pending events share one callback, which yields to other work between them. `send` must not throw.
 */
function sendSoon(send: () => void): void {
  if (pending.push(send) === 1) setImmediate(() => void sendAll());
}

async function sendAll(): Promise<void> {
  const sends = pending;
  pending = [];
  writtenBytes = 0;
  const timeSlice = new TimeSlice();
  for (const send of sends) {
    if (timeSlice.isOver || writtenBytes >= maxWrittenBytes) {
      await timeSlice.next();
      writtenBytes = 0;
    }
    send();
  }
}
