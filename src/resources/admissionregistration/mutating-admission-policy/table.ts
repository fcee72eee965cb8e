import type { MutatingAdmissionPolicy } from '../../../schema/kubernetes/generated/types/admissionregistration-v1.ts';
import { nameOf } from '../../parts/tables/cell-text.ts';
import { ageColumn, defineTable, integerColumn, nameColumn } from '../../parts/tables/define-table.ts';
import { age } from '../../parts/tables/time-text.ts';
import { paramKindColumn, paramKindText } from '../table-parts.ts';

export const mutatingAdmissionPolicies = defineTable<MutatingAdmissionPolicy>({
  columns: [nameColumn, integerColumn('Mutations', 'Number of changes that it makes.'), paramKindColumn, ageColumn],
  cells: (policy, context) => [
    nameOf(policy),
    policy.spec?.mutations?.length ?? 0,
    paramKindText(policy.spec?.paramKind),
    age(policy, context),
  ],
});
