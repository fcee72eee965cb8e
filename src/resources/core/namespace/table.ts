import type { Namespace } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { nameOf } from '../../parts/tables/cell-text.ts';
import { ageColumn, defineTable, nameColumn, textColumn } from '../../parts/tables/define-table.ts';
import { age } from '../../parts/tables/time-text.ts';

export const namespaces = defineTable<Namespace>({
  columns: [nameColumn, textColumn('Status', 'Phase of the namespace.'), ageColumn],
  cells: (namespace, context) => [nameOf(namespace), namespace.status?.phase ?? '', age(namespace, context)],
});
