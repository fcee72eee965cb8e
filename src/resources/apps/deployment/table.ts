import type { Deployment } from '../../../schema/kubernetes/generated/types/apps-v1.ts';
import { containerCells, nameOf } from '../../parts/tables/cell-text.ts';
import { ageColumn, defineTable, nameColumn, textColumn } from '../../parts/tables/define-table.ts';
import { selectorQuery } from '../../parts/tables/selector-text.ts';
import { age } from '../../parts/tables/time-text.ts';
import { containerColumns, selectorColumn } from '../../parts/workload/table-columns.ts';

export const deployments = defineTable<Deployment>({
  columns: [
    nameColumn,
    textColumn('Ready', 'Ready and desired pods.'),
    textColumn('Up-to-date', 'Number of pods with the current template.'),
    textColumn('Available', 'Number of available pods.'),
    ageColumn,
    ...containerColumns,
    selectorColumn,
  ],
  cells(deployment, context) {
    const { spec, status } = deployment;
    const { names, images } = containerCells(spec?.template?.spec?.containers);
    return [
      nameOf(deployment),
      `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`,
      status?.updatedReplicas ?? 0,
      status?.availableReplicas ?? 0,
      age(deployment, context),
      names,
      images,
      selectorQuery(spec?.selector) ?? '<invalid>',
    ];
  },
});
