import type { Lease } from '../../../schema/kubernetes/generated/types/coordination-v1.ts';
import { nameOf } from '../../parts/tables/cell-text.ts';
import { ageColumn, defineTable, nameColumn, textColumn } from '../../parts/tables/define-table.ts';
import { age } from '../../parts/tables/time-text.ts';

export const leases = defineTable<Lease>({
  columns: [nameColumn, textColumn('Holder', 'Holder of the lease.'), ageColumn],
  cells: (lease, context) => [nameOf(lease), lease.spec?.holderIdentity ?? '', age(lease, context)],
});
