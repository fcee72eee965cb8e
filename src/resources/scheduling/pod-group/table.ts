import type { PriorityClass } from '../../../schema/kubernetes/generated/types/scheduling-v1.ts';
import type { CompositePodGroup } from '../../../schema/kubernetes/generated/types/scheduling-v1alpha3.ts';
import type { PodGroup, Workload } from '../../../schema/kubernetes/generated/types/scheduling-v1beta1.ts';
import { conditionsByType, nameOf } from '../../parts/tables/cell-text.ts';
import {
  ageColumn,
  booleanColumn,
  defineTable,
  integerColumn,
  nameColumn,
  textColumn,
} from '../../parts/tables/define-table.ts';
import { age } from '../../parts/tables/time-text.ts';

export const priorityClasses = defineTable<PriorityClass>({
  columns: [
    nameColumn,
    integerColumn('Value', 'Priority of its pods.'),
    booleanColumn('Global-Default', 'Whether pods without a class get this one.'),
    ageColumn,
    textColumn('PreemptionPolicy', 'Whether its pods may push others away.'),
  ],
  cells: (priorityClass, context) => [
    nameOf(priorityClass),
    priorityClass.value ?? 0,
    priorityClass.globalDefault ?? false,
    age(priorityClass, context),
    priorityClass.preemptionPolicy ?? '',
  ],
});

export const workloads = defineTable<Workload>({
  columns: [nameColumn, ageColumn],
  cells: (workload, context) => [nameOf(workload), age(workload, context)],
});

const policyColumn = textColumn('Policy', 'Whether its pods are placed all together or one by one.');
const workloadColumn = textColumn('Workload', 'Workload that it belongs to.');

export const podGroups = defineTable<PodGroup>({
  columns: [nameColumn, policyColumn, workloadColumn, textColumn('Status', 'How far its scheduling is.'), ageColumn],
  cells: (group, context) => [
    nameOf(group),
    policyText(group),
    group.spec?.workloadRef === undefined ? '<none>' : (group.spec.workloadRef.workloadName ?? ''),
    podGroupStatus(group),
    age(group, context),
  ],
});

export const compositePodGroups = defineTable<CompositePodGroup>({
  columns: [nameColumn, policyColumn, workloadColumn, ageColumn],
  cells: (group, context) => [
    nameOf(group),
    policyText(group),
    group.spec?.workloadRef === undefined ? '<none>' : (group.spec.workloadRef.workloadName ?? ''),
    age(group, context),
  ],
});

function policyText({ spec }: Readonly<PodGroup | CompositePodGroup>): string {
  return spec?.schedulingPolicy?.gang === undefined ? 'Basic' : 'Gang';
}

function podGroupStatus({ status }: Readonly<PodGroup>): string {
  const conditions = conditionsByType(status?.conditions);
  const disrupted = conditions.get('DisruptionTarget');
  if (disrupted !== undefined) return disrupted.reason ?? '';
  const scheduled = conditions.get('PodGroupInitiallyScheduled');
  if (scheduled === undefined) return 'Pending';
  return scheduled.status === 'True' ? 'Scheduled' : 'Unschedulable';
}
