import { Base64Error, decodeUrlBase64 } from '../../api/bytes/base64.ts';
import { DurationError, parseDuration } from '../../api/time/duration.ts';
import { parseDate, type ParsedTime, parseLocalTime, TimeError } from '../../api/time/time.ts';
import { readTimestamp } from './times.ts';
import { CelError, Duration, Timestamp, type Value } from './value.ts';

// Strings with a format, in custom resources. Invalid ones have been reported, but expressions may still see them.

const second = 1_000_000_000n;
const units: readonly (readonly [names: readonly string[], nanos: bigint])[] = [
  [['ns', 'nano'], 1n],
  [['us', '\u00b5s', 'micro'], 1000n],
  [['ms', 'milli'], 1_000_000n],
  [['s', 'sec'], second],
  [['m', 'min'], 60n * second],
  [['h', 'hr', 'hour'], 3600n * second],
  [['d', 'day'], 86_400n * second],
  [['w', 'wk', 'week'], 604_800n * second],
];

/** `1h30m`, or `2 days`. */
export function readDuration(text: string): Value {
  try {
    return new Duration(parseDuration(text));
  } catch (error) {
    if (!(error instanceof DurationError)) throw error;
    const nanos = nanosInWords(text);
    return nanos === undefined
      ? new CelError(`Invalid duration ${text}: unable to parse ${text} as duration`)
      : new Duration(BigInt.asIntN(64, nanos));
  }
}

const words = /(\d{1,19})\s*([A-Za-z\u00b5]+)/g;

function nanosInWords(text: string): bigint | undefined {
  let total: bigint | undefined;
  for (const [, count = '0', word = ''] of text.matchAll(words)) {
    const unit = word.toLowerCase();
    for (const [names, nanos] of units) {
      for (const [index, name] of names.entries()) {
        const isLast = index === names.length - 1;
        if (name !== unit && !(isLast && unit.startsWith(name))) continue;
        total = (total ?? 0n) + BigInt(count) * nanos;
      }
    }
  }
  return total;
}

export function readDate(text: string): Value {
  return read(text, parseDate, 'date');
}

/** UTC without a time zone. */
export function readDateTime(text: string): Value {
  if (text === '') return new Timestamp(0, 0);
  try {
    return readTimestamp(text);
  } catch (error) {
    if (!(error instanceof TimeError)) throw error;
    return read(text, parseLocalTime, 'date-time');
  }
}

function read(text: string, parse: (text: string) => ParsedTime, format: string): Value {
  try {
    const { epochMs, nanos } = parse(text);
    return new Timestamp(epochMs / 1000, nanos);
  } catch (error) {
    if (!(error instanceof TimeError)) throw error;
    return new CelError(`Invalid ${format} formatted string ${text}: ${error.message}`);
  }
}

/** Validated as standard Base64 with `+` and `/`, then decoded as URL-safe Base64, which has neither. */
export function readBytes(text: string): Value {
  try {
    return decodeUrlBase64(text);
  } catch (error) {
    if (!(error instanceof Base64Error)) throw error;
    return new CelError(`Invalid byte formatted string ${text}: ${error.message}`);
  }
}
