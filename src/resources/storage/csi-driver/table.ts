import type { CSIDriver } from '../../../schema/kubernetes/generated/types/storage-v1.ts';
import { nameOf } from '../../parts/tables/cell-text.ts';
import { ageColumn, booleanColumn, defineTable, nameColumn, textColumn } from '../../parts/tables/define-table.ts';
import { age } from '../../parts/tables/time-text.ts';

export const csiDrivers = defineTable<CSIDriver>({
  columns: [
    nameColumn,
    booleanColumn('AttachRequired', 'Whether volumes must be attached before they are mounted.'),
    booleanColumn('PodInfoOnMount', 'Whether it receives information about the pod on mount.'),
    booleanColumn('StorageCapacity', 'Whether the scheduler considers its reported capacity.'),
    textColumn('TokenRequests', 'Audiences of the tokens it receives.'),
    booleanColumn('RequiresRepublish', 'Whether mounts are republished periodically.'),
    textColumn('Modes', 'Supported volume lifecycles.'),
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
