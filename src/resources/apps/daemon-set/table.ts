import type { DaemonSet } from '../../../schema/kubernetes/generated/types/apps-v1.ts';
import { containerCells, nameOf } from '../../parts/tables/cell-text.ts';
import { ageColumn, defineTable, integerColumn, nameColumn, textColumn } from '../../parts/tables/define-table.ts';
import { labelsText, selectorText } from '../../parts/tables/selector-text.ts';
import { age } from '../../parts/tables/time-text.ts';
import { containerColumns, selectorColumn } from '../../parts/workload/table-columns.ts';

export const daemonSets = defineTable<DaemonSet>({
  columns: [
    nameColumn,
    integerColumn('Desired', 'Number of nodes that should run the pod.'),
    integerColumn('Current', 'Number of nodes that run the pod.'),
    integerColumn('Ready', 'Number of nodes with a ready pod.'),
    integerColumn('Up-to-date', 'Number of nodes whose pod has the current template.'),
    integerColumn('Available', 'Number of nodes with an available pod.'),
    textColumn('Node Selector', 'Labels of the selected nodes.'),
    ageColumn,
    ...containerColumns,
    selectorColumn,
  ],
  cells(daemonSet, context) {
    const { spec, status = {} } = daemonSet;
    const { names, images } = containerCells(spec?.template?.spec?.containers);
    return [
      nameOf(daemonSet),
      status.desiredNumberScheduled ?? 0,
      status.currentNumberScheduled ?? 0,
      status.numberReady ?? 0,
      status.updatedNumberScheduled ?? 0,
      status.numberAvailable ?? 0,
      labelsText(spec?.template?.spec?.nodeSelector),
      age(daemonSet, context),
      names,
      images,
      selectorText(spec?.selector),
    ];
  },
});
