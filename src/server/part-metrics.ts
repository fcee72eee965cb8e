import type { Registry } from 'prom-client';
import type { Measure } from '../api/measure.ts';

/** Adds what the parts of the server count. */
export async function addPartMetrics(registry: Registry, measures: readonly Measure[]): Promise<void> {
  // A CommonJS library: bundled, it has its default export alone.
  const { default: prometheus } = await import('prom-client');
  const registers = [registry];
  for (const measure of measures) {
    const { type, ...shown } = measure.definition;
    if (type === 'gauge') {
      const gauge = new prometheus.Gauge({
        ...{ ...shown, registers },
        collect() {
          gauge.reset();
          for (const { labels, value } of measure.values) gauge.set(labels, value);
        },
      });
    } else {
      const counter = new prometheus.Counter({
        ...{ ...shown, registers },
        collect() {
          counter.reset();
          for (const { labels, value } of measure.values) counter.inc(labels, value);
        },
      });
    }
  }
}
