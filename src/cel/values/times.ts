import { parseTime } from '../../api/time/time.ts';
import { civilTime, clockText, dateText } from './civil-time.ts';
import { addInt, intOverflow, isInt64, negateInt } from './int64.ts';
import { CelError, Duration, type Int, narrowed, Timestamp } from './value.ts';

// Arithmetic of timestamps and durations, which are int64 nanoseconds.

export const minSeconds = -62_135_596_800;
export const maxSeconds = 253_402_300_799;
export const timestampOverflow = new CelError('timestamp overflow');

const billion = 1_000_000_000n;

/** Exact, and in 64 bits, as Go adds them. */
export function laterSeconds(seconds: Int, more: number): Int {
  const sum = Number(seconds) + more;
  if (typeof seconds === 'number' && Number.isSafeInteger(sum)) return sum;
  return narrowed(BigInt.asIntN(64, BigInt(seconds) + BigInt(more)));
}

/** The order of Go, which counts from the year 1: where 64 bits overflow, the latest times are the first. */
export function compareTimes(a: Timestamp, b: Timestamp): number {
  const [first, second] = [laterSeconds(a.seconds, -minSeconds), laterSeconds(b.seconds, -minSeconds)];
  return first === second ? Math.sign(a.nanos - b.nanos) : first < second ? -1 : 1;
}

export function addDuration(time: Timestamp, { nanos }: Duration): Timestamp | CelError {
  if (!isInt64(BigInt(time.seconds) + BigInt(nanos) / billion)) return intOverflow;
  const total = BigInt(time.seconds) * billion + BigInt(time.nanos) + BigInt(nanos);
  const whole = (total - modulo(total)) / billion;
  if (!isInt64(whole)) return intOverflow;
  const seconds = Number(whole);
  if (seconds < minSeconds || seconds > maxSeconds) return timestampOverflow;
  return new Timestamp(seconds, Number(modulo(total)), time.offsetMinutes);
}

function modulo(nanos: bigint): bigint {
  return ((nanos % billion) + billion) % billion;
}

export function shiftTime(time: Timestamp, back: Duration): Timestamp | CelError {
  const nanos = negateInt(back.nanos);
  return nanos instanceof CelError ? nanos : addDuration(time, new Duration(nanos));
}

export function betweenTimes(a: Timestamp, b: Timestamp): Duration | CelError {
  const nanos = (BigInt(a.seconds) - BigInt(b.seconds)) * billion;
  // Seconds are checked before nanoseconds are added, as in the reference.
  if (!isInt64(nanos)) return intOverflow;
  const sum = addInt(nanos, BigInt(a.nanos - b.nanos));
  return sum instanceof CelError ? sum : new Duration(sum);
}

export function durationSum(a: Duration, b: Duration, sum: (a: Int, b: Int) => Int | CelError): Duration | CelError {
  const nanos = sum(a.nanos, b.nanos);
  return nanos instanceof CelError ? nanos : new Duration(nanos);
}

/** RFC 3339, preserving the offset. Throws TimeError. */
export function readTimestamp(text: string): Timestamp {
  const { epochMs, nanos } = parseTime(text);
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)$/.exec(text) ?? [];
  const offset = sign === undefined ? 0 : (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
  return new Timestamp(epochMs / 1000, nanos, offset);
}

/** `2023-01-01T02:00:00.5+02:00` */
export function timestampText({ seconds, nanos, offsetMinutes }: Timestamp): string {
  const local = civilTime(laterSeconds(seconds, offsetMinutes * 60));
  return `${dateText(local)}T${clockText(local)}${fractionText(nanos)}${zoneText(offsetMinutes)}`;
}

/** `.5` */
export function fractionText(nanos: number): string {
  const digits = String(nanos).padStart(9, '0');
  let length = digits.length;
  while (length > 0 && digits[length - 1] === '0') length--;
  return length === 0 ? '' : `.${digits.slice(0, length)}`;
}

function zoneText(offsetMinutes: number): string {
  if (offsetMinutes === 0) return 'Z';
  const size = Math.abs(offsetMinutes);
  const digits = [Math.trunc(size / 60), size % 60].map((part) => String(part).padStart(2, '0'));
  return `${offsetMinutes < 0 ? '-' : '+'}${digits.join(':')}`;
}

/** Seconds with the precision of a double: `1.5s`. */
export function durationText({ nanos }: Duration): string {
  const value = BigInt(nanos);
  const whole = value / billion;
  const seconds = Number(whole) + Number(value % billion) / 1e9;
  return `${fixedText(seconds)}s`;
}

/** The shortest digits that round-trip, without an exponent. */
function fixedText(value: number): string {
  const text = String(value);
  if (!/e/.test(text)) return text;
  const [digits = '', exponent = ''] = text.replace(/^-/, '').split('e');
  const [whole = '', fraction = ''] = digits.split('.');
  const point = whole.length + Number(exponent);
  const all = whole + fraction;
  const sign = value < 0 ? '-' : '';
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${all}`;
  return `${sign}${all.padEnd(point, '0').slice(0, point)}${all.length > point ? `.${all.slice(point)}` : ''}`;
}
