import type { PersistentVolumeClaim } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { defineKind } from '../../define-kind.ts';
import { always } from '../../kind-warnings.ts';
import { volumeClaimDefaults } from '../../parts/volume-claim/defaults.ts';
import { claimWarnings, classAnnotation } from '../../parts/volume-claim/warnings.ts';
import { annotationWarnings } from '../../parts/warnings/annotations.ts';
import { persistentVolumeClaimStatus } from './status-validation.ts';
import { persistentVolumeClaimStrategy } from './strategy.ts';
import { persistentVolumeClaim, persistentVolumeClaimUpdate } from './validation.ts';

export const persistentVolumeClaimKind = defineKind<PersistentVolumeClaim>({
  group: '',
  kind: 'PersistentVolumeClaim',
  strategy: persistentVolumeClaimStrategy,
  checks: {
    create: (claim) => persistentVolumeClaim(claim),
    update: persistentVolumeClaimUpdate,
    subresources: { status: persistentVolumeClaimStatus },
  },
  warnings: always(persistentVolumeClaimWarnings),
  responses: { returnsDeletedObject: true },
  defaults: volumeClaimDefaults,
  table: async () => (await import('./table.ts')).persistentVolumeClaims,
});

function persistentVolumeClaimWarnings({ metadata, spec }: PersistentVolumeClaim): string[] {
  return [
    ...annotationWarnings('metadata.annotations', metadata?.annotations, [classAnnotation]),
    ...claimWarnings('spec', spec),
  ];
}
