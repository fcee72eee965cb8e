import type { SeatPool } from '../../flowcontrol/queueing/seat-pool.ts';
import { tooManyRequests } from '../../api/errors/status-errors.ts';

/**
 * A body takes up to ten times its size while it is decoded, defaulted, validated and encoded. All bodies together may
 * take half of the heap; the other half is for caches.
 */
export const heapPerBodyByte = 10;
export const shareOfHeap = 0.5;
/** A request without room is refused after this time. */
export const maxWaitMs = 5_000;

/** What threads share is counted in these. */
const unitBytes = 1024;

/** Loads a module of Node's that nobody else needs. */
function defaultBudgetBytes(): number {
  const { getHeapStatistics } = process.getBuiltinModule('node:v8');
  return Math.floor((getHeapStatistics().heap_size_limit * shareOfHeap) / heapPerBodyByte);
}

interface Waiter {
  readonly bytes: number;
  readonly share: BodyShare;
  resume(): void;
}

/**
 * Bytes of all request bodies being read and processed. When there is no room, requests wait unread, in order of
 * arrival, and are refused after a while. Bytes count on arrival: an announced Content-Length takes nothing.
 */
export class BodyBudget {
  #limitBytes: number | undefined;
  readonly #waiting = new Set<Waiter>();
  /** Undefined: there is no other thread. */
  #pool: SeatPool | undefined;
  #takenBytes = 0;

  /** Without a limit it is that of this process. */
  constructor(limitBytes?: number) {
    this.#limitBytes = limitBytes;
  }

  /** From now on other threads take room as well. They do not see what is taken already: bodies do not take long. */
  shareWith(pool: SeatPool): void {
    this.#pool = pool;
    pool.onTurn = () => this.#resume();
    this.#resume();
  }

  get takenBytes(): number {
    return this.#takenBytes;
  }

  /** The share of one request. */
  share(): BodyShare {
    return new BodyShare(this);
  }

  /** Undefined if there is room. Otherwise resolves when there is, or rejects with a 429 after too long a wait. */
  take(share: BodyShare, bytes: number): Promise<void> | undefined {
    if (this.#waiting.size === 0 && this.#takes(share, bytes)) return undefined;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter = { bytes, share, resume: resolve };
    this.#waiting.add(waiter);
    // There may be room since before other threads knew that this one waits.
    if (this.#pool?.setWaiting(true) === true) this.#resume();
    const timer = setTimeout(() => {
      this.#waiting.delete(waiter);
      this.#pool?.setWaiting(this.#waiting.size > 0);
      reject(tooManyRequests('Too many requests, please try again later.', 1));
    }, maxWaitMs);
    return promise.finally(() => clearTimeout(timer));
  }

  give(share: BodyShare): void {
    this.#takenBytes -= share.bytes;
    share.bytes = 0;
    this.#pool?.give(share.units);
    share.units = 0;
    this.#resume();
  }

  #resume(): void {
    for (const waiter of this.#waiting) {
      if (!waiter.share.released && !this.#takes(waiter.share, waiter.bytes)) break;
      this.#waiting.delete(waiter);
      waiter.resume();
    }
    this.#pool?.setWaiting(this.#waiting.size > 0);
  }

  /** A single body always fits, however small the budget. */
  #hasRoom(bytes: number): boolean {
    if (this.#takenBytes === 0) return true;
    this.#limitBytes ??= defaultBudgetBytes();
    return this.#takenBytes + bytes <= this.#limitBytes;
  }

  #takes(share: BodyShare, bytes: number): boolean {
    if (!this.#hasRoom(bytes)) return false;
    if (this.#pool !== undefined) {
      const units = Math.ceil(bytes / unitBytes);
      this.#limitBytes ??= defaultBudgetBytes();
      if (!this.#pool.take(units, Math.floor(this.#limitBytes / unitBytes))) return false;
      share.units += units;
    }
    this.#takenBytes += bytes;
    share.bytes += bytes;
    return true;
  }
}

/** The part of the budget that one request holds until it ends. */
export class BodyShare {
  readonly #budget: BodyBudget;
  bytes = 0;
  /** The units taken of what threads share. */
  units = 0;
  released = false;

  constructor(budget: BodyBudget) {
    this.#budget = budget;
  }

  take(bytes: number): Promise<void> | undefined {
    return this.#budget.take(this, bytes);
  }

  release(): void {
    this.released = true;
    if (this.bytes > 0) this.#budget.give(this);
  }
}
