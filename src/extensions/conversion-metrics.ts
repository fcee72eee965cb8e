import { exponentialBuckets } from '../api/metrics/buckets.ts';
import type { MetricDefinition, RegisterMetric } from '../api/metrics/metric.ts';
import { TimedCounter, type TimedCounterDefinition } from '../api/metrics/timed-counter.ts';

/** How far a call of a conversion webhook came before it failed; these are label values of the reference. */
export type ConversionFailure =
  | 'conversion_webhook_call_failure'
  | 'conversion_webhook_malformed_response_failure'
  | 'conversion_webhook_partial_response_failure'
  | 'conversion_webhook_invalid_converted_object_failure';

/** One call of a webhook. */
export interface ConversionCall {
  /** Name of the definition. */
  readonly definition: string;
  readonly from: string;
  readonly to: string;
  readonly seconds: number;
  /** Undefined when it has succeeded. */
  readonly failure: ConversionFailure | undefined;
}

export interface ConversionMetrics {
  observe(call: ConversionCall): void;
}

const requests: TimedCounterDefinition = {
  labelNames: ['result', 'failure_type'],
  count: {
    name: 'apiserver_conversion_webhook_request_total',
    help: 'Calls of conversion webhooks, by result and type of failure.',
  },
  duration: {
    name: 'apiserver_conversion_webhook_duration_seconds',
    help: 'Duration of conversion webhook calls, in seconds.',
    buckets: [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 45, 60],
  },
};

const conversions: MetricDefinition = {
  name: 'apiserver_crd_conversion_webhook_duration_seconds',
  help: 'Duration of conversions by webhooks in seconds, by definition and versions.',
  type: 'histogram',
  labelNames: ['crd_name', 'from_version', 'to_version', 'succeeded'],
  buckets: exponentialBuckets(0.001, 15),
};

export function conversionMetrics(metric: RegisterMetric): ConversionMetrics {
  const [called, converted] = [new TimedCounter(metric, requests), metric(conversions)];
  return {
    observe({ definition, from, to, seconds, failure }) {
      called.add(seconds, { result: failure === undefined ? 'success' : 'failure', failure_type: failure ?? '' });
      const succeeded = String(failure === undefined);
      converted.observe(seconds, { crd_name: definition, from_version: from, to_version: to, succeeded });
    },
  };
}
