/** Begin of the year 1, where Go's zero time is, in seconds since 1970. */
export const yearOneSeconds = -62_135_596_800n;

/** Whether seconds are before a time, as Go compares them. */
export function isBefore(seconds: bigint, timeMs: number): boolean {
  return compared(seconds) < BigInt(Math.floor(timeMs));
}

/** Whether they are after it. */
export function isAfter(seconds: bigint, timeMs: number): boolean {
  return compared(seconds) > BigInt(Math.floor(timeMs));
}

/** In milliseconds. Go counts seconds since the year 1 in 64 bits, so that the last ones overflow. */
function compared(seconds: bigint): bigint {
  return (BigInt.asIntN(64, seconds - yearOneSeconds) + yearOneSeconds) * 1_000n;
}

/** Go's conversion of a floating-point number to 64 bits: what does not fit yields the least integer. */
export function goInt64(value: number): bigint {
  const whole = Math.trunc(value);
  return Math.abs(whole) < 2 ** 63 ? BigInt(whole) : -(2n ** 63n);
}

/** In which the Gregorian calendar repeats itself. */
const cycleSeconds = 12_622_780_800n;

/** The first year that Go can print begins here; before it, the last ones are printed. */
const firstPrintable = -9_223_371_966_579_724_800n;

/** A time as Go prints it. */
export function goTimeText(seconds: bigint): string {
  const since = (seconds < firstPrintable ? seconds + 2n ** 64n : seconds) - yearOneSeconds;
  const rest = ((since % cycleSeconds) + cycleSeconds) % cycleSeconds;
  const date = new Date(Number(rest + yearOneSeconds) * 1_000).toISOString();
  const year = BigInt(date.slice(0, 4)) + ((since - rest) / cycleSeconds) * 400n;
  const [sign, digits] = year < 0n ? ['-', -year] : ['', year];
  return `${sign}${String(digits).padStart(4, '0')}${date.slice(4, 10)} ${date.slice(11, 19)} +0000 UTC`;
}
