import { formatGroupResource } from '../../../api/meta/group-version.ts';
import type { StorageVersionMigration } from '../../../schema/kubernetes/generated/types/storagemigration-v1.ts';
import { nameOf } from '../../parts/tables/cell-text.ts';
import { defineTable, nameColumn, textColumn } from '../../parts/tables/define-table.ts';

const migrationStates = new Set(['Running', 'Failed', 'Succeeded']);

export const storageVersionMigrations = defineTable<StorageVersionMigration>({
  columns: [
    textColumn('Name', nameColumn.description),
    textColumn('Resource', 'Group and resource to migrate.'),
    textColumn('Status', 'State of the migration.'),
  ],
  cells(migration) {
    const { group = '', resource = '' } = migration.spec?.resource ?? {};
    const state = migration.status?.conditions?.findLast(
      ({ type = '', status }) => status === 'True' && migrationStates.has(type),
    );
    return [nameOf(migration), formatGroupResource({ group, resource }), state?.type ?? 'Unknown'];
  },
});
