import type { PodTemplate } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { containerCells, nameOf } from '../../parts/tables/cell-text.ts';
import { defineTable, nameColumn, textColumn } from '../../parts/tables/define-table.ts';
import { labelsText } from '../../parts/tables/selector-text.ts';

export const podTemplates = defineTable<PodTemplate>({
  columns: [
    nameColumn,
    textColumn('Containers', 'Names of the containers.'),
    textColumn('Images', 'Images of the containers.'),
    textColumn('Pod Labels', 'Labels of its pods.'),
  ],
  cells(object) {
    const { names, images } = containerCells(object.template?.spec?.containers);
    return [nameOf(object), names, images, labelsText(object.template?.metadata?.labels)];
  },
});
