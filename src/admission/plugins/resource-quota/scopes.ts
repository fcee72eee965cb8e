import type {
  ResourceQuotaSpec,
  ScopedResourceSelectorRequirement,
} from '../../../schema/kubernetes/generated/types/core-v1.ts';
import type { Scopes } from './evaluator.ts';

/** All that a quota asks of the objects that it counts. */
export function requirementsOf({
  scopes = [],
  scopeSelector,
}: ResourceQuotaSpec): readonly ScopedResourceSelectorRequirement[] {
  const named = scopes.map((scopeName) => ({ scopeName, operator: 'Exists' }));
  return [...named, ...(scopeSelector?.matchExpressions ?? [])];
}

/** Scopes without values take no notice of the operator, as validation allows them but one. */
export function isInScope(
  { scopeName = '', operator = '', values = [] }: ScopedResourceSelectorRequirement,
  { flags, values: known }: Scopes,
): boolean {
  const own = known.get(scopeName);
  if (own === undefined) return flags.has(scopeName);
  if (operator === 'Exists') return own.length > 0;
  if (own.length === 0) return operator === 'NotIn' || operator === 'DoesNotExist';
  if (operator === 'In') return own.some((value) => values.includes(value));
  return operator === 'NotIn' && own.some((value) => !values.includes(value));
}
