import type { CSIStorageCapacity } from '../../../schema/kubernetes/generated/types/storage-v1.ts';
import { defineKind } from '../../define-kind.ts';
import { always } from '../../kind-warnings.ts';
import { storageCapacity, storageCapacityUpdate } from './validation.ts';
import { storageCapacityWarnings } from './warnings.ts';

export const csiStorageCapacityKind = defineKind<CSIStorageCapacity>({
  group: 'storage.k8s.io',
  kind: 'CSIStorageCapacity',
  strategy: { requireResourceVersion: true },
  checks: { both: storageCapacity, update: storageCapacityUpdate },
  warnings: always(storageCapacityWarnings),
});
