import type { RuntimeClass } from '../../schema/kubernetes/generated/types/node-v1.ts';
import { nameOf } from './cell-text.ts';
import { ageColumn, defineTable, nameColumn, textColumn } from './define-table.ts';
import { age } from './time-text.ts';

export const runtimeClasses = defineTable<RuntimeClass>({
  columns: [nameColumn, textColumn('Handler', 'Name of the runtime in the configuration of the nodes.'), ageColumn],
  cells: (runtimeClass, context) => [nameOf(runtimeClass), runtimeClass.handler ?? '', age(runtimeClass, context)],
});
