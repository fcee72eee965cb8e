import type { VolumeAttributesClass } from '../../../schema/kubernetes/generated/types/storage-v1.ts';
import { nameOf } from '../../parts/tables/cell-text.ts';
import { ageColumn, defineTable, nameColumn, textColumn } from '../../parts/tables/define-table.ts';
import { age } from '../../parts/tables/time-text.ts';

export const volumeAttributesClasses = defineTable<VolumeAttributesClass>({
  columns: [nameColumn, textColumn('DriverName', 'CSI driver of the volumes.'), ageColumn],
  cells: (object, context) => [nameOf(object), object.driverName ?? '', age(object, context)],
});
