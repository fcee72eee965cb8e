import type { ClusterRoleBinding } from '../../../schema/kubernetes/generated/types/rbac-v1.ts';
import { defineKind } from '../../define-kind.ts';
import { typed } from '../../parts/defaults/fill.ts';
import { defaultBinding, subjectDefaults } from '../defaults.ts';
import { rbacStrategy } from '../escalation.ts';
import { bindingChecks, roleBinding } from '../validation.ts';

export const clusterRoleBindingKind = defineKind<ClusterRoleBinding>({
  group: 'rbac.authorization.k8s.io',
  kind: 'ClusterRoleBinding',
  strategy: (environment) => rbacStrategy('clusterrolebindings', environment),
  checks: bindingChecks(roleBinding(false)),
  defaults: { ...subjectDefaults, 'io.k8s.api.rbac.v1.ClusterRoleBinding': typed(defaultBinding) },
  table: async () => (await import('../binding-table.ts')).bindings,
});
