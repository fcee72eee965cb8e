import { createHash } from 'node:crypto';
import type { SeatPool } from './queueing/seat-pool.ts';

/*
 * Seats that the threads of a process take from each other, in memory that they share: a request that finds a free seat
 * takes it by an atomic operation, without a message. Each level has a record:
 *
 *     key   seats in use   threads that wait   whose turn it is   limit    of each thread: seats, waits, wake
 *
 * Each thread has queues of its own, and dispatches by them. While several wait, they take turns: one that has
 * dispatched a request passes the turn on, and whoever gives seats back wakes the one whose turn it is.
 */

const maxLevels = 128;
/** The limit of threads that serve requests or large work. */
export const maxSeatThreads = 96;
const head = { key: 0, inUse: 1, waiting: 2, turn: 3, limit: 4 } as const;
const headWords = 8;
const own = { used: 0, waits: 1, wake: 2 } as const;
const ownWords = 3;
const levelWords = headWords + maxSeatThreads * ownWords;
/** What a thread tells of its demand: high watermark, average, deviation. */
const wordsPerDemand = 3;

export interface PoolDemand {
  readonly highWatermark: number;
  readonly average: number;
  readonly deviation: number;
}

/** To be given to all threads. */
export interface SeatMemory {
  readonly words: SharedArrayBuffer;
  readonly demands: SharedArrayBuffer;
}

export function makeSeatMemory(): SeatMemory {
  return {
    words: new SharedArrayBuffer(maxLevels * levelWords * Int32Array.BYTES_PER_ELEMENT),
    demands: new SharedArrayBuffer(maxLevels * maxSeatThreads * wordsPerDemand * Float64Array.BYTES_PER_ELEMENT),
  };
}

/** The seats of all levels, for one thread. */
export class SharedSeats {
  readonly #words: Int32Array;
  readonly #demands: Float64Array;
  readonly #thread: number;
  readonly #pools = new Map<string, SharedSeatPool>();

  /** `thread`: 0 is the first one, which divides the seats. */
  constructor({ words, demands }: SeatMemory, thread: number) {
    this.#words = new Int32Array(words);
    this.#demands = new Float64Array(demands);
    this.#thread = thread;
  }

  get isFirst(): boolean {
    return this.#thread === 0;
  }

