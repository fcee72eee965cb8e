import type { ReplicaSet } from '../../../schema/kubernetes/generated/types/apps-v1.ts';
import { containerCells, nameOf } from '../../parts/tables/cell-text.ts';
import { ageColumn, defineTable, integerColumn, nameColumn } from '../../parts/tables/define-table.ts';
import { selectorText } from '../../parts/tables/selector-text.ts';
import { age } from '../../parts/tables/time-text.ts';
import { containerColumns, selectorColumn } from '../../parts/workload/table-columns.ts';

export const replicaSets = defineTable<ReplicaSet>({
  columns: [
    nameColumn,
    integerColumn('Desired', 'Desired number of pods.'),
    integerColumn('Current', 'Number of pods that exist.'),
    integerColumn('Ready', 'Number of ready pods.'),
    ageColumn,
    ...containerColumns,
    selectorColumn,
  ],
  cells(replicaSet, context) {
    const { spec, status } = replicaSet;
    const { names, images } = containerCells(spec?.template?.spec?.containers);
    return [
      nameOf(replicaSet),
      spec?.replicas ?? 0,
      status?.replicas ?? 0,
      status?.readyReplicas ?? 0,
      age(replicaSet, context),
      names,
      images,
      selectorText(spec?.selector),
    ];
  },
});
