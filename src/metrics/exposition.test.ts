import { expect, test } from 'vitest';
import { Metric } from '../api/metrics/metric.ts';
import { textOfMetrics } from './exposition.ts';
import { exposed } from './part-metrics.ts';

const metric = (type: 'counter' | 'gauge' | 'histogram', name: string, labelNames: readonly string[] = []): Metric =>
  new Metric({ name, help: 'Two\nlines.', type, overThreads: 'sum', labelNames, buckets: [0.1, 1] });

async function expositionOf(...metrics: readonly Metric[]): Promise<string> {
  return (await textOfMetrics(metrics.map(exposed))).toString();
}

test('metrics are sorted by name, and their texts escaped', async () => {
  const labelled = metric('gauge', 'b', ['name']);
  labelled.set(Infinity, { name: 'a"\\\n' });
  const plain = metric('counter', 'a');
  expect(await expositionOf(labelled, plain)).toBe(
    [
      '# HELP a Two\\nlines.',
      '# TYPE a counter',
      'a 0',
      '# HELP b Two\\nlines.',
      '# TYPE b gauge',
      'b{name="a\\"\\\\\\n"} +Inf',
      '',
    ].join('\n'),
  );
});

test('a histogram has the labels of a series on each line', async () => {
  const histogram = metric('histogram', 'a', ['of', 'as']);
  for (const value of [0.05, 0.5, 5]) histogram.observe(value, { of: 'x', as: 'y' });
  expect((await expositionOf(histogram)).split('\n').slice(2)).toEqual([
    'a_bucket{as="y",of="x",le="0.1"} 1',
    'a_bucket{as="y",of="x",le="1"} 2',
    'a_bucket{as="y",of="x",le="+Inf"} 3',
    'a_sum{as="y",of="x"} 5.55',
    'a_count{as="y",of="x"} 3',
    '',
  ]);
});

test('numbers, bounds and labels are written as kube-apiserver writes them', async () => {
  const make = (type: 'gauge' | 'histogram', name: string): Metric =>
    new Metric({ name, help: '', type, overThreads: 'sum', labelNames: ['z', 'a'], buckets: [0, 0.00001, 1_000_000] });
  const histogram = make('histogram', 'h');
  histogram.observe(0, { z: '1', a: '2' });
  const gauge = make('gauge', 'g');
  for (const value of [0, 1e-5, 123_456, 1_234_567, -2e21]) gauge.set(value, { z: String(value), a: '' });
  expect((await expositionOf(histogram, gauge)).split('\n')).toEqual([
    '# HELP g ',
    '# TYPE g gauge',
    'g{a="",z="0"} 0',
    'g{a="",z="0.00001"} 1e-05',
    'g{a="",z="123456"} 123456',
    'g{a="",z="1234567"} 1.234567e+06',
    'g{a="",z="-2e+21"} -2e+21',
    '# HELP h ',
    '# TYPE h histogram',
    'h_bucket{a="2",z="1",le="0"} 1',
    'h_bucket{a="2",z="1",le="1e-05"} 1',
    'h_bucket{a="2",z="1",le="1e+06"} 1',
    'h_bucket{a="2",z="1",le="+Inf"} 1',
    'h_sum{a="2",z="1"} 0',
    'h_count{a="2",z="1"} 1',
    '',
  ]);
});

test('other work has its turn while thousands of series are written', async () => {
  const histogram = metric('histogram', 'a', ['name']);
  for (let index = 0; index < 20_000; index += 1) histogram.observe(1, { name: `n${index}` });
  let turns = 0;
  const counting = setInterval(() => (turns += 1), 0);
  const text = await expositionOf(histogram);
  clearInterval(counting);
  expect(text.split('\n').length).toBe(2 + 20_000 * 5 + 1);
  expect(turns).toBeGreaterThan(1);
});
