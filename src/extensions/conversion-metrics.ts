import type { Metric, MetricDefinition } from '../api/metrics/metric.ts';

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

const outcome = ['result', 'failure_type'];

const requests: MetricDefinition = {
  name: 'apiserver_conversion_webhook_request_total',
  help: 'Calls of conversion webhooks, by result and type of failure.',
  type: 'counter',
  labelNames: outcome,
};

const durations: MetricDefinition = {
  name: 'apiserver_conversion_webhook_duration_seconds',
  help: 'Duration of conversion webhook calls, in seconds.',
  type: 'histogram',
  labelNames: outcome,
  buckets: [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 45, 60],
};

const conversions: MetricDefinition = {
  name: 'apiserver_crd_conversion_webhook_duration_seconds',
  help: 'Duration of conversions by webhooks in seconds, by definition and versions.',
  type: 'histogram',
  labelNames: ['crd_name', 'from_version', 'to_version', 'succeeded'],
  buckets: Array.from({ length: 15 }, (_, index) => 0.001 * 2 ** index),
};

export function conversionMetrics(metric: (definition: MetricDefinition) => Metric): ConversionMetrics {
  const [counted, timed, converted] = [metric(requests), metric(durations), metric(conversions)];
  return {
    observe({ definition, from, to, seconds, failure }) {
      const labels = { result: failure === undefined ? 'success' : 'failure', failure_type: failure ?? '' };
      counted.add(labels);
      timed.observe(seconds, labels);
      const succeeded = String(failure === undefined);
      converted.observe(seconds, { crd_name: definition, from_version: from, to_version: to, succeeded });
    },
  };
}
