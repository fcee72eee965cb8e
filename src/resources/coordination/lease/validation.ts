import { forbiddenField, invalidField } from '../../../api/errors/field-error.ts';
import type * as coordination from '../../../schema/kubernetes/generated/types/coordination-v1.ts';
import { type Errors, isEmpty, nonNegative } from '../../parts/rules/rules.ts';
import { electionStrategy } from '../election-strategy.ts';

export function* lease({ spec = {} }: coordination.Lease): Errors {
  const { leaseDurationSeconds: duration, leaseTransitions, strategy, preferredHolder } = spec;
  if (duration !== undefined && duration <= 0) {
    yield invalidField('spec.leaseDurationSeconds', duration, 'must be greater than 0');
  }
  yield* nonNegative(leaseTransitions, 'spec.leaseTransitions');
  if (strategy !== undefined) yield* electionStrategy(strategy, 'spec.strategy');
  if (!isEmpty(preferredHolder) && isEmpty(strategy)) {
    yield forbiddenField('spec.preferredHolder', 'may only be specified if `strategy` is defined');
  }
}
