// Estimates of sizes and costs as [min, max]. They saturate at 64 bits, as they are multiplied and compared a lot.

export interface Estimate {
  readonly min: bigint;
  readonly max: bigint;
}

export const unbounded = 2n ** 64n - 1n;

export const unknownSize: Estimate = { min: 0n, max: unbounded };

export function fixed(value: number | bigint): Estimate {
  return { min: BigInt(value), max: BigInt(value) };
}

function capped(value: bigint): bigint {
  return value > unbounded ? unbounded : value;
}

export function sum(...estimates: readonly Estimate[]): Estimate {
  let [min, max] = [0n, 0n];
  for (const each of estimates) {
    min = capped(min + each.min);
    max = capped(max + each.max);
  }
  return { min, max };
}

export function product(a: Estimate, b: Estimate): Estimate {
  return { min: capped(a.min * b.min), max: capped(a.max * b.max) };
}

export function union(a: Estimate, b: Estimate): Estimate {
  return { min: a.min < b.min ? a.min : b.min, max: a.max > b.max ? a.max : b.max };
}

/** Multiplied by a factor and rounded up, with the precision of a double. */
export function scaled({ min, max }: Estimate, factor: number): Estimate {
  return { min: scaledBound(min, factor), max: scaledBound(max, factor) };
}

function scaledBound(value: bigint, factor: number): bigint {
  const size = Number(value);
  if (size > 0 && factor > 0 && size > 2 ** 64 / factor) return unbounded;
  const result = Math.ceil(size * factor);
  return result >= 2 ** 64 ? unbounded : BigInt(result);
}
