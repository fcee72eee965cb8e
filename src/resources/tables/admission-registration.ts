import type { JsonValue } from '../../api/json.ts';
import type {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  MutatingWebhookConfiguration,
  ParamKind,
  ParamRef,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
} from '../../schema/kubernetes/generated/types/admissionregistration-v1.ts';
import type { TableContext } from '../../registry/table.ts';
import { nameOf } from './cell-text.ts';
import { ageColumn, defineTable, integerColumn, nameColumn, textColumn } from './define-table.ts';
import { selectorFields } from './selector-text.ts';
import { age } from './time-text.ts';

const webhookColumns = [nameColumn, integerColumn('Webhooks', 'Number of webhooks in the configuration.'), ageColumn];

export const mutatingWebhookConfigurations = defineTable<MutatingWebhookConfiguration>({
  columns: webhookColumns,
  cells: (object, context) => [nameOf(object), object.webhooks?.length ?? 0, age(object, context)],
});

export const validatingWebhookConfigurations = defineTable<ValidatingWebhookConfiguration>({
  columns: webhookColumns,
  cells: (object, context) => [nameOf(object), object.webhooks?.length ?? 0, age(object, context)],
});

const paramKindColumn = textColumn('ParamKind', 'Kind of the objects that hold its parameters.');

export const validatingAdmissionPolicies = defineTable<ValidatingAdmissionPolicy>({
  columns: [nameColumn, integerColumn('Validations', 'Number of rules that it checks.'), paramKindColumn, ageColumn],
  cells: (policy, context) => [
    nameOf(policy),
    policy.spec?.validations?.length ?? 0,
    paramKindText(policy.spec?.paramKind),
    age(policy, context),
  ],
});

export const mutatingAdmissionPolicies = defineTable<MutatingAdmissionPolicy>({
  columns: [nameColumn, integerColumn('Mutations', 'Number of changes that it makes.'), paramKindColumn, ageColumn],
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

const bindingColumns = [
  nameColumn,
  textColumn('PolicyName', 'Policy that it puts to work.'),
  textColumn('ParamRef', 'Objects that hold the parameters.'),
  ageColumn,
];

export const validatingAdmissionPolicyBindings = defineTable<ValidatingAdmissionPolicyBinding>({
  columns: bindingColumns,
  cells: bindingCells,
});

export const mutatingAdmissionPolicyBindings = defineTable<MutatingAdmissionPolicyBinding>({
  columns: bindingColumns,
  cells: bindingCells,
});

function bindingCells(
  binding: Readonly<ValidatingAdmissionPolicyBinding | MutatingAdmissionPolicyBinding>,
  context: TableContext,
): JsonValue[] {
  return [nameOf(binding), binding.spec?.policyName ?? '', paramRefText(binding.spec?.paramRef), age(binding, context)];
}

/** Without a namespace it is written `*`: the binding does not tell whether its parameters are in one. */
function paramRefText({ name, namespace, selector }: ParamRef = {}): string {
  if (name) return `${namespace || '*'}/${name}`;
  return selector === undefined ? '<unset>' : selectorFields(selector);
}
