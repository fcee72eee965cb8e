import type { StatefulSet } from '../../../schema/kubernetes/generated/types/apps-v1.ts';
import { containerCells, nameOf } from '../../parts/tables/cell-text.ts';
import { ageColumn, defineTable, nameColumn, textColumn } from '../../parts/tables/define-table.ts';
import { age } from '../../parts/tables/time-text.ts';
import { containerColumns } from '../../parts/workload/table-columns.ts';

export const statefulSets = defineTable<StatefulSet>({
  columns: [nameColumn, textColumn('Ready', 'Ready and desired pods.'), ageColumn, ...containerColumns],
  cells(statefulSet, context) {
    const { spec, status } = statefulSet;
    const { names, images } = containerCells(spec?.template?.spec?.containers);
    const ready = `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`;
    return [nameOf(statefulSet), ready, age(statefulSet, context), names, images];
  },
});
