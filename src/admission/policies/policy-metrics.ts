import type { PartContext } from '../../api/contracts/part.ts';
import type { MetricLabels } from '../../api/metrics/metric.ts';
import { TimedCounter } from '../../api/metrics/timed-counter.ts';
import type { Policy, PolicyBinding } from './policy.ts';

export interface PolicyMetricsOptions {
  readonly type: 'validating' | 'mutating';
  /** Further labels of both metrics. */
  readonly labelNames?: readonly string[];
  readonly help: { readonly count: string; readonly duration: string };
}

/** One check of a write by a policy. */
export interface PolicyCheck {
  readonly policy: Pick<Policy<unknown>, 'name'>;
  readonly binding: Pick<PolicyBinding, 'name'>;
  readonly seconds: number;
  /** Undefined if nothing has failed. */
  readonly message: string | undefined;
}

/** Metrics of the checks by the admission policies of one type. */
export class PolicyMetrics {
  readonly #checks: TimedCounter;

  constructor({ metric }: Pick<PartContext, 'metric'>, { type, labelNames = [], help }: PolicyMetricsOptions) {
    const prefix = `apiserver_${type}_admission_policy_check`;
    this.#checks = new TimedCounter(metric, {
      labelNames: ['policy', 'policy_binding', 'error_type', ...labelNames],
      count: { name: `${prefix}_total`, help: help.count },
      duration: {
        name: `${prefix}_duration_seconds`,
        help: help.duration,
        buckets: [0.000_000_5, 0.001, 0.01, 0.1, 1],
      },
    });
  }

  count({ policy, binding, seconds, message }: PolicyCheck, labels: MetricLabels = {}): void {
    const error = message === undefined ? 'no_error' : errorTypeOf(message);
    this.#checks.add(seconds, { policy: policy.name, policy_binding: binding.name, error_type: error, ...labels });
  }
}

/** What metrics call the failure of an expression. */
function errorTypeOf(failure: string): string {
  if (failure.startsWith('compilation')) return 'compile_error';
  if (failure.startsWith('validation failed due to running out of cost budget')) return 'out_of_budget';
  return 'invalid_error';
}
