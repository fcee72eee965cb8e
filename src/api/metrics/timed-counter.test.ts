import { expect, test } from 'vitest';
import { Metric, type MetricDefinition } from './metric.ts';
import { TimedCounter } from './timed-counter.ts';

test('counts and times with the same labels', () => {
  const made: Metric[] = [];
  const register = (definition: MetricDefinition): Metric => {
    const metric = new Metric(definition);
    made.push(metric);
    return metric;
  };
  const calls = new TimedCounter(register, {
    labelNames: ['result'],
    count: { name: 'calls_total', help: '' },
    duration: { name: 'call_seconds', help: '', buckets: [1, 2] },
  });
  const succeeded = calls.counter({ result: 'success' });
  expect(made.flatMap(({ values }) => [...values])).toEqual([]);
  succeeded(0.5);
  succeeded(1.5);
  calls.add(3, { result: 'failure' });
  const [counts, durations] = made.map(({ values }) => [...values]);
  expect(counts).toMatchObject([
    { labels: { result: 'success' }, value: 2 },
    { labels: { result: 'failure' }, value: 1 },
  ]);
  expect(durations).toMatchObject([
    { labels: { result: 'success' }, value: 2, count: 2, bucketCounts: [1, 2] },
    { labels: { result: 'failure' }, value: 3, count: 1, bucketCounts: [0, 0] },
  ]);
  expect(made.map(({ definition }) => definition.type)).toEqual(['counter', 'histogram']);
});
