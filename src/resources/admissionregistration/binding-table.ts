import type {
  MutatingAdmissionPolicyBinding,
  ParamRef,
  ValidatingAdmissionPolicyBinding,
} from '../../schema/kubernetes/generated/types/admissionregistration-v1.ts';
import { nameOf } from '../parts/tables/cell-text.ts';
import { ageColumn, defineTable, nameColumn, textColumn } from '../parts/tables/define-table.ts';
import { selectorFields } from '../parts/tables/selector-text.ts';
import { age } from '../parts/tables/time-text.ts';

export const policyBindings = defineTable<ValidatingAdmissionPolicyBinding | MutatingAdmissionPolicyBinding>({
  columns: [
    nameColumn,
    textColumn('PolicyName', 'Policy that it binds.'),
    textColumn('ParamRef', 'Parameter objects.'),
    ageColumn,
  ],
  cells: (binding, context) => [
    nameOf(binding),
    binding.spec?.policyName ?? '',
    paramRefText(binding.spec?.paramRef),
    age(binding, context),
  ],
});

/** Without a namespace it prints as `*`: the binding does not say whether the parameter kind is namespaced. */
function paramRefText({ name, namespace, selector }: ParamRef = {}): string {
  if (name) return `${namespace || '*'}/${name}`;
  return selector === undefined ? '<unset>' : selectorFields(selector);
}
