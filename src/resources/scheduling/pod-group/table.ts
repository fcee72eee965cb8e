import type { PodGroup } from '../../../schema/kubernetes/generated/types/scheduling-v1beta1.ts';
import { conditionsByType, nameOf } from '../../parts/tables/cell-text.ts';
import { ageColumn, defineTable, nameColumn, textColumn } from '../../parts/tables/define-table.ts';
import { age } from '../../parts/tables/time-text.ts';
import { policyColumn, policyText, workloadColumn } from '../table-parts.ts';

export const podGroups = defineTable<PodGroup>({
  columns: [nameColumn, policyColumn, workloadColumn, textColumn('Status', 'State of its scheduling.'), ageColumn],
  cells: (group, context) => [
    nameOf(group),
    policyText(group),
    group.spec?.workloadRef === undefined ? '<none>' : (group.spec.workloadRef.workloadName ?? ''),
    podGroupStatus(group),
    age(group, context),
  ],
});

function podGroupStatus({ status }: Readonly<PodGroup>): string {
  const conditions = conditionsByType(status?.conditions);
  const disrupted = conditions.get('DisruptionTarget');
  if (disrupted !== undefined) return disrupted.reason ?? '';
  const scheduled = conditions.get('PodGroupInitiallyScheduled');
  if (scheduled === undefined) return 'Pending';
  return scheduled.status === 'True' ? 'Scheduled' : 'Unschedulable';
}
