import { expect, test } from 'vitest';
import { RatioHistogram } from './ratio-histogram.ts';

test('a ratio counts for as long as it holds', () => {
  const observed: (readonly [number, number])[] = [];
  const histogram = new RatioHistogram((ratio, nanos) => observed.push([ratio, nanos]), 0);
  histogram.setDenominator(4, 1);
  histogram.set(2, 3);
  histogram.add(1, 3.5);
  histogram.setDenominator(6, 5);
  histogram.flush(5);
  histogram.flush(7);
  expect(observed).toEqual([
    [0, 1_000_000],
    [0, 2_000_000],
    [0.5, 500_000],
    [0.75, 1_500_000],
    [0.5, 2_000_000],
  ]);
});
