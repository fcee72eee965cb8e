import type { StorageVersionMigration } from '../../../schema/kubernetes/generated/types/storagemigration-v1.ts';
import { defineKind } from '../../define-kind.ts';
import { storageVersionMigration, storageVersionMigrationStatus, storageVersionMigrationUpdate } from './validation.ts';

export const storageVersionMigrationKind = defineKind<StorageVersionMigration>({
  group: 'storagemigration.k8s.io',
  kind: 'StorageVersionMigration',
  strategy: { requireResourceVersion: true, statusKeepsMetadata: true },
  checks: {
    both: storageVersionMigration,
    update: storageVersionMigrationUpdate,
    subresources: { status: storageVersionMigrationStatus },
  },
  table: async () => (await import('./table.ts')).storageVersionMigrations,
});
