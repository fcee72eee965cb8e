import { Metric } from '../api/metrics/metric.ts';
import type { HealthObserver } from '../http/routes/health.ts';
import { exposedAs } from './expose.ts';
import type { Exposition } from './exposition.ts';
import type { ExpositionFormat } from './exposition-format.ts';
import { exposed } from './part-metrics.ts';

/** The metrics of `/metrics/slis`: results of health checks. */
export interface HealthMetrics {
  readonly observe: HealthObserver;
  expose(format: ExpositionFormat): Promise<Exposition>;
  reset(): void;
}

export function healthMetrics(): HealthMetrics {
  const latest = new Metric({
    name: 'kubernetes_healthcheck',
    type: 'gauge',
    overThreads: 'first',
    labelNames: ['name', 'type'],
    help: 'Whether the last health check succeeded.',
  });
  const total = new Metric({
    name: 'kubernetes_healthchecks_total',
    type: 'counter',
    labelNames: ['name', 'type', 'status'],
    help: 'Results of health checks.',
  });
  return {
    observe({ name, endpoint, isHealthy }) {
      latest.set(isHealthy ? 1 : 0, { name, type: endpoint });
      total.add({ name, type: endpoint, status: isHealthy ? 'success' : 'error' });
    },
    expose: (format) => exposedAs(format, [latest, total].map(exposed), false),
    reset() {
      for (const metric of [latest, total]) metric.forget({});
    },
  };
}
