import { getOwn } from '../../../api/json/json.ts';
import type { ObjectMeta } from '../../../schema/kubernetes/generated/types/meta-v1.ts';

const betaStorageClassAnnotation = 'volume.beta.kubernetes.io/storage-class';

/** In display order. */
const accessModeNames = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
] as const;

export function accessModesText(modes: readonly string[] = []): string {
  return accessModeNames
    .filter(([mode]) => modes.includes(mode))
    .map(([, short]) => short)
    .join(',');
}

export function phaseText(metadata: ObjectMeta | undefined, phase = ''): string {
  return metadata?.deletionTimestamp === undefined ? phase : 'Terminating';
}

export function storageClass(metadata: ObjectMeta | undefined, className = ''): string {
  return getOwn(metadata?.annotations, betaStorageClassAnnotation) ?? className;
}
