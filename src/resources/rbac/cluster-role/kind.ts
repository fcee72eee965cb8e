import type { ClusterRole } from '../../../schema/kubernetes/generated/types/rbac-v1.ts';
import { defineKind } from '../../define-kind.ts';
import { rbacStrategy } from '../escalation.ts';
import { clusterRole } from '../validation.ts';

export const clusterRoleKind = defineKind<ClusterRole>({
  group: 'rbac.authorization.k8s.io',
  kind: 'ClusterRole',
  strategy: (environment) => rbacStrategy('clusterroles', environment),
  checks: { both: clusterRole },
});
