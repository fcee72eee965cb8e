import { expect, test } from 'vitest';
import { RatioHistogram } from './ratio-histogram.ts';

test('a ratio counts for as long as it holds', () => {
  const observed: (readonly [number, number])[] = [];
  const histogram = new RatioHistogram((ratio, nanos) => observed.push([ratio, nanos]), 0);
  histogram.setDenominator(4, 1);
  histogram.set(2, 3);
  histogram.add(1, 3.5);
  histogram.set(2, 4);
  histogram.setDenominator(6, 5);
  histogram.flush(5);
  histogram.flush(7);
  expect(observed).toEqual([
    [0, 1_000_000],
    [0, 2_000_000],
    [0.5, 1_500_000],
    [0.75, 500_000],
    [2 / 6, 2_000_000],
  ]);
});

test('nothing is observed before it is read', () => {
  const observed: number[] = [];
  const histogram = new RatioHistogram((ratio, nanos) => observed.push(ratio, nanos), 0);
  for (let ms = 1; ms <= 1_000; ms += 1) histogram.set(ms % 2, ms);
  histogram.setDenominator(1, 1_000);
  expect(observed).toEqual([]);
  histogram.flush(1_000);
  expect(observed).toEqual([0, 500_000_000, 1, 500_000_000]);
});
