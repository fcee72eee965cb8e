import { expect, test } from 'vitest';
import { localTime } from './time-zones.ts';
import { addDuration, betweenTimes, compareTimes, laterSeconds, timestampText } from './times.ts';
import { CelError, Duration, Timestamp } from './value.ts';

const most = 2n ** 63n - 1n;
const least = -(2n ** 63n);

// As recorded from kube-apiserver 1.37.1.
test.each<readonly [number | bigint, string, number]>([
  [most, '292277026596-12-04T15:30:07Z', 338],
  [least, '292277026596-12-04T15:30:08Z', 338],
  [2n ** 53n, '285428751-11-12T07:36:32Z', 315],
  [-(2n ** 53n) - 1n, '-285424812-02-20T16:23:27Z', 50],
  [9_223_371_974_719_179_007n, '292277024627-12-06T15:30:07Z', 339],
  [0, '1970-01-01T00:00:00Z', 0],
])('the time of %s seconds', (seconds, text, dayOfYear) => {
  const time = new Timestamp(seconds, 0);
  expect(timestampText(time)).toBe(text);
  expect(localTime(time, '')).toMatchObject({ dayOfYear });
});

test('times are compared as by Go, whose count overflows', () => {
  const now = new Timestamp(0, 0);
  expect(compareTimes(new Timestamp(most, 0), now)).toBe(-1);
  expect(compareTimes(new Timestamp(least, 0), now)).toBe(-1);
  expect(compareTimes(new Timestamp(2n ** 53n, 0), now)).toBe(1);
  expect(compareTimes(new Timestamp(1, 5), new Timestamp(1, 4))).toBe(1);
});

test('arithmetic overflows', () => {
  const message = (value: unknown): unknown => (value instanceof CelError ? value.message : value);
  const second = new Duration(1_000_000_000);
  expect(message(addDuration(new Timestamp(most, 0), second))).toBe('integer overflow');
  expect(message(addDuration(new Timestamp(2n ** 53n, 0), second))).toBe('timestamp overflow');
  expect(message(betweenTimes(new Timestamp(most, 0), new Timestamp(least, 0)))).toBe('integer overflow');
  expect(laterSeconds(most, 1)).toBe(least);
  expect(laterSeconds(Number.MAX_SAFE_INTEGER, 1)).toBe(2n ** 53n);
  expect(laterSeconds(2n ** 53n, -1)).toBe(Number.MAX_SAFE_INTEGER);
});
