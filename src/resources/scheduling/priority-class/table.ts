import type { PriorityClass } from '../../../schema/kubernetes/generated/types/scheduling-v1.ts';
import { nameOf } from '../../parts/tables/cell-text.ts';
import {
  ageColumn,
  booleanColumn,
  defineTable,
  integerColumn,
  nameColumn,
  textColumn,
} from '../../parts/tables/define-table.ts';
import { age } from '../../parts/tables/time-text.ts';

export const priorityClasses = defineTable<PriorityClass>({
  columns: [
    nameColumn,
    integerColumn('Value', 'Priority of its pods.'),
    booleanColumn('Global-Default', 'Whether this is the default for pods without a class.'),
    ageColumn,
    textColumn('PreemptionPolicy', 'Whether its pods may preempt others.'),
  ],
  cells: (priorityClass, context) => [
    nameOf(priorityClass),
    priorityClass.value ?? 0,
    priorityClass.globalDefault ?? false,
    age(priorityClass, context),
    priorityClass.preemptionPolicy ?? '',
  ],
});
