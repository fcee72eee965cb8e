import type { Metric } from '../api/metrics/metric.ts';
import type { PartContext } from '../api/contracts/part.ts';

/** Which APIServices are unavailable, under the reference's names. */
export class AvailabilityMetrics {
  readonly #availability = new Map<string, boolean>();
  readonly #total: Metric;

  /** `own`: names of APIServices that are always available. */
  constructor(metric: PartContext['metric'], own: () => Iterable<string>) {
    const read = (): { readonly labels: { readonly name: string }; readonly value: number }[] => {
      const all = new Map([...[...own()].map((name) => [name, true] as const), ...this.#availability]);
      return [...all].map(([name, isAvailable]) => ({ labels: { name }, value: isAvailable ? 0 : 1 }));
    };
    metric(
      {
        name: 'aggregator_unavailable_apiservice',
        help: 'Whether an APIService is unavailable, by name.',
        type: 'gauge',
        overThreads: 'max',
        labelNames: ['name'],
      },
      read,
    );
    this.#total = metric({
      name: 'aggregator_unavailable_apiservice_total',
      help: 'Transitions of APIServices to unavailable, by name and reason.',
      type: 'counter',
      labelNames: ['name', 'reason'],
    });
  }

  set(name: string, isAvailable: boolean): void {
    this.#availability.set(name, isAvailable);
  }

  /** An APIService has become unavailable. */
  count(name: string, reason: string): void {
    this.#total.add({ name, reason });
  }

  forget(name: string): void {
    this.#availability.delete(name);
  }
}
