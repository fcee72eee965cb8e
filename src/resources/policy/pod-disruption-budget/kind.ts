import { pathSegmentErrors } from '../../../api/meta/names.ts';
import type { PodDisruptionBudget } from '../../../schema/kubernetes/generated/types/policy-v1.ts';
import { defineKind } from '../../define-kind.ts';
import { disruptionBudget, disruptionBudgetStatus } from './validation.ts';
import { budgetFromBeta1 } from './older-versions.ts';

export const podDisruptionBudgetKind = defineKind<PodDisruptionBudget>({
  group: 'policy',
  kind: 'PodDisruptionBudget',
  strategy: { generation: 'spec', requireResourceVersion: true, nameRule: pathSegmentErrors },
  checks: { both: disruptionBudget, subresources: { status: disruptionBudgetStatus }, anyFinalizer: true },
  table: async () => (await import('./table.ts')).podDisruptionBudgets,
  olderVersions: {
    'policy/v1beta1': budgetFromBeta1,
  },
});
