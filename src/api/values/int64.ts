/** A 64-bit integer; a BigInt outside the safe range. */
export type Int64 = number | bigint;

/** The value of decimal digits with an optional sign. */
export function parseInt64(digits: string): Int64 {
  const value = Number(digits);
  return Number.isSafeInteger(value) ? value + 0 : narrowed(BigInt(digits.replace('+', '')));
}

/** The sum, with int64 wraparound. */
export function addInt64(value: Int64, more: Int64): Int64 {
  return narrowed(BigInt(value) + BigInt(more));
}

/** Seconds in milliseconds, wrapping where Go's `time.Duration` (int64 nanoseconds) does. */
export function durationMs(seconds: Int64): number {
  return Number(BigInt.asIntN(64, BigInt(seconds) * 1_000_000_000n) / 1_000_000n);
}

/** A 64-bit integer of any integer, with wraparound. */
export function narrowed(value: bigint): Int64 {
  const wrapped = BigInt.asIntN(64, value);
  return Number.isSafeInteger(Number(wrapped)) ? Number(wrapped) : wrapped;
}
