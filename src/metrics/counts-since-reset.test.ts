import { expect, test } from 'vitest';
import { Metric, type MetricDefinition } from '../api/metrics/metric.ts';
import { CountsSinceReset } from './counts-since-reset.ts';
import { textOfMetrics } from './exposition.ts';
import { exposed } from './part-metrics.ts';

const makeMetric = (type: MetricDefinition['type'], name: string, labelNames: readonly string[] = ['of']): Metric =>
  new Metric({ name, help: '', type, overThreads: 'sum', labelNames, buckets: [1, 10] });

async function linesOf(since: CountsSinceReset, metrics: readonly Metric[]): Promise<readonly string[]> {
  const text = (await textOfMetrics(since.of(metrics.map(exposed)))).toString();
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

test('counts begin anew, gauges and what the process counts stay', async () => {
  const since = new CountsSinceReset();
  const [counter, plain, histogram] = [
    makeMetric('counter', 'c'),
    makeMetric('counter', 'd', []),
    makeMetric('histogram', 'h'),
  ];
  const [gauge, cpu] = [makeMetric('gauge', 'g'), makeMetric('counter', 'process_cpu_seconds_total', [])];
  const all = [counter, plain, gauge, histogram, cpu];
  for (const of of ['a', 'b']) {
    counter.add({ of });
    histogram.observe(5, { of });
  }
  plain.add();
  cpu.add();
  gauge.set(3, { of: 'a' });
  await since.reset(all.map(exposed));
  const unchanged = ['g{of="a"} 3', 'process_cpu_seconds_total 1'];
  expect(await linesOf(since, all)).toEqual(['d 0', ...unchanged]);
  counter.add({ of: 'b' });
  histogram.observe(0.5, { of: 'b' });
  histogram.observe(0.5, { of: 'c' });
  const counted = (of: string): readonly string[] => [
    ...['1', '10', '+Inf'].map((le) => `h_bucket{of="${of}",le="${le}"} 1`),
    `h_sum{of="${of}"} 0.5`,
    `h_count{of="${of}"} 1`,
  ];
  expect(await linesOf(since, all)).toEqual([
    'c{of="b"} 1',
    'd 0',
    'g{of="a"} 3',
    ...counted('b'),
    ...counted('c'),
    'process_cpu_seconds_total 1',
  ]);
  await since.reset(all.map(exposed));
  expect(await linesOf(since, all)).toEqual(['d 0', ...unchanged]);
});

test('a series that was forgotten after the reset counts from its own beginning', async () => {
  const since = new CountsSinceReset();
  const counter = makeMetric('counter', 'c');
  for (let times = 0; times < 5; times += 1) counter.add({ of: 'a' });
  await since.reset([exposed(counter)]);
  counter.forget({ of: 'a' });
  counter.add({ of: 'a' });
  expect(await linesOf(since, [counter])).toEqual(['c{of="a"} 1']);
});

test('native buckets begin anew, also if they have become wider since', async () => {
  const since = new CountsSinceReset();
  const [histogram, expected] = [makeMetric('histogram', 'h'), makeMetric('histogram', 'h')];
  const labels = { of: 'a' };
  for (const value of [0, 1e-3, 1, 5, -5]) histogram.observe(value, labels);
  await since.reset([exposed(histogram)]);
  for (let at = -300; at < 300; at += 1) {
    histogram.observe(1.1 ** at, labels);
    expected.observe(1.1 ** at, labels);
  }
  const [metric] = since.of([exposed(histogram)]);
  const natives = [...(await (metric ?? exposed(histogram)).get()).values].flatMap(({ native }) => native ?? []);
  const [whole] = expected.values;
  const ordered = (counts: ReadonlyMap<number, number> = new Map()): readonly unknown[] =>
    [...counts].toSorted(([a], [b]) => a - b);
  expect(natives[0]?.schema).toBe(whole?.native?.schema);
  expect([natives[0]?.zeros, natives[0]?.negative.size]).toEqual([0, 0]);
  expect(ordered(natives[0]?.positive)).toEqual(ordered(whole?.native?.positive));
});
