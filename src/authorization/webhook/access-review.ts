import type { AttributeSelectors, AuthorizationAttributes } from '../../api/contracts/authorization.ts';
import type { FieldRequirement } from '../../api/selectors/field-selector.ts';
import { isEmptyObject, type JsonObject } from '../../api/json/json.ts';
import type { LabelOperator, LabelRequirement } from '../../api/selectors/label-selector.ts';

/** The spec of the equivalent SubjectAccessReview (v1). */
export function reviewSpec(attributes: AuthorizationAttributes): JsonObject {
  const { user, verb, path, isResourceRequest } = attributes;
  const { name, groups, extra, uid } = user;
  return {
    ...(isResourceRequest
      ? { resourceAttributes: resourceAttributes(attributes) }
      : { nonResourceAttributes: present({ path, verb }) }),
    ...present({ user: name }),
    ...(groups.length === 0 ? {} : { groups: groups as string[] }), // only read
    ...(isEmptyObject(extra as JsonObject) ? {} : { extra: extra as JsonObject }), // only read
    ...present({ uid }),
  };
}

function resourceAttributes(attributes: AuthorizationAttributes): JsonObject {
  const { namespace, verb, group, version, resource, subresource, name, selectors } = attributes;
  return {
    ...present({ namespace, verb, group, version, resource, subresource, name }),
    ...selectorAttributes(selectors),
  };
}

function present(texts: { readonly [name: string]: string }): { [name: string]: string } {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));
}

function selectorAttributes(selectors: AttributeSelectors | undefined): JsonObject {
  if (selectors === undefined) return {};
  const fields = selectors.fields.map(fieldRequirement);
  const labels = selectors.labels.flatMap((requirement) => labelRequirement(requirement) ?? []);
  return {
    ...(fields.length === 0 ? {} : { fieldSelector: { requirements: fields } }),
    ...(labels.length === 0 ? {} : { labelSelector: { requirements: labels } }),
  };
}

function fieldRequirement({ field, operator, value }: FieldRequirement): JsonObject {
  return { key: field, operator: operator === '=' ? 'In' : 'NotIn', values: [value] };
}

/** Numeric comparisons are left out, which makes the request broader. */
const labelOperators: ReadonlyMap<LabelOperator, string> = new Map<LabelOperator, string>([
  ['=', 'In'],
  ['==', 'In'],
  ['in', 'In'],
  ['!=', 'NotIn'],
  ['notin', 'NotIn'],
  ['exists', 'Exists'],
  ['!', 'DoesNotExist'],
]);

function labelRequirement({ key, operator, values }: LabelRequirement): JsonObject | undefined {
  const known = labelOperators.get(operator);
  if (known === undefined) return undefined;
  return { key, operator: known, ...(values.length === 0 ? {} : { values: [...values] }) };
}

/** v1beta1 has another name for groups. */
export function reviewOf(spec: JsonObject, version: string): JsonObject {
  const { groups, ...rest } = spec;
  const named = groups === undefined ? {} : { [version === 'v1' ? 'groups' : 'group']: groups };
  return {
    kind: 'SubjectAccessReview',
    apiVersion: `authorization.k8s.io/${version}`,
    metadata: {},
    spec: { ...rest, ...named },
    status: { allowed: false },
  };
}
