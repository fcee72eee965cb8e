import type { ResourceSlice } from '../../../schema/kubernetes/generated/types/resource-v1.ts';
import { nameOf } from '../../parts/tables/cell-text.ts';
import { ageColumn, defineTable, nameColumn, textColumn } from '../../parts/tables/define-table.ts';
import { age } from '../../parts/tables/time-text.ts';

export const resourceSlices = defineTable<ResourceSlice>({
  columns: [
    nameColumn,
    textColumn('Node', 'Node of the devices.'),
    textColumn('Driver', 'Driver of the devices.'),
    textColumn('Pool', 'Pool of the slice.'),
    ageColumn,
  ],
  cells: (slice, context) => [
    nameOf(slice),
    slice.spec?.nodeName ?? '',
    slice.spec?.driver ?? '',
    slice.spec?.pool?.name ?? '',
    age(slice, context),
  ],
});
