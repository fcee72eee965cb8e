import type { OrderedMap } from '../api/ordered-map.ts';
import type { CacheEntry } from './cache-entry.ts';

/** The objects of one resource as they were at one revision. Costs a pointer: the trees share what they have in common. */
export interface Snapshot {
  readonly revision: number;
  readonly entries: OrderedMap<CacheEntry>;
}

interface TimedSnapshot extends Snapshot {
  readonly sinceMs: number;
}

/** The latest snapshots, for lists at exact revisions. */
export class Snapshots {
  readonly #windowMs: number;
  readonly #maxCount: number;
  #snapshots: TimedSnapshot[] = [];

  constructor(limits: { readonly windowMs: number; readonly maxCount: number }) {
    this.#windowMs = limits.windowMs;
    this.#maxCount = limits.maxCount;
  }

  /** `entries` holds from `revision` on until the next one is added. */
  add(snapshot: Snapshot, nowMs: number): void {
    const last = this.#snapshots.at(-1);
    if (last?.revision === snapshot.revision) this.#snapshots.pop();
    this.#snapshots.push({ ...snapshot, sinceMs: nowMs });
    if (this.#snapshots.length > this.#maxCount * 2) this.#snapshots = this.#snapshots.slice(-this.#maxCount);
  }

  /** The state at `revision`; undefined when it is no longer known. */
  at(revision: number, nowMs: number): Snapshot | undefined {
    let low = 0;
    let high = this.#snapshots.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#snapshots[middle]?.revision ?? 0) <= revision) low = middle + 1;
      else high = middle;
    }
    const found = this.#snapshots[low - 1];
    if (found === undefined) return undefined;
    // A superseded snapshot is kept for the window; the last one holds as long as nothing changes.
    const supersededMs = this.#snapshots[low]?.sinceMs ?? nowMs;
    return nowMs - supersededMs > this.#windowMs ? undefined : { revision, entries: found.entries };
  }

  clear(): void {
    this.#snapshots = [];
  }
}
