import type { CacheChange } from './cache-event.ts';

export interface HistoryLimits {
  /** Changes younger than this are kept, unless there are too many. */
  readonly windowMs: number;
  readonly maxChanges: number;
}

/**
 * The latest changes in order of revision, for watches that start in the past.
 *
 * `floor` is the revision from which on it is complete: a watch after revision `floor` or later misses nothing.
 */
export class History {
  readonly #limits: HistoryLimits;
  #changes: CacheChange[] = [];
  /** Changes before this index are forgotten; the array is cut when half of it is. */
  #first = 0;
  #floor: number;

  constructor(floor: number, limits: HistoryLimits) {
    this.#floor = floor;
    this.#limits = limits;
  }

  get floor(): number {
    return this.#floor;
  }

  add(change: CacheChange): void {
    this.#changes.push(change);
    this.#forget(change.seenMs);
  }

  /** The changes after `revision`, in order. */
  after(revision: number): readonly CacheChange[] {
    let low = this.#first;
    let high = this.#changes.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#changes[middle]?.revision ?? 0) <= revision) low = middle + 1;
      else high = middle;
    }
    return this.#changes.slice(low);
  }

  #forget(nowMs: number): void {
    const oldestMs = nowMs - this.#limits.windowMs;
    for (;;) {
      const change = this.#changes[this.#first];
      const count = this.#changes.length - this.#first;
      if (change === undefined || (change.seenMs >= oldestMs && count <= this.#limits.maxChanges)) break;
      this.#floor = change.revision;
      this.#first += 1;
    }
    if (this.#first > 1024 && this.#first * 2 > this.#changes.length) {
      this.#changes = this.#changes.slice(this.#first);
      this.#first = 0;
    }
  }
}
