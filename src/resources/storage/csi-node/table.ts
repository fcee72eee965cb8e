import type { CSINode } from '../../../schema/kubernetes/generated/types/storage-v1.ts';
import { nameOf } from '../../parts/tables/cell-text.ts';
import { ageColumn, defineTable, integerColumn, nameColumn } from '../../parts/tables/define-table.ts';
import { age } from '../../parts/tables/time-text.ts';

export const csiNodes = defineTable<CSINode>({
  columns: [nameColumn, integerColumn('Drivers', 'Number of CSI drivers on the node.'), ageColumn],
  cells: (node, context) => [nameOf(node), node.spec?.drivers?.length ?? 0, age(node, context)],
});
