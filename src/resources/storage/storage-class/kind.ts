import type { StorageClass } from '../../../schema/kubernetes/generated/types/storage-v1.ts';
import { defineKind } from '../../define-kind.ts';
import { always } from '../../kind-warnings.ts';
import { fixed } from '../../parts/defaults/fill.ts';
import { storageClass, storageClassUpdate } from './validation.ts';
import { storageClassWarnings } from './warnings.ts';

export const storageClassKind = defineKind<StorageClass>({
  group: 'storage.k8s.io',
  kind: 'StorageClass',
  checks: { create: storageClass, update: storageClassUpdate },
  warnings: always(storageClassWarnings),
  responses: { returnsDeletedObject: true },
  defaults: {
    'io.k8s.api.storage.v1.StorageClass': fixed({ reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' }),
  },
  table: async () => (await import('./table.ts')).storageClasses,
});
