import type { ClusterRoleBinding } from '../../../schema/kubernetes/generated/types/rbac-v1.ts';
import { defineTable } from '../../parts/tables/define-table.ts';
import { bindingCells, columns } from '../binding-cells.ts';

export const clusterRoleBindings = defineTable<ClusterRoleBinding>({ columns, cells: bindingCells });
