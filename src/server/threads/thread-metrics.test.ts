import { expect, test } from 'vitest';
import { Metric, type MetricDefinition, type OverThreads } from '../../api/metrics/metric.ts';
import { ThreadMetrics } from './thread-metrics.ts';
import { type ExposedMetric, textOfMetrics } from '../../metrics/exposition.ts';
import type { ThreadSnapshot } from '../../metrics/metric-snapshot.ts';
import { limitedMetrics } from '../../metrics/metric-limits.ts';
import { overThreads, ruleOf, snapshotOfThread } from '../../metrics/over-threads.ts';
import { exposed } from '../../metrics/part-metrics.ts';
import { processMetrics } from '../../metrics/process-metrics.ts';

const makeMetric = (type: MetricDefinition['type'], name: string, over: OverThreads = 'sum'): Metric =>
  new Metric({ name, help: '', type, overThreads: over, labelNames: ['of'], buckets: [1, 10] });

const snapshot = async (thread: string, ...metrics: readonly Metric[]): Promise<ThreadSnapshot> => {
  // As it arrives in another thread.
  return structuredClone({ thread, metrics: await snapshotOfThread(metrics.map(exposed)) });
};

async function linesOf(metrics: readonly ExposedMetric[]): Promise<readonly string[]> {
  const text = (await textOfMetrics(metrics)).toString();
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

test('counters and histograms add up, series by series', async () => {
  const make = (): readonly [Metric, Metric] => [makeMetric('counter', 'c'), makeMetric('histogram', 'h')];
  const [own, other, third] = [make(), make(), make()];
  own[0].add({ of: 'a' });
  own[1].observe(0.5, { of: 'a' });
  other[0].add({ of: 'a' });
  other[0].add({ of: 'b' });
  other[1].observe(5, { of: 'a' });
  other[1].observe(50, { of: 'b' });
  const others = [await snapshot('t1', ...other), await snapshot('t2', ...third)];
  expect(await linesOf(overThreads(own.map(exposed), 'main', others))).toEqual([
    'c{of="a"} 2',
    'c{of="b"} 1',
    'h_bucket{of="a",le="1"} 1',
    'h_bucket{of="a",le="10"} 2',
    'h_bucket{of="a",le="+Inf"} 2',
    'h_sum{of="a"} 5.5',
    'h_count{of="a"} 2',
    'h_bucket{of="b",le="1"} 0',
    'h_bucket{of="b",le="10"} 0',
    'h_bucket{of="b",le="+Inf"} 1',
    'h_sum{of="b"} 50',
    'h_count{of="b"} 1',
  ]);
});

test('native buckets add up, whatever their widths', async () => {
  const [own, other, all] = [makeMetric('histogram', 'h'), makeMetric('histogram', 'h'), makeMetric('histogram', 'h')];
  const labels = { of: 'a' };
  for (let at = 0; at < 1000; at += 1) {
    const value = 1.1 ** (at % 500) * (at % 2 === 0 ? 1e-9 : -1e-9);
    (at % 50 === 1 ? own : other).observe(value, labels);
    all.observe(value, labels);
  }
  const [metric] = overThreads([exposed(own)], 'main', [await snapshot('t', other)]);
  const natives = [...(await (metric ?? exposed(own)).get()).values].flatMap(({ native }) => native ?? []);
  const [whole] = all.values;
  expect(natives).toHaveLength(1);
  expect({ ...natives[0] }).toBeDefined();
  const { schema, zeros, positive, negative } = whole?.native ?? {};
  const ordered = (counts: ReadonlyMap<number, number> = new Map()): readonly unknown[] =>
    [...counts].toSorted(([a], [b]) => a - b);
  expect(natives[0]).toMatchObject({ schema, zeros });
  expect(ordered(natives[0]?.positive)).toEqual(ordered(positive));
  expect(ordered(natives[0]?.negative)).toEqual(ordered(negative));
});

test('quantiles are those of the values of all threads', async () => {
  const [own, other, all] = [makeMetric('summary', 's'), makeMetric('summary', 's'), makeMetric('summary', 's')];
  for (let value = 1; value <= 100; value += 1) {
    (value <= 50 ? own : other).observe(value, { of: 'a' });
    all.observe(value, { of: 'a' });
  }
  const others = [await snapshot('t', other)];
  expect(await linesOf(overThreads([exposed(own)], 'main', others))).toEqual(await linesOf([exposed(all)]));
});

test.each([
  ['sum', ['g{of="a"} 5', 'g{of="b"} 7']],
  ['max', ['g{of="a"} 3', 'g{of="b"} 7']],
  ['first', ['g{of="a"} 2']],
  ['each', ['g{of="a",thread="main"} 2', 'g{of="a",thread="t"} 3', 'g{of="b",thread="t"} 7']],
] as const)('gauges by rule: %s', async (rule, lines) => {
  const [own, other] = [makeMetric('gauge', 'g', rule), makeMetric('gauge', 'g', rule)];
  own.set(2, { of: 'a' });
  other.set(3, { of: 'a' });
  other.set(7, { of: 'b' });
  expect(await linesOf(overThreads([exposed(own)], 'main', [await snapshot('t', other)]))).toEqual(lines);
});

test('series whose labels are limited add up too', async () => {
  const limited = (count: number): readonly ExposedMetric[] => {
    const histogram = makeMetric('histogram', 'h');
    for (let at = 0; at < count; at += 1) histogram.observe(5, { of: `x${at}` });
    const allowed = new Map([['h', new Map([['of', new Set(['x0'])]])]]);
    return limitedMetrics([exposed(histogram)], { disabled: new Set(), allowed }).filter(({ name }) => name === 'h');
  };
  const others = structuredClone([{ thread: 't', metrics: await snapshotOfThread(limited(3)) }]);
  const lines = await linesOf(overThreads(limited(2), 'main', others));
  expect(lines.filter((line) => line.includes('_count'))).toEqual(['h_count{of="x0"} 2', 'h_count{of="unexpected"} 3']);
});

test('what has been shown of a thread that has ended stays, but for what it had at the moment', async () => {
  const [counter, gauge] = [makeMetric('counter', 'c'), makeMetric('gauge', 'g')];
  counter.add({ of: 'a' });
  gauge.set(1, { of: 'a' });
  const threads = new ThreadMetrics();
  threads.add('t', async () => (await snapshot('t', counter, gauge)).metrics);
  const lines = async (): Promise<readonly string[]> => linesOf(overThreads([], 'main', await threads.read()));
  expect(await lines()).toEqual(['c{of="a"} 1', 'g{of="a"} 1']);
  threads.remove('t');
  expect(await lines()).toEqual(['c{of="a"} 1']);
  // The next one counts from 0, and ends as it was told.
  threads.add('t', async () => (await snapshot('t', counter)).metrics);
  await threads.leaves('t');
  threads.remove('t');
  expect(await lines()).toEqual(['c{of="a"} 2']);
});

test('every gauge of the library has a rule', async () => {
  const read = await Promise.all((await processMetrics()).map(async (metric) => ({ metric, ...(await metric.get()) })));
  const gauges = read.filter(({ type }) => type === 'gauge');
  expect(gauges.length).toBeGreaterThan(15);
  expect(gauges.filter(({ metric }) => ruleOf(metric) === undefined).map(({ name }) => name)).toEqual([]);
});
