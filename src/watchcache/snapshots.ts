import type { OrderedMap } from '../api/collections/ordered-map.ts';
import type { CacheEntry } from './cache-entry.ts';
import type { UnreadableEntries } from './unreadable-entries.ts';

/** The objects of one resource at one revision. Costs a pointer: the trees share structure. */
export interface CacheSnapshot {
  readonly revision: number;
  readonly entries: OrderedMap<CacheEntry>;
  /** Unreadable values among them. */
  readonly unreadable: UnreadableEntries;
}

/**
 * The latest snapshots, for lists at exact revisions. Each is valid until the next: between 5 and 9, `at(7)` is the
 * snapshot of 5.
 */
export class Snapshots {
  readonly #maxCount: number;
  #snapshots: CacheSnapshot[] = [];
  /** Snapshots before this index are discarded; the array is truncated when half of them are. */
  #first = 0;

  constructor(maxCount: number) {
    this.#maxCount = maxCount;
  }

  /** The snapshot is valid from its revision until the next one is added. */
  add(snapshot: CacheSnapshot): void {
    if (this.#snapshots.at(-1)?.revision === snapshot.revision) this.#snapshots.pop();
    this.#snapshots.push(snapshot);
    if (this.#snapshots.length - this.#first > this.#maxCount) this.#first += 1;
    this.#cut();
  }

  /** The state at `revision`; undefined if it is no longer available. */
  at(revision: number): CacheSnapshot | undefined {
    const found = this.#snapshots[this.#after(revision) - 1];
    return found === undefined ? undefined : { ...found, revision };
  }

  /** Discards what is only visible before `revision`. */
  forgetBefore(revision: number): void {
    this.#first = Math.max(this.#first, this.#after(revision) - 1);
    this.#cut();
  }

  clear(): void {
    this.#snapshots = [];
    this.#first = 0;
  }

  /** Index of the first snapshot after `revision`; the one before it, if any, is valid at `revision`. */
  #after(revision: number): number {
    let low = this.#first;
    let high = this.#snapshots.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#snapshots[middle]?.revision ?? 0) <= revision) low = middle + 1;
      else high = middle;
    }
    return low === this.#first ? 0 : low;
  }

  #cut(): void {
    if (this.#first === 0 || this.#first * 2 < this.#snapshots.length) return;
    this.#snapshots = this.#snapshots.slice(this.#first);
    this.#first = 0;
  }
}
