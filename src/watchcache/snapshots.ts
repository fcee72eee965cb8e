import type { OrderedMap } from '../api/ordered-map.ts';
import type { CacheEntry } from './cache-entry.ts';
import type { UnreadableEntries } from './unreadable-entries.ts';

/** The objects of one resource as they were at one revision. Costs a pointer: the trees share what they have in common. */
export interface CacheSnapshot {
  readonly revision: number;
  readonly entries: OrderedMap<CacheEntry>;
  /** What is stored among them and cannot be read. */
  readonly unreadable: UnreadableEntries;
}

/** The latest snapshots, for lists at exact revisions. Each holds until the next one: `at(7)` between 5 and 9 is the one of 5. */
export class Snapshots {
  readonly #maxCount: number;
  #snapshots: CacheSnapshot[] = [];
  /** Snapshots before this index are forgotten; the array is cut when half of them are. */
  #first = 0;

  constructor(maxCount: number) {
    this.#maxCount = maxCount;
  }

  /** `entries` holds from `revision` on until the next one is added. */
  add(snapshot: CacheSnapshot): void {
    if (this.#snapshots.at(-1)?.revision === snapshot.revision) this.#snapshots.pop();
    this.#snapshots.push(snapshot);
    if (this.#snapshots.length - this.#first > this.#maxCount) this.#first += 1;
    this.#cut();
  }

  /** The state at `revision`; undefined when it is no longer known. */
  at(revision: number): CacheSnapshot | undefined {
    const found = this.#snapshots[this.#after(revision) - 1];
    return found === undefined ? undefined : { ...found, revision };
  }

  /** Forgets what only revisions before `revision` could see. */
  forgetBefore(revision: number): void {
    this.#first = Math.max(this.#first, this.#after(revision) - 1);
    this.#cut();
  }

  clear(): void {
    this.#snapshots = [];
    this.#first = 0;
  }

  /** Index of the first snapshot that is later than `revision`; that before it, if known, holds at `revision`. */
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
