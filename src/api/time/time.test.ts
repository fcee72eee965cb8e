import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DurationError, formatDuration, parseDuration } from './duration.ts';
import {
  canonicalMicroTimeText,
  canonicalTimeText,
  formatMicroTime,
  formatTime,
  isZeroTime,
  parseMicroTime,
  parseTime,
  timeOf,
} from './time.ts';

const layout = '2006-01-02T15:04:05Z07:00';

const canonicalTimes: readonly [string, string][] = [
  ['2020-02-29T00:00:00Z', '2020-02-29T00:00:00Z'],
  ['2020-01-01T00:00:00+01:00', '2019-12-31T23:00:00Z'],
  ['2020-01-01T0:00:00Z', '2020-01-01T00:00:00Z'],
  ['2020-01-01T00:00:00.999999999999Z', '2020-01-01T00:00:00Z'],
  ['2020-01-01T00:00:00,5Z', '2020-01-01T00:00:00Z'],
  ['9999-12-31T23:59:59+01:00', '9999-12-31T22:59:59Z'],
  ['9999-12-31T23:59:59-01:00', '10000-01-01T00:59:59Z'],
  ['0000-01-01T00:00:00+01:00', '-0001-12-31T23:00:00Z'],
  ['0000-01-01T00:00:00-01:00', '0000-01-01T01:00:00Z'],
  ['0099-01-01T00:00:00Z', '0099-01-01T00:00:00Z'],
];

const timeErrors: readonly [string, string][] = [
  ['x', `parsing time "x" as "${layout}": cannot parse "x" as "2006"`],
  ['2020-01-01', `parsing time "2020-01-01" as "${layout}": cannot parse "" as "T"`],
  ['2020-13-01T00:00:00Z', 'parsing time "2020-13-01T00:00:00Z": month out of range'],
  ['2019-02-29T00:00:00Z', 'parsing time "2019-02-29T00:00:00Z": day out of range'],
  ['2020-01-00T00:00:00Z', 'parsing time "2020-01-00T00:00:00Z": day out of range'],
  ['2020-01-01T24:00:00Z', 'parsing time "2020-01-01T24:00:00Z": hour out of range'],
  ['2020-01-01T00:00:00ZZ', 'parsing time "2020-01-01T00:00:00ZZ": extra text: "Z"'],
  ['\u00e9"', `parsing time "\\xc3\\xa9\\"" as "${layout}": cannot parse "\\xc3\\xa9\\"" as "2006"`],
];

const durations: readonly [string, string][] = [
  ['0', '0s'],
  ['1h', '1h0m0s'],
  ['1.5h', '1h30m0s'],
  ['90s', '1m30s'],
  ['1500ms', '1.5s'],
  ['1us', '1\u00b5s'],
  ['-1ns', '-1ns'],
  ['+1h2m3s4ms', '1h2m3.004s'],
];

const durationErrors: readonly [string, string][] = [
  ['', 'time: invalid duration ""'],
  ['1', 'time: missing unit in duration "1"'],
  ['1d', 'time: unknown unit "d" in duration "1d"'],
  ['.s', 'time: invalid duration ".s"'],
  ['9999999999h', 'time: invalid duration "9999999999h"'],
];

describe('times', () => {
  it.each(canonicalTimes)('%s is written %s', (text, canonical) => {
    expect(canonicalTimeText(text)).toBe(canonical);
  });

  it.each(timeErrors)('%s is refused', (text, message) => {
    expect(() => canonicalTimeText(text)).toThrow(message);
  });

  it('with microseconds have exactly six decimals', () => {
    expect(canonicalMicroTimeText('2020-01-01T00:00:00.123456+02:00')).toBe('2019-12-31T22:00:00.123456Z');
    expect(() => canonicalMicroTimeText('2020-01-01T00:00:00Z')).toThrow('cannot parse "Z" as ".000000"');
    expect(() => canonicalMicroTimeText('2020-01-01T00:00:00.1234567Z')).toThrow('cannot parse "7Z" as "Z07:00"');
  });

  it('round trip', () => {
    fc.assert(
      fc.property(fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('9999-12-31') }), (date) => {
        const time = timeOf(date.getTime());
        expect(parseMicroTime(formatMicroTime(time))).toEqual(time);
        expect(parseTime(formatTime(time)).epochMs).toBe(time.epochMs);
        expect(parseTime(date.toISOString())).toEqual(time);
      }),
    );
  });

  it('on any day of a year are what they are parsed to', () => {
    const twoDigits = (max: number) => fc.integer({ min: 0, max }).map((value) => String(value).padStart(2, '0'));
    const year = fc.oneof(
      fc.constantFrom('0000', '0999', '1900', '2000', '2019', '2020'),
      twoDigits(99).map((a) => `20${a}`),
    );
    const parts = fc.tuple(year, twoDigits(13), twoDigits(32), twoDigits(24), twoDigits(60), twoDigits(60));
    const result = (convert: () => string): string => {
      try {
        return convert();
      } catch (error) {
        return String(error);
      }
    };
    fc.assert(
      fc.property(parts, ([years, months, days, hours, minutes, seconds]) => {
        const text = `${years}-${months}-${days}T${hours}:${minutes}:${seconds}`;
        expect(result(() => canonicalTimeText(`${text}Z`))).toBe(result(() => formatTime(parseTime(`${text}Z`))));
        const micro = `${text}.000123Z`;
        expect(result(() => canonicalMicroTimeText(micro))).toBe(result(() => formatMicroTime(parseMicroTime(micro))));
      }),
      { numRuns: 2_000 },
    );
  });

  it('are zero in the year 1', () => {
    expect(isZeroTime(parseTime('0001-01-01T00:00:00Z'))).toBe(true);
    expect(isZeroTime(parseTime('1970-01-01T00:00:00Z'))).toBe(false);
  });
});

describe('durations', () => {
  it.each(durations)('%s is written %s', (text, canonical) => {
    expect(formatDuration(parseDuration(text))).toBe(canonical);
  });

  it.each(durationErrors)('%j is refused', (text, message) => {
    expect(() => parseDuration(text)).toThrow(new DurationError(message));
  });

  it('round trip', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (nanos) => {
        expect(parseDuration(formatDuration(nanos))).toBe(nanos);
      }),
    );
  });
});
