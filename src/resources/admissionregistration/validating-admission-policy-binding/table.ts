import type { ValidatingAdmissionPolicyBinding } from '../../../schema/kubernetes/generated/types/admissionregistration-v1.ts';
import { defineTable } from '../../parts/tables/define-table.ts';
import { bindingCells, bindingColumns } from '../table-parts.ts';

export const validatingAdmissionPolicyBindings = defineTable<ValidatingAdmissionPolicyBinding>({
  columns: bindingColumns,
  cells: bindingCells,
});
