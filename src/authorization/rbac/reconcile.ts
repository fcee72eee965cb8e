import { isDeepStrictEqual } from 'node:util';
import type {
  AggregationRule,
  ClusterRole,
  ClusterRoleBinding,
  PolicyRule,
  Role,
  RoleBinding,
} from '../../schema/kubernetes/generated/types/rbac-v1.ts';
import { missingRules, ruleKey, type SingleRule } from './rule-coverage.ts';

type AnyRole = ClusterRole | Role;
type AnyBinding = ClusterRoleBinding | RoleBinding;
type Labels = { readonly [name: string]: string };

const autoUpdate = 'rbac.authorization.kubernetes.io/autoupdate';

/**
 * Reconciliation of the bootstrap policy at start: missing rules and subjects are restored, additions stay, and objects
 * whose annotation `autoupdate` is `false` are left alone.
 */
export function isProtected(existing: AnyRole | AnyBinding): boolean {
  return existing.metadata?.annotations?.[autoUpdate] === 'false';
}

/** The role with missing rules restored; undefined when nothing is missing. */
export function reconciledRole(existing: AnyRole, wanted: AnyRole): AnyRole | undefined {
  const before: ClusterRole = existing;
  const after: ClusterRole = withWantedMetadata(before, wanted);
  const gathered = (wanted as ClusterRole).aggregationRule !== undefined;
  const missing = gathered ? [] : missingOf(before.rules ?? [], wanted.rules ?? []);
  if (missing.length > 0) after.rules = [...(before.rules ?? []), ...missing.map(ruleOf)];
  const aggregation = aggregationOf(before, wanted);
  if (aggregation === undefined) delete after.aggregationRule;
  else after.aggregationRule = aggregation;
  return isDeepStrictEqual(after, before) ? undefined : after;
}

/** The usual case: nothing is missing. */
function missingOf(owned: readonly PolicyRule[], wanted: readonly PolicyRule[]): readonly SingleRule[] {
  const isSame = owned.length === wanted.length && owned.every((rule, index) => isSameRule(rule, wanted[index]));
  // The limits are beyond any role of the policy.
  return isSame ? [] : (missingRules(owned, wanted) ?? []);
}

function isSameRule(a: PolicyRule, b: PolicyRule | undefined): boolean {
  return b !== undefined && ruleKey(a) === ruleKey(b);
}

/**
 * The binding with missing subjects restored; undefined when nothing is missing; `recreate` when its role, which is
 * immutable, differs.
 */
export function reconciledBinding(existing: AnyBinding, wanted: AnyBinding): AnyBinding | undefined | 'recreate' {
  if (!isDeepStrictEqual({ ...existing.roleRef }, { ...wanted.roleRef })) return 'recreate';
  const after = withWantedMetadata(existing, wanted);
  const subjects = existing.subjects ?? [];
  const missing = (wanted.subjects ?? []).filter(
    (subject) => !subjects.some((each) => isDeepStrictEqual({ ...each }, { ...subject })),
  );
  if (missing.length > 0) after.subjects = [...subjects, ...missing];
  return isDeepStrictEqual(after, existing) ? undefined : after;
}

/** The object's own labels and annotations take precedence. */
function withWantedMetadata<T extends AnyRole | AnyBinding>(existing: T, wanted: T): T {
  const metadata = { ...existing.metadata };
  const labels: Labels = { ...wanted.metadata?.labels, ...metadata.labels };
  const annotations: Labels = { ...wanted.metadata?.annotations, ...metadata.annotations };
  return { ...existing, metadata: { ...metadata, labels, annotations } };
}

/** Removes an aggregation rule that the policy does not have. */
function aggregationOf(existing: ClusterRole, wanted: ClusterRole): AggregationRule | undefined {
  if (wanted.aggregationRule === undefined) return undefined;
  const selectors = existing.aggregationRule?.clusterRoleSelectors ?? [];
  const missing = (wanted.aggregationRule.clusterRoleSelectors ?? []).filter(
    (selector) => !selectors.some((each) => isDeepStrictEqual({ ...each }, { ...selector })),
  );
  return missing.length === 0 ? existing.aggregationRule : { clusterRoleSelectors: [...selectors, ...missing] };
}

function ruleOf({ verb, path, apiGroup = '', resource = '', resourceName }: SingleRule): PolicyRule {
  if (path !== undefined) return { verbs: [verb], nonResourceURLs: [path] };
  const names = resourceName === undefined ? {} : { resourceNames: [resourceName] };
  return { verbs: [verb], apiGroups: [apiGroup], resources: [resource], ...names };
}
