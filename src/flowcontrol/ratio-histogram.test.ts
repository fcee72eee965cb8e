import { expect, test } from 'vitest';
import { RatioHistogram } from './ratio-histogram.ts';

test('a ratio counts for as long as it holds', () => {
  const observed: (readonly [number, number])[] = [];
  const histogram = new RatioHistogram((ratio, nanos) => observed.push([ratio, nanos]));
  histogram.count(0, 1);
  histogram.setDenominator(4);
  histogram.count(0, 2);
  histogram.count(2, 5);
  histogram.count(3, 7);
  histogram.count(2, 10);
  histogram.setDenominator(6);
  histogram.flush();
  histogram.count(2, 3);
  histogram.flush();
  expect(observed).toEqual([
    [0, 1],
    [0, 2],
    [0.5, 15],
    [0.75, 7],
    [2 / 6, 3],
  ]);
});

test('nothing is observed before it is read', () => {
  const observed: number[] = [];
  const histogram = new RatioHistogram((ratio, nanos) => observed.push(ratio, nanos));
  for (let time = 1; time <= 1_000; time += 1) histogram.count(time % 2, 1);
  histogram.setDenominator(1);
  expect(observed).toEqual([]);
  histogram.flush();
  expect(observed).toEqual([0, 500, 1, 500]);
});
