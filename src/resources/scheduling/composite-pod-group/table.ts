import type { CompositePodGroup } from '../../../schema/kubernetes/generated/types/scheduling-v1alpha3.ts';
import { nameOf } from '../../parts/tables/cell-text.ts';
import { ageColumn, defineTable, nameColumn } from '../../parts/tables/define-table.ts';
import { age } from '../../parts/tables/time-text.ts';
import { policyColumn, policyText, workloadColumn } from '../table-parts.ts';

export const compositePodGroups = defineTable<CompositePodGroup>({
  columns: [nameColumn, policyColumn, workloadColumn, ageColumn],
  cells: (group, context) => [
    nameOf(group),
    policyText(group),
    group.spec?.workloadRef === undefined ? '<none>' : (group.spec.workloadRef.workloadName ?? ''),
    age(group, context),
  ],
});
