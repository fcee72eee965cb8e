import { formatGroupResource } from '../../../api/group-version.ts';
import type { StorageVersion } from '../../../schema/kubernetes/generated/types/apiserverinternal-v1alpha1.ts';
import type { StorageVersionMigration } from '../../../schema/kubernetes/generated/types/storagemigration-v1.ts';
import { listWithMore, nameOf } from '../../parts/tables/cell-text.ts';
import { ageColumn, defineTable, nameColumn, textColumn } from '../../parts/tables/define-table.ts';
import { age } from '../../parts/tables/time-text.ts';

const shownServers = 3;

export const storageVersions = defineTable<StorageVersion>({
  columns: [
    nameColumn,
    textColumn('CommonEncodingVersion', 'Version that all servers store, when they agree.'),
    textColumn('StorageVersions', 'Version that each server stores, the first few of them.'),
    ageColumn,
  ],
  cells(object, context) {
    const { commonEncodingVersion, storageVersions: servers = [] } = object.status ?? {};
    const versions = servers.map(({ apiServerID = '', encodingVersion = '' }) => `${apiServerID}=${encodingVersion}`);
    return [
      nameOf(object),
      commonEncodingVersion ?? '<unset>',
      listWithMore(versions, shownServers),
      age(object, context),
    ];
  },
});

const migrationStates = new Set(['Running', 'Failed', 'Succeeded']);

export const storageVersionMigrations = defineTable<StorageVersionMigration>({
  columns: [
    textColumn('Name', nameColumn.description),
    textColumn('Resource', 'Group and resource whose objects are stored anew.'),
    textColumn('Status', 'How far the migration is.'),
  ],
  cells(migration) {
    const { group = '', resource = '' } = migration.spec?.resource ?? {};
    const state = migration.status?.conditions?.findLast(
      ({ type = '', status }) => status === 'True' && migrationStates.has(type),
    );
    return [nameOf(migration), formatGroupResource({ group, resource }), state?.type ?? 'Unknown'];
  },
});
