import { childPath, invalidField } from '../../../api/errors/field-error.ts';
import type * as policy from '../../../schema/kubernetes/generated/types/policy-v1.ts';
import { atMost100Percent, counters, intOrPercent } from '../../parts/rules/counts.ts';
import { internalValue } from '../../parts/rules/internal-value.ts';
import { type Errors, oneOf } from '../../parts/rules/rules.ts';
import { statusConditions } from '../../parts/rules/status-conditions.ts';
import { labelSelector } from '../../parts/selectors/label-selectors.ts';

export function* disruptionBudget({ spec = {} }: policy.PodDisruptionBudget): Errors {
  const { minAvailable, maxUnavailable } = spec;
  if (minAvailable !== undefined && maxUnavailable !== undefined) {
    const { selector = null, unhealthyPodEvictionPolicy = null } = spec;
    const value = {
      MinAvailable: minAvailable,
      Selector: internalValue('*plain', selector),
      MaxUnavailable: maxUnavailable,
      UnhealthyPodEvictionPolicy: unhealthyPodEvictionPolicy,
    };
    yield invalidField('spec', value, 'minAvailable and maxUnavailable cannot be both set');
  }
  for (const [name, value] of Object.entries({ minAvailable, maxUnavailable })) {
    if (value === undefined) continue;
    yield* intOrPercent(value, childPath('spec', name));
    yield* atMost100Percent(value, childPath('spec', name));
  }
  yield* labelSelector(spec.selector, 'spec.selector');
  const policies = ['AlwaysAllow', 'IfHealthyBudget'];
  yield* oneOf(policies)(spec.unhealthyPodEvictionPolicy, 'spec.unhealthyPodEvictionPolicy');
}

const statusCounters = counters(['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods']);

export function* disruptionBudgetStatus({ status = {} }: policy.PodDisruptionBudget): Errors {
  yield* statusConditions(status.conditions, 'status.conditions');
  yield* statusCounters(status, 'status');
}
