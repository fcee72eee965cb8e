import type { Metric } from '../../../api/metrics/metric.ts';
import type { PartContext } from '../../../api/contracts/part.ts';
import { errorTypeOf } from '../error-type.ts';
import type { Policy, PolicyBinding } from '../policy.ts';

const prefix = 'apiserver_validating_admission_policy';
const buckets = [0.000_000_5, 0.001, 0.01, 0.1, 1];
const labelNames = ['policy', 'policy_binding', 'error_type', 'enforcement_action'];

/** The labels of a decision in metrics. */
export interface CountedDecision {
  readonly policy: Pick<Policy<unknown>, 'name'>;
  readonly binding: PolicyBinding;
  readonly message: string;
  readonly seconds: number;
}

/** Metrics of ValidatingAdmissionPolicy: what its validations led to, if they did not simply pass. */
export class PolicyMetrics {
  readonly #checks: Metric;
  readonly #seconds: Metric;

  constructor({ metric }: Pick<PartContext, 'metric'>) {
    this.#checks = metric({
      name: `${prefix}_check_total`,
      type: 'counter',
      labelNames,
      help: 'Enforced policy validations, by action.',
    });
    this.#seconds = metric({
      name: `${prefix}_check_duration_seconds`,
      type: 'histogram',
      labelNames,
      buckets,
      help: 'Duration of enforced policy validations, in seconds.',
    });
  }

  count(action: 'allow' | 'audit' | 'deny' | 'warn', { policy, binding, message, seconds }: CountedDecision): void {
    const labels = {
      policy: policy.name,
      policy_binding: binding.name,
      error_type: errorTypeOf(message),
      enforcement_action: action,
    };
    this.#checks.add(labels);
    this.#seconds.observe(seconds, labels);
  }
}
