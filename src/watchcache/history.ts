import type { CacheChange } from './cache-event.ts';

export interface HistoryLimits {
  /** Younger changes are kept, within the limits. */
  readonly windowMs: number;
  /** This many are kept whatever their age, within the size limit. */
  readonly minChanges?: number;
  readonly maxChanges: number;
  /** Maximum size of the superseded values. */
  readonly maxBytes: number;
}

/**
 * The latest changes by revision, for watches that start in the past.
 *
 * It is complete after `floor`: a watch after that revision or a later one misses nothing.
 */
export class History {
  readonly #limits: HistoryLimits;
  /** Changes; discarded ones are undefined, so that the array does not keep their values until it is truncated. */
  #changes: (CacheChange | undefined)[] = [];
  /** Changes before this index are discarded; the array is truncated when half of them are. */
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

  /** Whether some of its changes are kept for their age alone, and are to be discarded later. */
  get ages(): boolean {
    return this.#changes.length - this.#first > (this.#limits.minChanges ?? 0);
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
    // None of these is discarded.
    return this.#changes.slice(low) as CacheChange[];
  }

  /** Discards changes beyond the limits. */
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
      this.#changes[this.#first] = undefined;
      this.#first += 1;
    }
    if (this.#first === 0 || this.#first * 2 < this.#changes.length) return;
    this.#changes = this.#changes.slice(this.#first);
    this.#first = 0;
  }
}

/** Bytes that only the history keeps alive. */
function bytesOf({ previous }: CacheChange): number {
  return previous?.value.byteLength ?? 0;
}
