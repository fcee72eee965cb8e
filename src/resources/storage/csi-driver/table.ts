import type { CSIDriver } from '../../../schema/kubernetes/generated/types/storage-v1.ts';
import { nameOf } from '../../parts/tables/cell-text.ts';
import { ageColumn, booleanColumn, defineTable, nameColumn, textColumn } from '../../parts/tables/define-table.ts';
import { age } from '../../parts/tables/time-text.ts';

export const csiDrivers = defineTable<CSIDriver>({
  columns: [
    nameColumn,
    booleanColumn('AttachRequired', 'Whether volumes are attached before they are mounted.'),
    booleanColumn('PodInfoOnMount', 'Whether it is told of the pod when it mounts.'),
    booleanColumn('StorageCapacity', 'Whether pods are placed by the capacity it reports.'),
    textColumn('TokenRequests', 'Audiences of the tokens it gets.'),
    booleanColumn('RequiresRepublish', 'Whether mounts are renewed from time to time.'),
    textColumn('Modes', 'Lifecycles of volumes that it supports.'),
    ageColumn,
  ],
  cells(driver, context) {
    const spec = driver.spec ?? {};
    return [
      nameOf(driver),
      spec.attachRequired ?? true,
      spec.podInfoOnMount ?? false,
      spec.storageCapacity ?? false,
      spec.tokenRequests?.map(({ audience = '' }) => audience).join(',') ?? '<unset>',
      spec.requiresRepublish ?? false,
      spec.volumeLifecycleModes?.join(',') || '<none>',
      age(driver, context),
    ];
  },
});
