import type { ServiceCIDR } from '../../../schema/kubernetes/generated/types/networking-v1.ts';
import { nameOf } from '../../parts/tables/cell-text.ts';
import { ageColumn, defineTable, nameColumn, textColumn } from '../../parts/tables/define-table.ts';
import { age } from '../../parts/tables/time-text.ts';

export const serviceCidrs = defineTable<ServiceCIDR>({
  columns: [nameColumn, textColumn('CIDRs', 'Ranges for service addresses.'), ageColumn],
  cells: (cidr, context) => [nameOf(cidr), cidr.spec?.cidrs?.join(',') ?? '', age(cidr, context)],
});
