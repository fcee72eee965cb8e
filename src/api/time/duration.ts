import { quoteTime } from './time.ts';
import { withoutEnd } from '../text/text-edges.ts';

// Go durations such as `1h2m3.5s`, in nanoseconds.

/** Thrown for invalid durations; clients see the message. */
export class DurationError extends Error {
  override readonly name = 'DurationError';
  readonly code = 'DURATION';
}

const unitNanos: { readonly [unit: string]: bigint } = {
  ns: 1n,
  us: 1000n,
  '\u00b5s': 1000n,
  '\u03bcs': 1000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

const maxDigits = 19;
const minDuration = -(2n ** 63n);

/** Nanoseconds. Throws DurationError. */
export function parseDuration(text: string): bigint {
  const negative = text.startsWith('-');
  const start = /^[+-]/.test(text) ? 1 : 0;
  if (text.length === start) throw invalid(text);
  if (text.length === start + 1 && text.endsWith('0')) return 0n;
  let total = 0n;
  const component = /(\d*)(?:\.(\d*))?([^.\d]*)/y;
  for (component.lastIndex = start; component.lastIndex < text.length;) {
    const [, whole = '', fraction = '', unit = ''] = component.exec(text) ?? [];
    if ((whole === '' && fraction === '') || hasManyDigits(whole)) throw invalid(text);
    if (unit === '') throw new DurationError(`time: missing unit in duration ${quoteTime(text)}`);
    const nanos = Object.hasOwn(unitNanos, unit) ? unitNanos[unit] : undefined;
    if (nanos === undefined) {
      throw new DurationError(`time: unknown unit ${quoteTime(unit)} in duration ${quoteTime(text)}`);
    }
    total += BigInt(whole || '0') * nanos + fractionNanos(fraction, nanos);
    if (total > -minDuration) throw invalid(text);
  }
  if (negative) return -total;
  if (total > -minDuration - 1n) throw invalid(text);
  return total;
}

/** Longer than any duration; parsing thousands of digits takes quadratic time. */
function hasManyDigits(whole: string): boolean {
  return whole.length > maxDigits && /[1-9]/.test(whole.slice(0, -maxDigits));
}

function fractionNanos(fraction: string, nanos: bigint): bigint {
  // Decimals beyond the 18th change no nanosecond.
  const digits = fraction.slice(0, 18);
  return digits === '' ? 0n : (BigInt(digits) * nanos) / 10n ** BigInt(digits.length);
}

function invalid(text: string): DurationError {
  return new DurationError(`time: invalid duration ${quoteTime(text)}`);
}

/** Go's format: `0s`, `1.5ms`, `1h2m3s`. */
export function formatDuration(nanos: bigint): string {
  if (nanos === 0n) return '0s';
  const sign = nanos < 0n ? '-' : '';
  const size = nanos < 0n ? -nanos : nanos;
  if (size < 1000n) return `${sign}${size}ns`;
  if (size < 1_000_000n) return `${sign}${decimal(size, 1000n)}\u00b5s`;
  if (size < 1_000_000_000n) return `${sign}${decimal(size, 1_000_000n)}ms`;
  const minutes = size / 60_000_000_000n;
  const seconds = `${decimal(size % 60_000_000_000n, 1_000_000_000n)}s`;
  if (minutes === 0n) return sign + seconds;
  const hours = minutes / 60n;
  return hours === 0n ? `${sign}${minutes}m${seconds}` : `${sign}${hours}h${minutes % 60n}m${seconds}`;
}

/** A duration in Go's form, of milliseconds, which may have a fraction. */
export function formatMs(ms: number): string {
  return formatDuration(BigInt(Math.round(ms * 1e6)));
}

/** `value / unit` without trailing zeros. */
function decimal(value: bigint, unit: bigint): string {
  const digits = (value % unit).toString().padStart(unit.toString().length - 1, '0');
  const fraction = withoutEnd(digits, '0');
  return fraction === '' ? `${value / unit}` : `${value / unit}.${fraction}`;
}
