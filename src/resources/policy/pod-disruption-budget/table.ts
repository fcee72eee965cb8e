import type { PodDisruptionBudget } from '../../../schema/kubernetes/generated/types/policy-v1.ts';
import { nameOf } from '../../parts/tables/cell-text.ts';
import { ageColumn, defineTable, integerColumn, nameColumn, textColumn } from '../../parts/tables/define-table.ts';
import { age } from '../../parts/tables/time-text.ts';

export const podDisruptionBudgets = defineTable<PodDisruptionBudget>({
  columns: [
    nameColumn,
    textColumn('Min Available', 'Number or percentage of pods that must stay available.'),
    textColumn('Max Unavailable', 'Number or percentage of pods that may be unavailable.'),
    integerColumn('Allowed Disruptions', 'Number of currently allowed disruptions.'),
    ageColumn,
  ],
  cells: (budget, context) => [
    nameOf(budget),
    `${budget.spec?.minAvailable ?? 'N/A'}`,
    `${budget.spec?.maxUnavailable ?? 'N/A'}`,
    budget.status?.disruptionsAllowed ?? 0,
    age(budget, context),
  ],
});
