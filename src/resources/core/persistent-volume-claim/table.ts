import type { PersistentVolumeClaim } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { nameOf } from '../../parts/tables/cell-text.ts';
import { ageColumn, defineTable, nameColumn, textColumn, wide } from '../../parts/tables/define-table.ts';
import { age } from '../../parts/tables/time-text.ts';
import { accessModesText, phaseText, storageClass } from '../../parts/volume-claim/table-cells.ts';

export const persistentVolumeClaims = defineTable<PersistentVolumeClaim>({
  columns: [
    nameColumn,
    textColumn('Status', 'Phase of the claim.'),
    textColumn('Volume', 'Volume it is bound to.'),
    textColumn('Capacity', 'Size of that volume.'),
    textColumn('Access Modes', 'Ways in which that volume can be mounted.'),
    textColumn('StorageClass', 'Storage class it asks for.'),
    textColumn('VolumeAttributesClass', 'Volume attributes class it asks for.'),
    ageColumn,
    wide(textColumn('VolumeMode', 'File system or block device.')),
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
