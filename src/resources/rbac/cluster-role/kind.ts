import { nameRules } from '../../../api/meta/names.ts';
import type { ClusterRole } from '../../../schema/kubernetes/generated/types/rbac-v1.ts';
import { defineKind } from '../../define-kind.ts';
import { clusterRole } from '../validation.ts';

export const clusterRoleKind = defineKind<ClusterRole>({
  group: 'rbac.authorization.k8s.io',
  kind: 'ClusterRole',
  strategy: { nameRule: nameRules.wholePathSegment, allowCreateOnUpdate: true },
  checks: { both: clusterRole },
});
