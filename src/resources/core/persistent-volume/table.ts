import type { PersistentVolume } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { nameOf } from '../../parts/tables/cell-text.ts';
import { ageColumn, defineTable, nameColumn, textColumn, wide } from '../../parts/tables/define-table.ts';
import { age } from '../../parts/tables/time-text.ts';
import { accessModesText, phaseText, storageClass } from '../../parts/volume-claim/table-cells.ts';

export const persistentVolumes = defineTable<PersistentVolume>({
  columns: [
    nameColumn,
    textColumn('Capacity', 'Size of the volume.'),
    textColumn('Access Modes', 'Access modes of the volume.'),
    textColumn('Reclaim Policy', 'Reclaim policy of the volume.'),
    textColumn('Status', 'Phase of the volume.'),
    textColumn('Claim', 'Namespace and name of the bound claim.'),
    textColumn('StorageClass', 'Storage class of the volume.'),
    textColumn('VolumeAttributesClass', 'Volume attributes class of the volume.'),
    textColumn('Reason', 'Reason for the phase.'),
    ageColumn,
    wide(textColumn('VolumeMode', 'Filesystem or block device.')),
  ],
  cells(volume, context) {
    const { spec = {}, status = {}, metadata } = volume;
    const { claimRef } = spec;
    return [
      nameOf(volume),
      spec.capacity?.['storage'] ?? '0',
      accessModesText(spec.accessModes),
      spec.persistentVolumeReclaimPolicy ?? '',
      phaseText(metadata, status.phase),
      claimRef === undefined ? '' : `${claimRef.namespace ?? ''}/${claimRef.name ?? ''}`,
      storageClass(metadata, spec.storageClassName),
      spec.volumeAttributesClassName ?? '<unset>',
      status.reason ?? '',
      age(volume, context),
      spec.volumeMode ?? '<unset>',
    ];
  },
});
