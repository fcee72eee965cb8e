import type { Clock } from '../time/clock.ts';
import { hashOf } from './hash-label.ts';
import type { Metric, MetricLabels, RegisterMetric } from './metric.ts';

export interface ReloadMetricsOptions {
  /** What the names of the metrics begin with. */
  readonly prefix: string;
  /** What is reloaded, in the help texts. */
  readonly what: string;
  /** Further labels of all three metrics. */
  readonly labelNames?: readonly string[];
}

const ownLabel = 'apiserver_id_hash';

/** The label by which metrics name a server. */
export function serverLabel(serverId: string): MetricLabels {
  return { [ownLabel]: hashOf(serverId) };
}

/** Metrics of what a running server reads again when it changes: how often, when, and which content is in use. */
export class ReloadMetrics {
  readonly #clock: Clock;
  readonly #reloads: Metric;
  readonly #last: Metric;
  readonly #inUse: Metric;

  constructor(
    { metric, clock }: { readonly metric: RegisterMetric; readonly clock: Clock },
    { prefix, what, labelNames = [] }: ReloadMetricsOptions,
  ) {
    this.#clock = clock;
    const byStatus = ['status', ...labelNames, ownLabel];
    this.#reloads = metric({
      name: `${prefix}_automatic_reloads_total`,
      type: 'counter',
      labelNames: byStatus,
      help: `How often ${what} was read again, by result.`,
    });
    this.#last = metric({
      name: `${prefix}_automatic_reload_last_timestamp_seconds`,
      type: 'gauge',
      overThreads: 'max',
      labelNames: byStatus,
      help: `When ${what} was last read again, by result.`,
    });
    this.#inUse = metric({
      name: `${prefix}_last_config_info`,
      type: 'gauge',
      overThreads: 'first',
      labelNames: [...labelNames, ownLabel, 'hash'],
      help: `Which content of ${what} is in use.`,
    });
  }

  /** A reload has ended. */
  ended(status: 'success' | 'failure', labels: MetricLabels): void {
    this.#reloads.add({ status, ...labels });
    this.#last.set(this.#clock.now() / 1_000, { status, ...labels });
  }

  /** From now on the content with this hash is in use. */
  inUse(hash: string, labels: MetricLabels): void {
    this.#inUse.forget(labels);
    this.#inUse.set(1, { ...labels, hash });
  }
}
