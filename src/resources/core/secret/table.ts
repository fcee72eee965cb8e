import type { Secret } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { nameOf } from '../../parts/tables/cell-text.ts';
import { ageColumn, defineTable, nameColumn, textColumn } from '../../parts/tables/define-table.ts';
import { age } from '../../parts/tables/time-text.ts';

export const secrets = defineTable<Secret>({
  columns: [
    nameColumn,
    textColumn('Type', 'Type of the data.'),
    textColumn('Data', 'Number of keys in the data.'),
    ageColumn,
  ],
  cells: (secret, context) => [
    nameOf(secret),
    secret.type ?? '',
    Object.keys(secret.data ?? {}).length,
    age(secret, context),
  ],
});
