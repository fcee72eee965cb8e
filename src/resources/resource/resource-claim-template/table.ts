import type { ResourceClaimTemplate } from '../../../schema/kubernetes/generated/types/resource-v1.ts';
import { nameOf } from '../../parts/tables/cell-text.ts';
import { ageColumn, defineTable, nameColumn } from '../../parts/tables/define-table.ts';
import { age } from '../../parts/tables/time-text.ts';

export const resourceClaimTemplates = defineTable<ResourceClaimTemplate>({
  columns: [nameColumn, ageColumn],
  cells: (template, context) => [nameOf(template), age(template, context)],
});
