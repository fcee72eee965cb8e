import { getOwn } from '../../../api/json.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import type { ObjectMeta } from '../../../schema/kubernetes/generated/types/meta-v1.ts';
import { nameOf } from '../../parts/tables/cell-text.ts';
import { ageColumn, defineTable, nameColumn, textColumn, wide } from '../../parts/tables/define-table.ts';
import { age } from '../../parts/tables/time-text.ts';

const betaStorageClassAnnotation = 'volume.beta.kubernetes.io/storage-class';

/** In the order in which they are shown. */
const accessModeNames = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
] as const;

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

function accessModesText(modes: readonly string[] = []): string {
  return accessModeNames
    .filter(([mode]) => modes.includes(mode))
    .map(([, short]) => short)
    .join(',');
}

function phaseText(metadata: ObjectMeta | undefined, phase = ''): string {
  return metadata?.deletionTimestamp === undefined ? phase : 'Terminating';
}

function storageClass(metadata: ObjectMeta | undefined, className = ''): string {
  return getOwn(metadata?.annotations, betaStorageClassAnnotation) ?? className;
}
