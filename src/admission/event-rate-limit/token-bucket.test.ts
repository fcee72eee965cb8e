import { expect, test } from 'vitest';
import { TokenBucket } from './token-bucket.ts';

test('gives its burst at once, and then as fast as it fills', () => {
  const bucket = new TokenBucket({ perSecond: 2, burst: 3, nowMs: 0 });
  expect([0, 0, 0, 0].map((nowMs) => bucket.take(nowMs))).toEqual([true, true, true, false]);
  expect([499, 500, 501].map((nowMs) => bucket.take(nowMs))).toEqual([false, true, false]);
});

test('keeps no more than its burst', () => {
  const bucket = new TokenBucket({ perSecond: 1000, burst: 1, nowMs: 0 });
  expect([60_000, 60_000].map((nowMs) => bucket.take(nowMs))).toEqual([true, false]);
});

test('a clock that goes back gives nothing', () => {
  const bucket = new TokenBucket({ perSecond: 1, burst: 1, nowMs: 10_000 });
  expect([10_000, 0, 10_500, 11_000].map((nowMs) => bucket.take(nowMs))).toEqual([true, false, false, true]);
});