  /** Undefined: there are too many. */
  poolOf(level: string): SharedSeatPool | undefined {
    const known = this.#pools.get(level);
    if (known !== undefined) return known;
    const index = this.#indexOf(level);
    if (index === undefined) return undefined;
    const pool = new SharedSeatPool({ words: this.#words, demands: this.#demands, thread: this.#thread, index });
    this.#pools.set(level, pool);
    return pool;
  }

  /** Gives back what a thread had that has ended. */
  free(thread: number): void {
    for (let index = 0; index < maxLevels; index += 1) {
      if (Atomics.load(this.#words, index * levelWords + head.key) === 0) return;
      new SharedSeatPool({ words: this.#words, demands: this.#demands, thread, index }).freeAll();
    }
  }

  /** Levels have their records in the order in which some thread has first seen them. */
  #indexOf(level: string): number | undefined {
    const key = createHash('sha256').update(level).digest().readInt32LE() || 1;
    for (let index = 0; index < maxLevels; index += 1) {
      const found = Atomics.compareExchange(this.#words, index * levelWords + head.key, 0, key);
      if (found === 0 || found === key) return index;
    }
    return undefined;
  }
}

interface PoolPlace {
  readonly words: Int32Array;
  readonly demands: Float64Array;
  readonly thread: number;
  readonly index: number;
}

export class SharedSeatPool implements SeatPool {
  onTurn = (): void => undefined;
  readonly #words: Int32Array;
  readonly #demands: Float64Array;
  readonly #thread: number;
  readonly #index: number;
  readonly #at: number;
  #isWaiting = false;
  #isListening = false;
  /** The latest wake-up that has been noticed. */
  #woken = 0;

  constructor({ words, demands, thread, index }: PoolPlace) {
    this.#words = words;
    this.#demands = demands;
    this.#thread = thread;
    this.#index = index;
    this.#at = index * levelWords;
  }

  get inUse(): number {
    return Atomics.load(this.#words, this.#at + head.inUse);
  }

  get limit(): number | undefined {
    const limit = Atomics.load(this.#words, this.#at + head.limit);
    return limit === 0 ? undefined : limit - 1;
  }

  get othersWait(): boolean {
    return Atomics.load(this.#words, this.#at + head.waiting) > (this.#isWaiting ? 1 : 0);
  }

  take(seats: number, limit: number): boolean {
    if (this.othersWait && !this.#isNext()) return false;
    for (;;) {
      const { inUse } = this;
      if (seats > limit ? inUse > 0 : inUse + seats > limit) return false;
      if (Atomics.compareExchange(this.#words, this.#at + head.inUse, inUse, inUse + seats) === inUse) break;
    }
    Atomics.add(this.#words, this.#ownAt(own.used), seats);
    if (this.othersWait) this.#passTurn();
    return true;
  }

  add(seats: number): void {
    Atomics.add(this.#words, this.#at + head.inUse, seats);
    Atomics.add(this.#words, this.#ownAt(own.used), seats);
  }

  give(seats: number): void {
    Atomics.sub(this.#words, this.#ownAt(own.used), seats);
    Atomics.sub(this.#words, this.#at + head.inUse, seats);
    if (this.othersWait) this.#wakeNext();
  }

  setWaiting(isWaiting: boolean): boolean {
    if (isWaiting === this.#isWaiting) return false;
    this.#isWaiting = isWaiting;
    Atomics.store(this.#words, this.#ownAt(own.waits), isWaiting ? 1 : 0);
    Atomics.add(this.#words, this.#at + head.waiting, isWaiting ? 1 : -1);
    if (isWaiting) {
      this.#woken = Atomics.load(this.#words, this.#ownAt(own.wake));
      void this.#listen();
    } else if (this.othersWait) this.#wakeNext();
    return isWaiting;
  }

  /** The seats that the level has from now on. */
  publish(limit: number): void {
    const before = Atomics.exchange(this.#words, this.#at + head.limit, limit + 1);
    if (limit + 1 > before && this.othersWait) this.#wakeNext();
  }

  /** What requests of this thread have wanted in a period. */
  tellDemand({ highWatermark, average, deviation }: PoolDemand): void {
    const at = this.#demandAt(this.#thread);
    this.#demands.set([highWatermark, average, deviation], at);
  }

  /** Adds what requests of other threads have wanted since the last time. */
  withOthers(demand: PoolDemand): PoolDemand {
    let { highWatermark, average, deviation } = demand;
    for (let thread = 0; thread < maxSeatThreads; thread += 1) {
      if (thread === this.#thread) continue;
      const at = this.#demandAt(thread);
      const [high = 0, mean = 0, spread = 0] = this.#demands.subarray(at, at + wordsPerDemand);
      if (high === 0) continue;
      highWatermark += high;
      average += mean;
      deviation = Math.hypot(deviation, spread);
      this.#demands.fill(0, at, at + wordsPerDemand);
    }
    return { highWatermark, average, deviation };
  }

  /** The thread has ended. */
  freeAll(): void {
    const used = Atomics.exchange(this.#words, this.#ownAt(own.used), 0);
    Atomics.sub(this.#words, this.#at + head.inUse, used);
    const waited = Atomics.exchange(this.#words, this.#ownAt(own.waits), 0);
    Atomics.sub(this.#words, this.#at + head.waiting, waited);
    if (this.othersWait) this.#wakeNext();
  }

  /** Whether it is this thread's turn, or nobody's who waits. */
  #isNext(): boolean {
    return this.#turn() === this.#thread;
  }

  /** The thread whose turn it is: one that no longer waits has lost it to the next, which is told. */
  #turn(): number {
    const turn = Atomics.load(this.#words, this.#at + head.turn);
    if (this.#waits(turn)) return turn;
    const next = this.#waitingAfter(turn);
    const found = Atomics.compareExchange(this.#words, this.#at + head.turn, turn, next);
    if (found === turn && next !== this.#thread) this.#wake(next);
    return next;
  }

  #passTurn(): void {
    const next = this.#waitingAfter(this.#thread);
    Atomics.store(this.#words, this.#at + head.turn, next);
    if (next !== this.#thread) this.#wake(next);
  }

  #wakeNext(): void {
    const turn = this.#turn();
    if (turn !== this.#thread) this.#wake(turn);
  }

  #wake(thread: number): void {
    const at = this.#ownAt(own.wake, thread);
    Atomics.add(this.#words, at, 1);
    Atomics.notify(this.#words, at);
  }

  #waits(thread: number): boolean {
    return Atomics.load(this.#words, this.#ownAt(own.waits, thread)) === 1;
  }

  #waitingAfter(thread: number): number {
    for (let step = 1; step <= maxSeatThreads; step += 1) {
      const next = (thread + step) % maxSeatThreads;
      if (this.#waits(next)) return next;
    }
    return this.#thread;
  }

  /** Until nothing of this thread waits. */
  async #listen(): Promise<void> {
    if (this.#isListening) return;
    this.#isListening = true;
    const at = this.#ownAt(own.wake);
    while (this.#isWaiting) {
      const wake = Atomics.waitAsync(this.#words, at, this.#woken);
      // oxlint-disable-next-line no-await-in-loop -- each is woken for by others
      await wake.value;
      this.#woken = Atomics.load(this.#words, at);
      if (this.#isWaiting) this.onTurn();
    }
    this.#isListening = false;
  }

  #ownAt(word: number, thread = this.#thread): number {
    return this.#at + headWords + thread * ownWords + word;
  }

  #demandAt(thread: number): number {
    return (this.#index * maxSeatThreads + thread) * wordsPerDemand;
  }
}
