import type { PersistentVolumeClaim } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { claimWarnings, classAnnotation } from '../../parts/volume-claim/warnings.ts';
import { annotationWarnings } from '../../parts/warnings/annotations.ts';

export function persistentVolumeClaimWarnings({ metadata, spec }: PersistentVolumeClaim): string[] {
  return [
    ...annotationWarnings('metadata.annotations', metadata?.annotations, [classAnnotation]),
    ...claimWarnings('spec', spec),
  ];
}
