import type { AuditLevel } from '../api/contracts/audit.ts';
import type { Metric } from '../api/metrics/metric.ts';
import type { PartContext } from '../api/contracts/part.ts';

const prefix = 'apiserver_audit';

/** Metrics of audit; servers without it show them as well. */
export class AuditMetrics {
  readonly #events: Metric;
  readonly #rejected: Metric;
  readonly #levels: Metric;
  readonly #errors: Metric;

  constructor({ metric }: Pick<PartContext, 'metric'>) {
    const counter = (name: string, help: string, labelNames: readonly string[] = []): Metric =>
      metric({ name: `${prefix}_${name}`, type: 'counter', help, labelNames });
    this.#events = counter('event_total', 'Audit events.');
    this.#rejected = counter(
      'requests_rejected_total',
      'Requests rejected because their audit event could not be stored.',
    );
    this.#levels = counter('level_total', 'Requests by audit level.', ['level']);
    this.#errors = counter('error_total', 'Audit events that could not be stored.', ['plugin']);
    this.#events.set(0);
    this.#rejected.set(0);
  }

  event(): void {
    this.#events.add();
  }

  rejected(): void {
    this.#rejected.add();
  }

  decided(level: AuditLevel): void {
    this.#levels.add({ level });
  }

  failed(plugin: string, events: number): void {
    for (let left = events; left > 0; left -= 1) this.#errors.add({ plugin });
  }
}
