import type { NetworkPolicy } from '../../../schema/kubernetes/generated/types/networking-v1.ts';
import { nameOf } from '../../parts/tables/cell-text.ts';
import { ageColumn, defineTable, nameColumn, textColumn } from '../../parts/tables/define-table.ts';
import { selectorText } from '../../parts/tables/selector-text.ts';
import { age } from '../../parts/tables/time-text.ts';

export const networkPolicies = defineTable<NetworkPolicy>({
  columns: [nameColumn, textColumn('Pod-Selector', 'Labels of the selected pods.'), ageColumn],
  cells: (policy, context) => [nameOf(policy), selectorText(policy.spec?.podSelector), age(policy, context)],
});
