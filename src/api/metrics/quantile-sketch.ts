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
    return quantileOf(this.counts(nowMs), quantile);
  }

  /** The values of the period, by bucket, in order. */
  counts(nowMs: number): SketchCounts {
    const periodMs = this.#partMs * this.#partCount;
    const parts = this.#parts.filter(({ endsMs }) => endsMs - this.#partMs > nowMs - periodMs);
    const sums = new Map<number, number>();
    for (let bucket = 0; bucket < bucketCount; bucket += 1) {
      let sum = 0;
      for (const { counts } of parts) sum += counts[bucket] ?? 0;
      if (sum > 0) sums.set(bucket, sum);
    }
    return sums;
  }
}

export type SketchCounts = ReadonlyMap<number, number>;

/** What several sketches have counted. */
export function addedCounts(all: readonly SketchCounts[]): SketchCounts {
  const sums = new Map<number, number>();
  for (const counts of all) for (const [bucket, count] of counts) sums.set(bucket, (sums.get(bucket) ?? 0) + count);
  return new Map([...sums].toSorted(([a], [b]) => a - b));
}

/** NaN without values. */
export function quantileOf(counts: SketchCounts, quantile: number): number {
  let left = 0;
  for (const count of counts.values()) left += count;
  left = Math.ceil(left * quantile);
  if (left === 0) return Number.NaN;
  for (const [bucket, count] of counts) {
    left -= count;
    if (left <= 0) return smallest * Math.exp(growth * (bucket - 0.5));
  }
  return Number.POSITIVE_INFINITY;
}
