import type { PersistentVolume } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { nameOf } from '../../parts/tables/cell-text.ts';
import { ageColumn, defineTable, nameColumn, textColumn, wide } from '../../parts/tables/define-table.ts';
import { age } from '../../parts/tables/time-text.ts';
import { accessModesText, phaseText, storageClass } from '../../parts/volume-claim/table-cells.ts';

export const persistentVolumes = defineTable<PersistentVolume>({
  columns: [
    nameColumn,
    textColumn('Capacity', 'Size of the volume.'),
    textColumn('Access Modes', 'Ways in which it can be mounted.'),
    textColumn('Reclaim Policy', 'What happens to it when its claim is gone.'),
    textColumn('Status', 'Phase of the volume.'),
    textColumn('Claim', 'Namespace and name of the claim it is bound to.'),
    textColumn('StorageClass', 'Storage class it belongs to.'),
    textColumn('VolumeAttributesClass', 'Volume attributes class it belongs to.'),
    textColumn('Reason', 'Why it is in this phase.'),
    ageColumn,
    wide(textColumn('VolumeMode', 'File system or block device.')),
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
