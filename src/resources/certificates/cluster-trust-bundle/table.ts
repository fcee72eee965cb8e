import type { ClusterTrustBundle } from '../../../schema/kubernetes/generated/types/certificates-v1.ts';
import { nameOf } from '../../parts/tables/cell-text.ts';
import { defineTable, nameColumn, textColumn } from '../../parts/tables/define-table.ts';

export const clusterTrustBundles = defineTable<ClusterTrustBundle>({
  columns: [nameColumn, textColumn('SignerName', 'Signer whose certificates the bundle verifies.')],
  cells: (bundle) => [nameOf(bundle), bundle.spec?.signerName || '<none>'],
});
