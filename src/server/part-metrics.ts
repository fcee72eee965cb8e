import type { Metric, Registry } from 'prom-client';
import type { Measure, Measured } from '../api/measure.ts';

/** Registers the metrics of the server's parts. */
export async function addPartMetrics(registry: Registry, measures: readonly Measure[]): Promise<void> {
  // Bundled CommonJS libraries only have a default export.
  const { default: prometheus } = await import('prom-client');
  const registers = [registry];
  for (const measure of measures) {
    const { type, name, help, labelNames } = measure.definition;
    const shown = { name, help, labelNames, registers };
    if (type === 'histogram') {
      registry.registerMetric(histogramOf(measure));
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

/** The library's own histograms do not accept precomputed counts. */
function histogramOf(measure: Measure): Metric {
  const { name, help, buckets = [] } = measure.definition;
  const shown = ({ labels, value, count, bucketCounts }: Measured) => [
    ...[...buckets, '+Inf'].map((le, index) => ({
      ...{ metricName: `${name}_bucket`, labels: { le, ...labels } },
      value: bucketCounts[index] ?? count,
    })),
    { metricName: `${name}_sum`, labels, value },
    { metricName: `${name}_count`, labels, value: count },
  ];
  // The members of a metric that a registry uses.
  return {
    name,
    get: () =>
      Promise.resolve({ name, help, type: 'histogram', values: [...measure.values].flatMap(shown), aggregator: 'sum' }),
    reset: () => undefined,
  } as unknown as Metric;
}
