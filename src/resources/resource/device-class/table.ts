import type { DeviceClass } from '../../../schema/kubernetes/generated/types/resource-v1.ts';
import { nameOf } from '../../parts/tables/cell-text.ts';
import { ageColumn, defineTable, nameColumn } from '../../parts/tables/define-table.ts';
import { age } from '../../parts/tables/time-text.ts';

export const deviceClasses = defineTable<DeviceClass>({
  columns: [nameColumn, ageColumn],
  cells: (deviceClass, context) => [nameOf(deviceClass), age(deviceClass, context)],
});
