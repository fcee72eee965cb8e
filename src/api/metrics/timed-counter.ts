import type { Metric, MetricLabels, RegisterMetric } from './metric.ts';

export interface TimedCounterDefinition {
  readonly labelNames: readonly string[];
  readonly count: { readonly name: string; readonly help: string };
  readonly duration: { readonly name: string; readonly help: string; readonly buckets: readonly number[] };
}

/** A counter of what happens, and a histogram of how long it takes, with the same labels. */
export class TimedCounter {
  readonly #count: Metric;
  readonly #duration: Metric;

  constructor(metric: RegisterMetric, { labelNames, count, duration }: TimedCounterDefinition) {
    this.#count = metric({ ...count, type: 'counter', labelNames });
    this.#duration = metric({ ...duration, type: 'histogram', labelNames });
  }

  add(seconds: number, labels: MetricLabels): void {
    this.#count.add(labels);
    this.#duration.observe(seconds, labels);
  }

  /** Adds durations with one set of labels, for hot paths. */
  counter(labels: MetricLabels): (seconds: number) => void {
    const [count, observe] = [this.#count.counter(labels), this.#duration.observer(labels)];
    return (seconds) => {
      count();
      observe(seconds);
    };
  }
}
