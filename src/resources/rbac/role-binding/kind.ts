import type { RoleBinding } from '../../../schema/kubernetes/generated/types/rbac-v1.ts';
import { defineKind } from '../../define-kind.ts';
import { typed } from '../../parts/defaults/fill.ts';
import { defaultBinding, subjectDefaults } from '../defaults.ts';
import { rbacStrategy } from '../escalation.ts';
import { bindingChecks, roleBinding } from '../validation.ts';

export const roleBindingKind = defineKind<RoleBinding>({
  group: 'rbac.authorization.k8s.io',
  kind: 'RoleBinding',
  strategy: (environment) => rbacStrategy('rolebindings', environment),
  checks: bindingChecks(roleBinding(true)),
  defaults: { ...subjectDefaults, 'io.k8s.api.rbac.v1.RoleBinding': typed(defaultBinding) },
  table: async () => (await import('../binding-table.ts')).bindings,
});
