import type { Metric } from '../../../api/metrics/metric.ts';
import type { PartContext } from '../../../api/contracts/part.ts';
import { errorTypeOf } from '../error-type.ts';

const prefix = 'apiserver_mutating_admission_policy';
const buckets = [0.000_000_5, 0.001, 0.01, 0.1, 1];
const labelNames = ['policy', 'policy_binding', 'error_type'];

interface Whose {
  readonly policy: string;
  readonly binding: string;
}

/** Metrics of MutatingAdmissionPolicy. */
export class MutationMetrics {
  readonly #checks: Metric;
  readonly #seconds: Metric;

  constructor({ metric }: Pick<PartContext, 'metric'>) {
    this.#checks = metric({
      name: `${prefix}_check_total`,
      type: 'counter',
      labelNames,
      help: 'Mutations by policies, by type of error.',
    });
    this.#seconds = metric({
      name: `${prefix}_check_duration_seconds`,
      type: 'histogram',
      labelNames,
      buckets,
      help: 'Duration of mutations by policies, in seconds.',
    });
  }

  /** `failure`: why the mutation failed. */
  count({ policy, binding }: Whose, seconds: number, failure: string | undefined): void {
    const labels = {
      policy,
      policy_binding: binding,
      error_type: failure === undefined ? 'no_error' : errorTypeOf(failure),
    };
    this.#checks.add(labels);
    this.#seconds.observe(seconds, labels);
  }
}
