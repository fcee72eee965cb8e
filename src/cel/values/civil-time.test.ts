import { describe, expect, it } from 'vitest';
import { civilTime, clockText, dateText } from './civil-time.ts';
import { localTime } from './time-zones.ts';
import { timestampText } from './times.ts';
import { Timestamp } from './value.ts';

// Expected texts are those of cel-go.
describe('timestamps beyond the dates of JavaScript', () => {
  it.each([
    [8_640_000_000_001, 0, '275760-09-13T00:00:01Z'],
    [9_000_000_000_000, 5, '287168-08-24T16:00:00.000000005Z'],
    [99_999_999_999_999, 0, '3170843-11-07T09:46:39Z'],
    [253_402_300_800, 0, '10000-01-01T00:00:00Z'],
    [-62_135_596_801, 0, '0000-12-31T23:59:59Z'],
  ])('%d.%d is %s', (seconds, nanos, text) => {
    expect(timestampText(new Timestamp(seconds, nanos))).toBe(text);
  });

  it('have parts in zones', () => {
    const time = new Timestamp(99_999_999_999_999, 0);
    expect(localTime(time, 'UTC')).toMatchObject({ year: 3_170_843, month: 10, day: 7, weekday: 6, hours: 9 });
    expect(localTime(time, '+01:00')).toMatchObject({ hours: 10 });
    expect(localTime(time, 'Asia/Tokyo')).toMatchObject({ day: 7, hours: 18 });
  });

  it('agree with JavaScript within its dates', () => {
    for (let seconds = -62_000_000_000; seconds < 250_000_000_000; seconds += 7_777_777_777) {
      const time = civilTime(seconds);
      const text = new Date(seconds * 1000).toISOString();
      expect(`${dateText(time)}T${clockText(time)}.000Z`).toBe(text);
      expect(time.weekday).toBe(new Date(seconds * 1000).getUTCDay());
    }
  });
});
