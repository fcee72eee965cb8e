/** Each bucket is so much wider than the one before: quantiles are within one percent. */
const growth = Math.log(1.02);
const smallest = 1e-9;
const bucketCount = 1400; // up to 1000

/** Quantiles of the values of a period, which is a ring of parts: the oldest part is forgotten as a whole. */
export class QuantileSketch {
  readonly #parts: { readonly counts: Uint32Array; endsMs: number }[] = [];
  readonly #partMs: number;
  readonly #partCount: number;

  constructor(periodMs: number, partCount = 5) {
    this.#partMs = periodMs / partCount;
    this.#partCount = partCount;
  }

  add(value: number, nowMs: number): void {
    let part = this.#parts.at(-1);
    if (part === undefined || nowMs >= part.endsMs) {
      part = { counts: new Uint32Array(bucketCount), endsMs: nowMs + this.#partMs };
      this.#parts.push(part);
      if (this.#parts.length > this.#partCount) this.#parts.shift();
    }
    const at = Math.ceil(Math.log(Math.max(value, smallest) / smallest) / growth);
    const bucket = Math.min(at, bucketCount - 1);
    part.counts[bucket] = (part.counts[bucket] ?? 0) + 1;
  }

  /** NaN when there are no values of the period. */
  quantile(quantile: number, nowMs: number): number {
    const periodMs = this.#partMs * this.#partCount;
    const parts = this.#parts.filter(({ endsMs }) => endsMs - this.#partMs > nowMs - periodMs);
    let left = 0;
    for (const { counts } of parts) for (const count of counts) left += count;
    left = Math.ceil(left * quantile);
    if (left === 0) return Number.NaN;
    for (let bucket = 0; bucket < bucketCount; bucket += 1) {
      for (const { counts } of parts) left -= counts[bucket] ?? 0;
      if (left <= 0) return smallest * Math.exp(growth * (bucket - 0.5));
    }
    return Number.POSITIVE_INFINITY;
  }
}
