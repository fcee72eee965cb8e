import { expect, test } from 'vitest';
import { graphOf } from './graph.ts';
import { withRates } from './rates.ts';
import type { Sample } from './sample.ts';

const sampleAt = (seconds: number): Sample => ({
  seconds,
  steps: seconds * 20,
  faults: 0,
  cpuSeconds: 1,
  openFiles: 50,
  handles: 40,
  timers: 30,
  residentBytes: 300e6,
  heapUsedBytes: 100e6,
  externalBytes: 50e6,
  databaseBytes: 70e6,
  objects: 9,
  series: 2_000,
  ...(seconds % 600 === 0 ? { heldBytes: 90e6 } : {}),
});

const samples = withRates(Array.from({ length: 120 }, (_, at) => sampleAt((at + 1) * 15)));

test('the load is the average of two minutes', () => {
  expect(new Set(samples.map(({ stepsPerSecond }) => stepsPerSecond))).toEqual(new Set([20]));
  const [stopped] = withRates([sampleAt(120), { ...sampleAt(240), steps: 2_400 }]).slice(-1);
  expect(stopped?.stepsPerSecond).toBe(0);
});

test('what does not change is a level line, and the same samples are the same graph', () => {
  const graph = graphOf(samples, 'half an hour');
  expect(graph).toBe(graphOf(samples, 'half an hour'));
  const lines = [...graph.matchAll(/<polyline points="([^"]+)"/g)].map(([, points = '']) => points.split(' '));
  expect(lines.map(({ length }) => length)).toEqual([120, 120, 120, 3, 120, 120, 120, 120, 120, 120, 120]);
  for (const points of lines) expect(new Set(points.map((point) => point.split(',')[1])).size).toBe(1);
});
