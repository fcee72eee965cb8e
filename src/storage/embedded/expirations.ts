/** Keys with a time to live, by the second in which they expire. */
export class Expirations {
  readonly #bySecond = new Map<number, Expiry[]>();

  get size(): number {
    return this.#bySecond.size;
  }

  add(expiry: Expiry): void {
    const second = Math.ceil(expiry.expiresAtMs / 1000);
    const bucket = this.#bySecond.get(second);
    if (bucket === undefined) this.#bySecond.set(second, [expiry]);
    else bucket.push(expiry);
  }

  /** Takes out what has expired. Keys written again since are among them: their revision no longer fits. */
  take(nowMs: number): Expiry[] {
    const due: Expiry[] = [];
    for (const [second, bucket] of this.#bySecond) {
      if (second * 1000 > nowMs) continue;
      this.#bySecond.delete(second);
      due.push(...bucket);
    }
    return due;
  }
}

export interface Expiry {
  readonly key: string;
  readonly modRevision: number;
  readonly expiresAtMs: number;
}
