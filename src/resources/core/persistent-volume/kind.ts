import type { PersistentVolume } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { defineKind } from '../../define-kind.ts';
import { always } from '../../kind-warnings.ts';
import { typed } from '../../parts/defaults/fill.ts';
import { persistentVolumeSpecDefaults } from './defaults.ts';
import { persistentVolumeStrategy } from './strategy.ts';
import { persistentVolume, persistentVolumeUpdate } from './validation.ts';
import { persistentVolumeWarnings } from './warnings.ts';

export const persistentVolumeKind = defineKind<PersistentVolume>({
  group: '',
  kind: 'PersistentVolume',
  strategy: persistentVolumeStrategy,
  checks: { both: persistentVolume, update: persistentVolumeUpdate, subresources: { status: () => [] } },
  warnings: always(persistentVolumeWarnings),
  responses: { returnsDeletedObject: true },
  defaults: {
    ...persistentVolumeSpecDefaults,
    'io.k8s.api.core.v1.PersistentVolume': typed<PersistentVolume>((volume) => {
      volume.status = { phase: 'Pending', ...volume.status };
      volume.spec ??= {};
      volume.spec.persistentVolumeReclaimPolicy ??= 'Retain';
      volume.spec.volumeMode ??= 'Filesystem';
    }),
  },
  table: async () => (await import('./table.ts')).persistentVolumes,
});
