import type {
  ClusterRole,
  ClusterRoleBinding,
  PolicyRule,
  Role,
  RoleBinding,
  Subject,
} from '../../../schema/kubernetes/generated/types/rbac-v1.ts';
import { bindings } from './bindings.ts';
import type { BootstrapBinding, BootstrapRole, BootstrapRule } from './bootstrap-rows.ts';
import { clusterRoles } from './cluster-roles.ts';
import { controllerRoles } from './controller-roles.ts';
import { namespacedRoles } from './namespaced-roles.ts';

const group = 'rbac.authorization.k8s.io';
const apiVersion = `${group}/v1`;
const controllerPrefix = 'system:controller:';

/** The bootstrap policy as objects. */
export interface BootstrapPolicy {
  readonly roles: readonly (ClusterRole | Role)[];
  readonly bindings: readonly (ClusterRoleBinding | RoleBinding)[];
}

/** Filters rows by feature gate. */
export function bootstrapPolicy(gates: ReadonlyMap<string, boolean>): BootstrapPolicy {
  const isOn = (gate: string | undefined): boolean => gate === undefined || gates.get(gate) === true;
  const ofControllers = controllerRoles.map((row) => ({ ...row, name: `${controllerPrefix}${row.name}` }));
  const rows = [...clusterRoles, ...ofControllers, ...namespacedRoles].filter(({ gate }) => isOn(gate));
  const toControllers = controllerRoles
    .filter(({ gate }) => isOn(gate))
    .map(({ name }) => ({ name: `${controllerPrefix}${name}`, subjects: [`account kube-system/${name}`] }));
  return {
    roles: rows.map((row) => roleObject(row, isOn)),
    bindings: [...bindings, ...toControllers].map(bindingObject),
  };
}

function metadata(
  { namespace, name }: { readonly namespace?: string; readonly name: string },
  labels: { readonly [name: string]: string } = {},
) {
  return {
    name,
    ...(namespace === undefined ? {} : { namespace }),
    labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults', ...labels },
    annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
  };
}

function roleObject(row: BootstrapRole, isOn: (gate: string) => boolean): ClusterRole | Role {
  const { namespace, aggregatesTo, gathers } = row;
  const kind = namespace === undefined ? 'ClusterRole' : 'Role';
  const labels = aggregatesTo === undefined ? {} : { [aggregationLabel(aggregatesTo)]: 'true' };
  const selectors = gathers === undefined ? [] : [{ matchLabels: { [aggregationLabel(gathers)]: 'true' } }];
  return {
    kind,
    apiVersion,
    metadata: metadata(row, labels),
    ...(gathers === undefined
      ? { rules: row.rules.flatMap((rule) => (typeof rule === 'string' || isOn(rule.gate) ? ruleOf(rule) : [])) }
      : { aggregationRule: { clusterRoleSelectors: selectors } }),
  };
}

function aggregationLabel(role: string): string {
  return `${group}/aggregate-to-${role}`;
}

function ruleOf(rule: BootstrapRule): PolicyRule {
  const text = typeof rule === 'string' ? rule : rule.rule;
  const [verbs = [], first = [], resources, resourceNames] = text.split(' ').map((list) => list.split(','));
  if (resources === undefined) return { verbs, nonResourceURLs: first };
  const apiGroups = first.map((name) => (name === 'core' ? '' : name));
  return { verbs, apiGroups, resources, ...(resourceNames === undefined ? {} : { resourceNames }) };
}

function bindingObject(row: BootstrapBinding): ClusterRoleBinding | RoleBinding {
  const isCluster = row.namespace === undefined;
  return {
    kind: isCluster ? 'ClusterRoleBinding' : 'RoleBinding',
    apiVersion,
    metadata: metadata(row),
    roleRef: { apiGroup: group, kind: isCluster ? 'ClusterRole' : 'Role', name: row.role ?? row.name },
    ...(row.subjects.length === 0 ? {} : { subjects: row.subjects.map(subjectOf) }),
  };
}

function subjectOf(text: string): Subject {
  const [kind, name = ''] = text.split(' ');
  if (kind !== 'account') return { kind: kind === 'user' ? 'User' : 'Group', apiGroup: group, name };
  const [namespace = '', account = ''] = name.split('/');
  return { kind: 'ServiceAccount', namespace, name: account };
}
