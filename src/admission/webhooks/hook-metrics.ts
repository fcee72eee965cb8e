import type { AdmissionOperation } from '../../api/contracts/admission.ts';
import { keptBy } from '../../api/collections/kept-by.ts';
import type { Metric } from '../../api/metrics/metric.ts';
import type { PartContext } from '../../api/contracts/part.ts';
import { LruMap } from '../../api/collections/lru-map.ts';

const prefix = 'apiserver_admission';
const callBuckets = [0.005, 0.025, 0.1, 0.5, 1, 2.5, 10, 25];

/** Webhooks that come and go leave no series behind for ever. */
const rememberedHooks = 500;

/** What is counted of one call. */
export interface CountedCall {
  readonly name: string;
  readonly operation: AdmissionOperation;
}

/** Mutating and validating webhooks, as labels name them. */
export type HookType = 'admit' | 'validating';

/** Metrics of the webhooks of one type; both types share the series. */
export class HookMetrics {
  readonly #type: HookType;
  readonly #series: HookSeries;

  constructor(type: HookType, context: Pick<PartContext, 'metric'>) {
    this.#type = type;
    this.#series = seriesOf(context);
  }

  /** A completed call; `errorType` where it rejected the write. */
  called(
    { name, operation }: CountedCall,
    { seconds, code, errorType }: { readonly seconds: number; readonly code: number; readonly errorType?: string },
  ): void {
    this.#series.recent.set(name, true);
    const labels = { name, type: this.#type, operation, rejected: String(errorType !== undefined) };
    this.#series.duration.observe(seconds, labels);
    this.#series.requests.add({ ...labels, code: String(bounded(code)) });
    if (errorType === undefined) return;
    const rejection = { error_type: errorType, rejection_code: String(bounded(code)) };
    this.#series.rejections.add({ name, type: this.#type, operation, ...rejection });
  }

  failedOpen(name: string): void {
    this.#series.recent.set(name, true);
    this.#series.failOpen.add({ name, type: this.#type });
  }
}

/** Webhooks choose their codes: larger ones count as one. */
function bounded(code: number): number {
  return Math.min(code, 600);
}

interface HookSeries {
  readonly duration: Metric;
  readonly requests: Metric;
  readonly rejections: Metric;
  readonly failOpen: Metric;
  readonly recent: LruMap<string, true>;
}

const seriesOf = keptBy(({ metric }: Pick<PartContext, 'metric'>): HookSeries => {
  const counter = (name: string, help: string, labelNames: readonly string[]): Metric =>
    metric({ name: `${prefix}_${name}`, type: 'counter', help, labelNames: [...labelNames] });
  const byOperation = ['name', 'type', 'operation'];
  const metrics = {
    duration: metric({
      name: `${prefix}_webhook_admission_duration_seconds`,
      type: 'histogram',
      buckets: callBuckets,
      help: 'Duration of admission webhook calls, in seconds.',
      labelNames: [...byOperation, 'rejected'],
    }),
    requests: counter('webhook_request_total', 'Calls of admission webhooks.', [...byOperation, 'code', 'rejected']),
    rejections: counter('webhook_rejection_count', 'Requests rejected by admission webhooks.', [
      ...byOperation,
      'error_type',
      'rejection_code',
    ]),
    failOpen: counter('webhook_fail_open_count', 'Failed webhook calls that were ignored.', ['name', 'type']),
  };
  const recent = new LruMap<string, true>(rememberedHooks, (name) => {
    for (const one of Object.values(metrics)) one.forget({ name });
  });
  return { ...metrics, recent };
});
