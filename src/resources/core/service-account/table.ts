import type { ServiceAccount } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { nameOf } from '../../parts/tables/cell-text.ts';
import { ageColumn, defineTable, nameColumn } from '../../parts/tables/define-table.ts';
import { age } from '../../parts/tables/time-text.ts';

export const serviceAccounts = defineTable<ServiceAccount>({
  columns: [nameColumn, ageColumn],
  cells: (account, context) => [nameOf(account), age(account, context)],
});
