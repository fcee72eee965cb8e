import type { MessagePort } from 'node:worker_threads';

/** How a thread tells the log of its process its lines; `port` is to be transferred. */
export interface LogConnection {
  readonly port: MessagePort;
  readonly memory: SharedArrayBuffer;
  /** Its number. */
  readonly thread: number;
}

const headBytes = Float64Array.BYTES_PER_ELEMENT;
const usPerMs = 1_000;
/** In the words of threads. */
const nothing = 0n;
const soon = 1n;

/**
 * Memory that the threads of a log share:
 *
 *     shift    from the machine's clock to the epoch
 *     word     of each thread: 0, it has no lines that are yet to be sent; 1, it is about to tell one; otherwise when
 *              it told the first of them, in whole microseconds
 */
export class LogMemory {
  readonly shared: SharedArrayBuffer;
  readonly shift: Float64Array;
  readonly #words: BigInt64Array;

  constructor(shared: SharedArrayBuffer) {
    this.shared = shared;
    this.shift = new Float64Array(shared, 0, 1);
    this.#words = new BigInt64Array(shared, headBytes);
  }

  static make(threads: number, shiftMs: number): LogMemory {
    const made = new LogMemory(new SharedArrayBuffer(headBytes + threads * BigInt64Array.BYTES_PER_ELEMENT));
    made.shift[0] = shiftMs;
    return made;
  }

  announce(thread: number): void {
    Atomics.store(this.#words, thread, soon);
  }

  tells(thread: number, machineMs: number): void {
    Atomics.store(this.#words, thread, BigInt(Math.floor(machineMs * usPerMs)));
  }

  sent(thread: number): void {
    Atomics.store(this.#words, thread, nothing);
  }

  /** No thread has a line that it told before, and has not sent. */
  get allSentBeforeMs(): number {
    let leastUs = Number.POSITIVE_INFINITY;
    for (let thread = 0; thread < this.#words.length; thread += 1) {
      const word = Atomics.load(this.#words, thread);
      if (word === soon) return Number.NEGATIVE_INFINITY;
      if (word !== nothing) leastUs = Math.min(leastUs, Number(word));
    }
    return leastUs / usPerMs;
  }
}
