import type { RoleBinding } from '../../../schema/kubernetes/generated/types/rbac-v1.ts';
import { defineTable } from '../../parts/tables/define-table.ts';
import { bindingCells, columns } from '../binding-cells.ts';

export const roleBindings = defineTable<RoleBinding>({ columns, cells: bindingCells });
