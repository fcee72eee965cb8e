import type { ReplicationController } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { containerCells, nameOf } from '../../parts/tables/cell-text.ts';
import {
  ageColumn,
  defineTable,
  integerColumn,
  nameColumn,
  textColumn,
  wide,
} from '../../parts/tables/define-table.ts';
import { labelsText } from '../../parts/tables/selector-text.ts';
import { age } from '../../parts/tables/time-text.ts';

export const replicationControllers = defineTable<ReplicationController>({
  columns: [
    nameColumn,
    integerColumn('Desired', 'Desired number of pods.'),
    integerColumn('Current', 'Number of pods that exist.'),
    integerColumn('Ready', 'Number of ready pods.'),
    ageColumn,
    wide(textColumn('Containers', 'Names of the containers.')),
    wide(textColumn('Images', 'Images of the containers.')),
    wide(textColumn('Selector', 'Labels of the counted pods.')),
  ],
  cells(controller, context) {
    const { names, images } = containerCells(controller.spec?.template?.spec?.containers);
    return [
      nameOf(controller),
      controller.spec?.replicas ?? 0,
      controller.status?.replicas ?? 0,
      controller.status?.readyReplicas ?? 0,
      age(controller, context),
      names,
      images,
      labelsText(controller.spec?.selector),
    ];
  },
});
