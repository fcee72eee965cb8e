import type { Metric, Registry } from 'prom-client';
import { systemClock } from '../api/clock.ts';
import type { Measure, Measured } from '../api/measure.ts';

/** Registers the metrics of the server's parts. */
export async function addPartMetrics(registry: Registry, measures: readonly Measure[]): Promise<void> {
  // Bundled CommonJS libraries only have a default export.
  const { default: prometheus } = await import('prom-client');
  const registers = [registry];
  for (const measure of measures) {
    const { type, name, help, labelNames } = measure.definition;
    const shown = { name, help, labelNames, registers };
    if (type === 'histogram' || type === 'summary') {
      registry.registerMetric(observedMetric(measure));
    } else if (type === 'gauge') {
      const gauge = new prometheus.Gauge({
        ...shown,
        collect() {
          gauge.reset();
          for (const { labels, value } of measure.values) gauge.set(labels, value);
        },
      });
    } else {
      const counter = new prometheus.Counter({
        ...shown,
        collect() {
          counter.reset();
          for (const { labels, value } of measure.values) counter.inc(labels, value);
        },
      });
    }
  }
}

const quantiles = [0.5, 0.9, 0.99];

/** As Go prints bounds. */
function goFloat(bound: number | string): number | string {
  if (typeof bound === 'string' || bound >= 1e-4) return bound;
  return bound.toExponential().replace(/e-(\d)$/, 'e-0$1');
}

/** The library's own histograms and summaries do not accept precomputed counts. */
function observedMetric(measure: Measure): Metric {
  const { name, help, type, buckets = [] } = measure.definition;
  const bucketsOf = ({ labels, count, bucketCounts }: Measured) =>
    [...buckets, '+Inf'].map((le, index) => ({
      ...{ metricName: `${name}_bucket`, labels: { le: goFloat(le), ...labels } },
      value: bucketCounts[index] ?? count,
    }));
  const quantilesOf = ({ labels, sketch }: Measured) =>
    quantiles.map((quantile) => ({
      ...{ metricName: name, labels: { ...labels, quantile } },
      value: sketch?.quantile(quantile, systemClock.now()) ?? Number.NaN,
    }));
  const shown = (measured: Measured) => [
    ...(type === 'summary' ? quantilesOf(measured) : bucketsOf(measured)),
    { metricName: `${name}_sum`, labels: measured.labels, value: measured.value },
    { metricName: `${name}_count`, labels: measured.labels, value: measured.count },
  ];
  // The members of a metric that a registry uses.
  return {
    name,
    get: () => Promise.resolve({ name, help, type, values: [...measure.values].flatMap(shown), aggregator: 'sum' }),
    reset: () => undefined,
  } as unknown as Metric;
}
