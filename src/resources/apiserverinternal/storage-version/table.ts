import type { StorageVersion } from '../../../schema/kubernetes/generated/types/apiserverinternal-v1alpha1.ts';
import { listWithMore, nameOf } from '../../parts/tables/cell-text.ts';
import { ageColumn, defineTable, nameColumn, textColumn } from '../../parts/tables/define-table.ts';
import { age } from '../../parts/tables/time-text.ts';

const shownServers = 3;

export const storageVersions = defineTable<StorageVersion>({
  columns: [
    nameColumn,
    textColumn('CommonEncodingVersion', 'Common encoding version, if all servers agree.'),
    textColumn('StorageVersions', 'Encoding version of the first few servers.'),
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
