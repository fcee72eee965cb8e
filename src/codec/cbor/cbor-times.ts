import { parseTime, TimeError } from '../../api/time/time.ts';
import { CborError, CborTypeError } from './cbor-errors.ts';
import { majorTypes, typeName } from './major-types.ts';
import { withoutEnd } from '../../api/text/text-edges.ts';

const outside = 'Time.MarshalText: year outside of range [0,9999]';
const notText = `cbor: decoded time cannot be represented in RFC3339 format with sub-second precision: ${outside}`;
const minEpochMs = Date.parse('0000-01-01T00:00:00Z');
const maxEpochMs = Date.parse('9999-12-31T23:59:59.999Z');
/** Doubles from here on exceed int64. */
const int64Limit = 2 ** 63;

/**
 * The text of a time in tag 0 as Go re-encodes it: without trailing zeros in the fraction, Z for a zero offset. Throws
 * CborError.
 */
export function timeText(text: string): string {
  try {
    const { nanos } = parseTime(text);
    const zone = text.slice(/[Zz]$/.test(text) ? -1 : -6);
    const seconds = text.slice(0, -zone.length).replace(/[.,].*/, '');
    // The hour may have one digit.
    const padded = seconds.replace(/T(\d):/, 'T0$1:');
    return `${padded}${fractionText(nanos)}${/^[+-]00:00$/.test(zone) ? 'Z' : zone}`;
  } catch (error) {
    if (!(error instanceof TimeError)) throw error;
    throw new CborError(`cbor: cannot set ${text} for time.Time: ${error.message}`);
  }
}

/** The text of epoch seconds in tag 1. Throws CborError. */
export function epochTimeText(value: number): string {
  const seconds = Math.trunc(value);
  if (seconds > int64Limit || seconds < -int64Limit) {
    const why = `${goFloat(value)} overflows Go's int64`;
    throw new CborTypeError(typeName(majorTypes.primitive), 'time.Time', { why });
  }
  // The fraction is truncated to nanoseconds, as in the reference.
  const nanos = Math.trunc((value - seconds) * 1e9);
  const whole = nanos < 0 ? seconds - 1 : seconds;
  const epochMs = whole * 1000;
  if (!(epochMs >= minEpochMs && epochMs <= maxEpochMs)) throw new CborError(notText);
  const date = new Date(epochMs).toISOString().slice(0, 19);
  return `${date}${fractionText(nanos < 0 ? nanos + 1e9 : nanos)}Z`;
}

function fractionText(nanos: number): string {
  return nanos === 0 ? '' : `.${withoutEnd(String(nanos).padStart(9, '0'), '0')}`;
}

/** A large double as Go's `%v` prints it. */
function goFloat(value: number): string {
  return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
}
