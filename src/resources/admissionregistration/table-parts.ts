import type { JsonValue } from '../../api/json.ts';
import type {
  MutatingAdmissionPolicyBinding,
  ParamKind,
  ParamRef,
  ValidatingAdmissionPolicyBinding,
} from '../../schema/kubernetes/generated/types/admissionregistration-v1.ts';
import { nameOf } from '../parts/tables/cell-text.ts';
import { ageColumn, integerColumn, nameColumn, textColumn } from '../parts/tables/define-table.ts';
import { selectorFields } from '../parts/tables/selector-text.ts';
import { age } from '../parts/tables/time-text.ts';
import type { TableContext } from '../../registry/table.ts';

export const webhookColumns = [
  nameColumn,
  integerColumn('Webhooks', 'Number of webhooks in the configuration.'),
  ageColumn,
];

export const paramKindColumn = textColumn('ParamKind', 'Kind of the objects that hold its parameters.');

export function paramKindText(paramKind: ParamKind | undefined): string {
  return paramKind === undefined ? '<unset>' : `${paramKind.apiVersion ?? ''}/${paramKind.kind ?? ''}`;
}

export const bindingColumns = [
  nameColumn,
  textColumn('PolicyName', 'Policy that it puts to work.'),
  textColumn('ParamRef', 'Objects that hold the parameters.'),
  ageColumn,
];

export function bindingCells(
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
