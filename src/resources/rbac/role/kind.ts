import type { Role } from '../../../schema/kubernetes/generated/types/rbac-v1.ts';
import { defineKind } from '../../define-kind.ts';
import { rbacStrategy } from '../escalation.ts';
import { role } from '../validation.ts';

export const roleKind = defineKind<Role>({
  group: 'rbac.authorization.k8s.io',
  kind: 'Role',
  strategy: (environment) => rbacStrategy('roles', environment),
  checks: { both: role },
});
