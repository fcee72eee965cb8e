import { defaultBuckets } from '../../api/metrics/buckets.ts';
import type { Metric } from '../../api/metrics/metric.ts';
import type { PartContext } from '../../api/contracts/part.ts';

/** Metrics of all webhooks. */
export interface WebhookMetrics {
  readonly evaluations: Metric;
  readonly duration: Metric;
  readonly failOpen: Metric;
  readonly matchSeconds: Metric;
  readonly matchErrors: Metric;
  readonly matchExclusions: Metric;
}

const matchBuckets = [0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25];

export function webhookMetrics({ metric }: Pick<PartContext, 'metric'>): WebhookMetrics {
  const prefix = 'apiserver_authorization';
  const byResult = { labelNames: ['name', 'result'] };
  const byAuthorizer = { labelNames: ['type', 'name'] };
  return {
    evaluations: metric({
      name: `${prefix}_webhook_evaluations_total`,
      type: 'counter',
      ...byResult,
      help: 'Calls of authorization webhooks.',
    }),
    duration: metric({
      name: `${prefix}_webhook_duration_seconds`,
      type: 'histogram',
      buckets: defaultBuckets,
      ...byResult,
      help: 'Duration of authorization webhook calls, in seconds.',
    }),
    failOpen: metric({
      name: `${prefix}_webhook_evaluations_fail_open_total`,
      type: 'counter',
      ...byResult,
      help: 'Requests passed on to the next authorizer because the webhook failed.',
    }),
    matchSeconds: metric({
      name: `${prefix}_match_condition_evaluation_seconds`,
      type: 'histogram',
      buckets: matchBuckets,
      help: 'Duration of the match conditions of authorizers, in seconds.',
      ...byAuthorizer,
    }),
    matchErrors: metric({
      name: `${prefix}_match_condition_evaluation_errors_total`,
      type: 'counter',
      ...byAuthorizer,
      help: 'Failed evaluations of match conditions of authorizers.',
    }),
    matchExclusions: metric({
      name: `${prefix}_match_condition_exclusions_total`,
      type: 'counter',
      ...byAuthorizer,
      help: 'Requests excluded from authorizers by match conditions.',
    }),
  };
}
