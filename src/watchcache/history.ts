import type { CacheChange } from './cache-event.ts';

export interface HistoryLimits {
  /** Changes younger than this are kept, unless there are too many. */
  readonly windowMs: number;
  /** So many are kept however old they are, unless they are too large. */
  readonly minChanges?: number;
  readonly maxChanges: number;
  /** Most bytes of the values that changes left behind. */
  readonly maxBytes: number;
}

/**
 * The latest changes in order of revision, for watches that start in the past.
 *
 * `floor` is the revision from which on it is complete: a watch after revision `floor` or later misses nothing.
 */
export class History {
  readonly #limits: HistoryLimits;
  #changes: CacheChange[] = [];
  /** Changes before this index are forgotten; the array is cut when half of them are. */
  #first = 0;
  #floor: number;
  #bytes = 0;

  constructor(floor: number, limits: HistoryLimits) {
    this.#floor = floor;
    this.#limits = limits;
  }

  get floor(): number {
    return this.#floor;
  }

  add(change: CacheChange): void {
    this.#changes.push(change);
    this.#bytes += bytesOf(change);
    this.forget(change.seenMs);
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

  /** Drops what is too old or too much. */
  forget(nowMs: number): void {
    const { windowMs, minChanges = 0, maxChanges, maxBytes } = this.#limits;
    for (;;) {
      const change = this.#changes[this.#first];
      const count = this.#changes.length - this.#first;
      if (change === undefined) break;
      const wanted = change.seenMs >= nowMs - windowMs || count <= minChanges;
      if (wanted && count <= maxChanges && this.#bytes <= maxBytes) break;
      this.#floor = change.revision;
      this.#bytes -= bytesOf(change);
      this.#first += 1;
    }
    if (this.#first === 0 || this.#first * 2 < this.#changes.length) return;
    this.#changes = this.#changes.slice(this.#first);
    this.#first = 0;
  }
}

/** What only the history still holds. */
function bytesOf({ previous }: CacheChange): number {
  return previous?.value.byteLength ?? 0;
}
