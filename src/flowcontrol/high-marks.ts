import type { MetricDefinition } from '../api/metrics/metric.ts';
import type { MakeMetric } from './flow-metrics.ts';
import type { RequestKind } from './utilization.ts';

const periodMs = 1_000;
const kinds: readonly RequestKind[] = ['mutating', 'readOnly'];

/**
 * How many requests there were at the same time, at most, in the second before the current one: scrapes seldom meet a
 * short peak. As in kube-apiserver a second counts from its first change, so that one without changes is 0.
 */
export class HighMarks {
  readonly #now: () => number;
  readonly #current: Record<RequestKind, number> = { mutating: 0, readOnly: 0 };
  #period = 0;
  #highest = { mutating: 0, readOnly: 0 };
  #last = { mutating: 0, readOnly: 0 };

  constructor(now: () => number) {
    this.#now = now;
  }

  /** A request of the kind begins or ends. */
  changes(kind: RequestKind, by: 1 | -1, nowMs: number = this.#now()): void {
    this.#catchUp(nowMs);
    const current = this.#current[kind] + by;
    this.#current[kind] = current;
    if (current > this.#highest[kind]) this.#highest[kind] = current;
  }

  ofLastSecond(kind: RequestKind): number {
    this.#catchUp(this.#now());
    return this.#last[kind];
  }

  /** Shows them as a metric. */
  shownAs({ name, help }: Pick<MetricDefinition, 'name' | 'help'>, metric: MakeMetric): this {
    metric({ name, help, type: 'gauge', overThreads: 'sum', labelNames: ['request_kind'] }, () =>
      kinds.map((request_kind) => ({ labels: { request_kind }, value: this.ofLastSecond(request_kind) })),
    );
    return this;
  }

  #catchUp(nowMs: number): void {
    const period = Math.floor(nowMs / periodMs);
    if (period === this.#period) return;
    this.#last = period === this.#period + 1 ? this.#highest : { mutating: 0, readOnly: 0 };
    this.#highest = { mutating: 0, readOnly: 0 };
    this.#period = period;
  }
}

/** Requests that run, whatever limits them. */
export const inFlight = {
  name: 'apiserver_current_inflight_requests',
  help: '[STABLE] The most requests that ran at the same time in the last second.',
};

export const inQueue = {
  name: 'apiserver_current_inqueue_requests',
  help: '[ALPHA] The most requests that waited for seats at the same time in the last second.',
};
