import type { PersistentVolumeClaim } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { nameOf } from '../../parts/tables/cell-text.ts';
import { ageColumn, defineTable, nameColumn, textColumn, wide } from '../../parts/tables/define-table.ts';
import { age } from '../../parts/tables/time-text.ts';
import { accessModesText, phaseText, storageClass } from '../../parts/volume-claim/table-cells.ts';

export const persistentVolumeClaims = defineTable<PersistentVolumeClaim>({
  columns: [
    nameColumn,
    textColumn('Status', 'Phase of the claim.'),
    textColumn('Volume', 'Bound volume.'),
    textColumn('Capacity', 'Size of the bound volume.'),
    textColumn('Access Modes', 'Access modes of the volume.'),
    textColumn('StorageClass', 'Requested storage class.'),
    textColumn('VolumeAttributesClass', 'Requested volume attributes class.'),
    ageColumn,
    wide(textColumn('VolumeMode', 'Filesystem or block device.')),
  ],
  cells(claim, context) {
    const { spec = {}, status = {}, metadata } = claim;
    const isBound = Boolean(spec.volumeName);
    return [
      nameOf(claim),
      phaseText(metadata, status.phase),
      spec.volumeName ?? '',
      isBound ? (status.capacity?.['storage'] ?? '0') : '',
      isBound ? accessModesText(status.accessModes) : '',
      storageClass(metadata, spec.storageClassName),
      spec.volumeAttributesClassName ?? '<unset>',
      age(claim, context),
      spec.volumeMode ?? '<unset>',
    ];
  },
});
