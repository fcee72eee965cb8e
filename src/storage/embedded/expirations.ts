/** Keys with a time to live, by the second in which they expire. */
export class Expirations {
  readonly #bySecond = new Map<number, Expiry[]>();
  /** Taken out, and not known to be deleted yet. */
  readonly #due = new Set<Expiry>();

  get size(): number {
    return this.#bySecond.size;
  }

  add(expiry: Expiry): void {
    const second = Math.ceil(expiry.expiresAtMs / 1000);
    const bucket = this.#bySecond.get(second);
    if (bucket === undefined) this.#bySecond.set(second, [expiry]);
    else bucket.push(expiry);
  }

  /** When the write of a revision expires; also of writes that have been replaced since. */
  byRevision(): ReadonlyMap<number, number> {
    const all = [...this.#due, ...[...this.#bySecond.values()].flat()];
    return new Map(all.map(({ modRevision, expiresAtMs }) => [modRevision, expiresAtMs]));
  }

  /** Takes out what has expired; `settle` ends it. Keys written again since are among them: their revision no longer fits. */
  take(nowMs: number): Expiry[] {
    const due: Expiry[] = [];
    for (const [second, bucket] of this.#bySecond) {
      if (second * 1000 > nowMs) continue;
      this.#bySecond.delete(second);
      due.push(...bucket);
    }
    for (const expiry of due) this.#due.add(expiry);
    return due;
  }

  /** What was taken out is deleted, or has been added again. */
  settle(expiry: Expiry): void {
    this.#due.delete(expiry);
  }
}

export interface Expiry {
  readonly key: string;
  readonly modRevision: number;
  readonly expiresAtMs: number;
}
