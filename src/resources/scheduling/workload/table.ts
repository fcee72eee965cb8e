import type { Workload } from '../../../schema/kubernetes/generated/types/scheduling-v1beta1.ts';
import { nameOf } from '../../parts/tables/cell-text.ts';
import { ageColumn, defineTable, nameColumn } from '../../parts/tables/define-table.ts';
import { age } from '../../parts/tables/time-text.ts';

export const workloads = defineTable<Workload>({
  columns: [nameColumn, ageColumn],
  cells: (workload, context) => [nameOf(workload), age(workload, context)],
});
