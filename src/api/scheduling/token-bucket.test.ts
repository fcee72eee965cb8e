import { expect, test } from 'vitest';
import { TokenBucket } from './token-bucket.ts';

/** Whether a token is there at each of these times. */
function taken(options: { readonly qps: number; readonly burst: number }, timesMs: readonly number[]): boolean[] {
  let nowMs = timesMs[0] ?? 0;
  const bucket = new TokenBucket({ ...options, clock: { now: () => nowMs } });
  return timesMs.map((timeMs) => {
    nowMs = timeMs;
    return bucket.tryTake();
  });
}

test('gives its burst at once, and then as fast as it fills', () => {
  const results = [true, true, true, false, false, true, false];
  expect(taken({ qps: 2, burst: 3 }, [0, 0, 0, 0, 499, 500, 501])).toEqual(results);
});

test('keeps no more than its burst', () => {
  expect(taken({ qps: 1000, burst: 1 }, [0, 60_000, 60_000])).toEqual([true, true, false]);
});

test('a clock that goes back gives nothing', () => {
  expect(taken({ qps: 1, burst: 1 }, [10_000, 0, 10_500, 11_000])).toEqual([true, false, false, true]);
});
