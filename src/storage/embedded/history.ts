import type { StorageEvent } from '../contract.ts';

/** The latest changes in memory, for watches that start slightly in the past. */
export class LogHistory {
  readonly #limits: LogHistoryLimits;
  /** Events; discarded ones are undefined, so that the array does not keep their values until it is truncated. */
  #events: (StorageEvent | undefined)[] = [];
  /** Events before this index are discarded; the array is truncated when half of them are. */
  #first = 0;
  #supersededBytes = 0;
  #floor: number;

  constructor(floor: number, limits: LogHistoryLimits) {
    this.#floor = floor;
    this.#limits = limits;
  }

  /** All changes after this revision are available. */
  get floor(): number {
    return this.#floor;
  }

  add(event: StorageEvent): void {
    this.#events.push(event);
    this.#supersededBytes += event.previous?.value.length ?? 0;
    while (
      this.#events.length - this.#first > this.#limits.events ||
      this.#supersededBytes > this.#limits.supersededBytes
    ) {
      this.#forgetFirst();
    }
    this.#cut();
  }

  /** The changes after `revision`, which must not be below the floor. */
  after(revision: number): StorageEvent[] {
    let low = this.#first;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#events[middle]!.revision <= revision) low = middle + 1;
      else high = middle;
    }
    // None of these is discarded.
    return this.#events.slice(low) as StorageEvent[];
  }

  forgetUntil(revision: number): void {
    while (this.#first < this.#events.length && this.#events[this.#first]!.revision <= revision) this.#forgetFirst();
    this.#floor = Math.max(this.#floor, revision);
    this.#cut();
  }

  #forgetFirst(): void {
    const event = this.#events[this.#first]!;
    this.#events[this.#first++] = undefined;
    this.#floor = event.revision;
    this.#supersededBytes -= event.previous?.value.length ?? 0;
  }

  #cut(): void {
    if (this.#first < 1024 || this.#first * 2 < this.#events.length) return;
    this.#events = this.#events.slice(this.#first);
    this.#first = 0;
  }
}

export interface LogHistoryLimits {
  readonly events: number;
  /** Limit for values that only the history keeps alive. */
  readonly supersededBytes: number;
}
