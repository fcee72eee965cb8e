import type { Scale } from '../../../schema/kubernetes/generated/types/autoscaling-v1.ts';
import { nameOf } from '../../parts/tables/cell-text.ts';
import { ageColumn, defineTable, integerColumn, nameColumn, textColumn } from '../../parts/tables/define-table.ts';
import { age } from '../../parts/tables/time-text.ts';

/** For responses of the `scale` subresource. */
export const scales = defineTable<Scale>({
  columns: [
    textColumn('Name', nameColumn.description),
    integerColumn('Desired', 'Desired number of pods.'),
    integerColumn('Available', 'Number of pods that exist.'),
    ageColumn,
  ],
  cells: (scale, context) => [
    nameOf(scale),
    scale.spec?.replicas ?? 0,
    scale.status?.replicas ?? 0,
    age(scale, context),
  ],
});
