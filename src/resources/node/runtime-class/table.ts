import type { RuntimeClass } from '../../../schema/kubernetes/generated/types/node-v1.ts';
import { nameOf } from '../../parts/tables/cell-text.ts';
import { ageColumn, defineTable, nameColumn, textColumn } from '../../parts/tables/define-table.ts';
import { age } from '../../parts/tables/time-text.ts';

export const runtimeClasses = defineTable<RuntimeClass>({
  columns: [nameColumn, textColumn('Handler', 'Name of the handler in the configuration of the nodes.'), ageColumn],
  cells: (runtimeClass, context) => [nameOf(runtimeClass), runtimeClass.handler ?? '', age(runtimeClass, context)],
});
