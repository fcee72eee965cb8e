import { expect, test } from 'vitest';
import { QuantileSketch } from './quantile-sketch.ts';

test('quantiles are within one percent', () => {
  const sketch = new QuantileSketch(1000);
  for (let value = 1; value <= 10_000; value += 1) sketch.add(value / 1e6, 0);
  for (const quantile of [0.5, 0.9, 0.99]) {
    const exact = (quantile * 10_000) / 1e6;
    expect(Math.abs(sketch.quantile(quantile, 0) - exact) / exact).toBeLessThan(0.011);
  }
});

test('what is older than the period is forgotten', () => {
  const sketch = new QuantileSketch(1000);
  expect(sketch.quantile(0.5, 0)).toBeNaN();
  sketch.add(1, 0);
  sketch.add(3, 900);
  sketch.add(3, 901);
  expect(sketch.quantile(0.01, 900)).toBeCloseTo(1, 1);
  expect(sketch.quantile(0.01, 1300)).toBeCloseTo(3, 1);
  expect(sketch.quantile(0.5, 5000)).toBeNaN();
});

test('values out of the range are in the outermost buckets', () => {
  const sketch = new QuantileSketch(1000);
  sketch.add(0, 0);
  sketch.add(1e9, 0);
  expect(sketch.quantile(0.5, 0)).toBeLessThan(1e-8);
  expect(sketch.quantile(1, 0)).toBeGreaterThan(100);
});
