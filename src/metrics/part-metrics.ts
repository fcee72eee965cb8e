import { systemClock } from '../api/time/clock.ts';
import type { Metric, MetricSeries, MetricDefinition } from '../api/metrics/metric.ts';
import { floatText } from '../api/json/go-print.ts';
import type { ExposedMetric, ExposedValue } from './exposition.ts';

/** The values of histograms are made while they are written. */
export function exposed(metric: Metric): ExposedMetric {
  const { name, help, type, overThreads = 'sum' } = metric.definition;
  return { name, overThreads, get: () => Promise.resolve({ name, help, type, values: valuesOf(metric) }) };
}

function* valuesOf(metric: Metric): Generator<ExposedValue> {
  const { definition } = metric;
  const { name, type, buckets = [] } = definition;
  const valuesOfOne = valuesByType[type];
  const bounds = [...buckets.map(floatText), '+Inf'].map((le) => ({ le }));
  let isEmpty = true;
  for (const measured of metric.values) {
    isEmpty = false;
    yield* valuesOfOne(measured, name, bounds);
  }
  const isNumber = definition.labelNames.length === 0 && (type === 'counter' || type === 'gauge');
  if (isEmpty && isNumber) yield { labels: {}, value: 0 };
}

export const quantiles = [0.5, 0.9, 0.99];

type ValuesOf = (measured: MetricSeries, name: string, bounds: readonly BucketLabels[]) => Iterable<ExposedValue>;

/** The upper bound of a bucket. */
interface BucketLabels {
  readonly [label: string]: string;
  readonly le: string;
}

const valuesByType: { readonly [type in MetricDefinition['type']]: ValuesOf } = {
  counter: ({ labels, value }) => [{ labels, value }],
  gauge: ({ labels, value }) => [{ labels, value }],
  *histogram(measured, name, bounds) {
    const { labels: sharedLabels, count, bucketCounts } = measured;
    const metricName = `${name}_bucket`;
    for (const [index, labels] of bounds.entries()) {
      yield { metricName, labels, sharedLabels, value: bucketCounts[index] ?? count };
    }
    yield* totalsOf(measured, name);
  },
  *summary(measured, name) {
    const { labels: sharedLabels, sketch } = measured;
    for (const quantile of quantiles) {
      const value = sketch?.quantile(quantile, systemClock.now()) ?? Number.NaN;
      yield { labels: { quantile }, sharedLabels, value };
    }
    yield* totalsOf(measured, name);
  },
};

function totalsOf(
  { labels: sharedLabels, value, count, native, sketch }: MetricSeries,
  name: string,
): readonly ExposedValue[] {
  return [
    { metricName: `${name}_sum`, labels: {}, sharedLabels, value },
    {
      metricName: `${name}_count`,
      labels: {},
      sharedLabels,
      value: count,
      native,
      sketch: sketch && (() => sketch.counts(systemClock.now())),
    },
  ];
}
