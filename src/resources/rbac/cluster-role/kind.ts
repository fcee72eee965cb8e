import type { ClusterRole } from '../../../schema/kubernetes/generated/types/rbac-v1.ts';
import { defineKind } from '../../define-kind.ts';
import { policyStrategy } from '../escalation.ts';
import { clusterRole } from '../validation.ts';

export const clusterRoleKind = defineKind<ClusterRole>({
  group: 'rbac.authorization.k8s.io',
  kind: 'ClusterRole',
  strategy: (environment) => policyStrategy('clusterroles', environment),
  checks: { both: clusterRole },
});
