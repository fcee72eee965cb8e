import type { ExposedMetric } from './exposition.ts';

/** What the library measures of the process and its runtime. It is imported when metrics are first read. */
export async function processMetrics(): Promise<readonly ExposedMetric[]> {
  // Bundled CommonJS libraries only have a default export.
  const { default: prometheus } = await import('prom-client');
  const register = new prometheus.Registry();
  prometheus.collectDefaultMetrics({ register });
  return register.getMetricsAsArray().flatMap(({ name }) => {
    const metric = register.getSingleMetric(name);
    if (metric === undefined) return [];
    return {
      name,
      async get() {
        const { help, type, values } = await metric.get();
        return { name, help, type: String(type), values };
      },
    };
  });
}
