import type {
  MutatingAdmissionPolicy,
  ParamKind,
  ValidatingAdmissionPolicy,
} from '../../schema/kubernetes/generated/types/admissionregistration-v1.ts';
import { nameOf } from '../parts/tables/cell-text.ts';
import { ageColumn, defineTable, integerColumn, nameColumn, textColumn } from '../parts/tables/define-table.ts';
import { age } from '../parts/tables/time-text.ts';

const paramKindColumn = textColumn('ParamKind', 'Kind of its parameter objects.');

export const validatingAdmissionPolicies = defineTable<ValidatingAdmissionPolicy>({
  columns: [nameColumn, integerColumn('Validations', 'Number of validations.'), paramKindColumn, ageColumn],
  cells: (policy, context) => [
    nameOf(policy),
    policy.spec?.validations?.length ?? 0,
    paramKindText(policy.spec?.paramKind),
    age(policy, context),
  ],
});

export const mutatingAdmissionPolicies = defineTable<MutatingAdmissionPolicy>({
  columns: [nameColumn, integerColumn('Mutations', 'Number of mutations.'), paramKindColumn, ageColumn],
  cells: (policy, context) => [
    nameOf(policy),
    policy.spec?.mutations?.length ?? 0,
    paramKindText(policy.spec?.paramKind),
    age(policy, context),
  ],
});

function paramKindText(paramKind: ParamKind | undefined): string {
  return paramKind === undefined ? '<unset>' : `${paramKind.apiVersion ?? ''}/${paramKind.kind ?? ''}`;
}
