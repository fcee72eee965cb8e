import { expect, test } from 'vitest';
import { addInt64, durationMs } from './int64.ts';

test.each([
  [1, 2, 3],
  [Number.MAX_SAFE_INTEGER, 1, 9_007_199_254_740_992n],
  [9_007_199_254_740_992n, -1, Number.MAX_SAFE_INTEGER],
  [9_223_372_036_854_775_807n, 1, -9_223_372_036_854_775_808n],
])('%s and %s are %s', (value, more, sum) => {
  expect(addInt64(value, more)).toBe(sum);
});

test.each([
  [30, 30_000],
  [-1, -1000],
  [9_223_372_036_854_775_807n, -1000],
  [9_223_372_036, 9_223_372_036_000],
  [9_223_372_037, -9_223_372_036_709],
])('%s seconds are %s milliseconds', (seconds, milliseconds) => {
  expect(durationMs(seconds)).toBe(milliseconds);
});
