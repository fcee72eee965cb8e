import type { Duplex } from 'node:stream';
import { sliceOfRound, TimeSlice } from '../../api/scheduling/time-slice.ts';
import { drained } from '../drained.ts';
import {
  controlTypes,
  dataFrames,
  FrameReader,
  goAwayFrame,
  pingFrame,
  SpdyError,
  type SpdyFrame,
  StreamOpener,
} from './frames.ts';

/** What becomes of a stream. */
export interface SpdyStreamListener {
  /** False to get no more, of any stream, until `resume` is called. */
  data?(part: Buffer): boolean;
  /** No more data; called once, whichever side ends the stream. */
  end(): void;
}

/** A connection on which this side opens streams, such as to a kubelet's exec. */
export class SpdyConnection {
  readonly #socket: Duplex;
  readonly #frames = new FrameReader();
  readonly #opener = new StreamOpener();
  readonly #streams = new Map<number, SpdyStreamListener>();
  #last = -1;
  #failure: Error | undefined;
  /** Read, and not passed on yet. */
  readonly #pending: Buffer[] = [];
  #isTaking = false;
  #isResting = false;
  /** The receiver of data is slower. */
  #isHeld = false;
  #isClosed = false;
  /** The latest ping, while there is no room for its answer. */
  #ping: number | undefined;

  /** `head`: data that has already been read. */
  constructor(socket: Duplex, head: Buffer) {
    this.#socket = socket;
    socket.on('error', (error) => (this.#failure ??= error));
    socket.once('close', () => {
      this.#isClosed = true;
      if (!this.#isTaking) this.#endAll();
    });
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    if (head.length > 0) this.#read(head);
    if (!this.#isResting) socket.resume();
  }

  /** Why the connection broke; undefined when it did not, or was just closed. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /** Opens a stream with the headers that identify it. */
  open(headers: { readonly [name: string]: string }, listener: SpdyStreamListener): SpdyStream {
    // Those of clients are odd.
    this.#last += 2;
    const number = this.#last;
    this.#streams.set(number, listener);
    this.#socket.write(this.#opener.open(number, headers));
    return new SpdyStream(this.#socket, number);
  }

  resume(): void {
    this.#isHeld = false;
    this.#readOn();
  }

  #readOn(): void {
    if (!this.#isResting && !this.#isHeld) this.#socket.resume();
  }

  close(): void {
    if (!this.#socket.destroyed) this.#socket.end(goAwayFrame(), () => this.#socket.destroy());
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    this.#pending.push(chunk);
    if (!this.#isTaking) void this.#takeAll();
  }

  /** A chunk may have thousands of frames, and many may be read in one round of the event loop. */
  async #takeAll(): Promise<void> {
    this.#isTaking = true;
    let timeSlice = sliceOfRound();
    try {
      for (let chunk = this.#pending.shift(); chunk !== undefined; chunk = this.#pending.shift()) {
        for (const frame of this.#frames.read(chunk)) {
          this.#take(frame);
          // oxlint-disable-next-line no-await-in-loop -- others run meanwhile
          if (timeSlice.isOver) timeSlice = await this.#rest();
        }
      }
    } catch (error) {
      if (!(error instanceof SpdyError)) throw error;
      this.#pending.length = 0;
      this.#socket.destroy(error);
    }
    this.#isTaking = false;
    if (this.#isResting) {
      this.#isResting = false;
      this.#readOn();
    }
    if (this.#isClosed) this.#endAll();
  }

  /** Nothing is read until what has been read is passed on. */
  async #rest(): Promise<TimeSlice> {
    this.#isResting = true;
    this.#socket.pause();
    const timeSlice = new TimeSlice();
    await timeSlice.next();
    return timeSlice;
  }

  #take(frame: SpdyFrame): void {
    if (frame.type === 'ping') {
      // Even numbers are the other side's; odd ones would be answers to ours.
      if (frame.id % 2 === 0) this.#answerPing(frame.id);
      return;
    }
    if (frame.type === 'data' && this.#streams.get(frame.stream)?.data?.(frame.data) === false) {
      this.#isHeld = true;
      this.#socket.pause();
    }
    if (frame.isLast || (frame.type === 'control' && frame.control === controlTypes.rstStream)) this.#end(frame.stream);
  }

  /** Answers a ping; if the other side reads no answers, only its latest ping is answered. */
  #answerPing(id: number): void {
    const socket = this.#socket;
    if (!socket.writableNeedDrain) {
      socket.write(pingFrame(id));
      return;
    }
    const isFirst = this.#ping === undefined;
    this.#ping = id;
    if (!isFirst) return;
    void drained(socket).then(() => {
      if (this.#ping !== undefined && !socket.destroyed) socket.write(pingFrame(this.#ping));
      this.#ping = undefined;
    });
  }

  #end(number: number): void {
    const listener = this.#streams.get(number);
    this.#streams.delete(number);
    listener?.end();
  }

  #endAll(): void {
    for (const number of this.#streams.keys()) this.#end(number);
  }
}

/** This side of a stream. */
export class SpdyStream {
  readonly #socket: Duplex;
  readonly #number: number;
  #isEnded = false;

  constructor(socket: Duplex, number: number) {
    this.#socket = socket;
    this.#number = number;
  }

  /** False when the other side is slower: go on when `drained` resolves. */
  write(data: Buffer): boolean {
    if (this.#isEnded || this.#socket.destroyed) return true;
    return dataFrames(this.#number, data, false)
      .map((part) => this.#socket.write(part))
      .every((hasRoom) => hasRoom);
  }

  /** Resolves when there is room again, or the stream has ended. */
  drained(): Promise<void> {
    return drained(this.#socket);
  }

  /** Nothing more follows from this side. */
  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    if (!this.#socket.destroyed)
      for (const part of dataFrames(this.#number, Buffer.alloc(0), true)) this.#socket.write(part);
  }
}
