/** Keys with a TTL, by the second in which they expire. */
export class Expirations {
  readonly #bySecond = new Map<number, Expiry[]>();
  /** Taken out, but their deletion is not confirmed yet. */
  readonly #due = new Set<Expiry>();
  #nextSecond = Infinity;
  /** Called when a key is to expire before all others. */
  onSooner: () => void = () => undefined;

  get size(): number {
    return this.#bySecond.size;
  }

  /** When the next key expires; without any never. */
  get nextMs(): number {
    return this.#nextSecond * 1000;
  }

  add(expiry: Expiry): void {
    const second = Math.ceil(expiry.expiresAtMs / 1000);
    const bucket = this.#bySecond.get(second);
    if (bucket === undefined) this.#bySecond.set(second, [expiry]);
    else bucket.push(expiry);
    if (second >= this.#nextSecond) return;
    this.#nextSecond = second;
    this.onSooner();
  }

  /** They include keys that were written again or deleted since: those have another revision now. */
  all(): readonly Expiry[] {
    return [...this.#due, ...[...this.#bySecond.values()].flat()];
  }

  /** Expiry time by revision of the write; includes writes that have been replaced since. */
  byRevision(): ReadonlyMap<number, number> {
    return new Map(this.all().map(({ modRevision, expiresAtMs }) => [modRevision, expiresAtMs]));
  }

  /**
   * Takes out expired entries until `settle` is called. They include keys that were written again: their revision no
   * longer matches.
   */
  take(nowMs: number): Expiry[] {
    const due: Expiry[] = [];
    this.#nextSecond = Infinity;
    for (const [second, bucket] of this.#bySecond) {
      if (second * 1000 > nowMs) {
        this.#nextSecond = Math.min(this.#nextSecond, second);
        continue;
      }
      this.#bySecond.delete(second);
      due.push(...bucket);
    }
    for (const expiry of due) this.#due.add(expiry);
    return due;
  }

  /** An entry taken out was deleted or added again. */
  settle(expiry: Expiry): void {
    this.#due.delete(expiry);
  }
}

export interface Expiry {
  readonly key: string;
  readonly modRevision: number;
  readonly expiresAtMs: number;
}
