import type { ResourceClaimTemplate } from '../../../schema/kubernetes/generated/types/resource-v1.ts';
import { defineKind } from '../../define-kind.ts';
import { templateAdminAccess } from '../admin-access.ts';
import { templateFromBeta1, templateToBeta1 } from '../conversions.ts';
import { requestDefaults } from '../defaults.ts';
import { claimTemplateExpressions } from '../device-expressions.ts';
import { claimTemplate, claimTemplateUpdate } from './validation.ts';

export const resourceClaimTemplateKind = defineKind<ResourceClaimTemplate>({
  group: 'resource.k8s.io',
  kind: 'ResourceClaimTemplate',
  strategy: (environment) => ({ ...claimTemplateExpressions(environment), ...templateAdminAccess(environment) }),
  checks: { create: claimTemplate, update: claimTemplateUpdate },
  responses: { returnsDeletedObject: true },
  defaults: requestDefaults,
  conversions: {
    'resource.k8s.io/v1': templateFromBeta1,
    'resource.k8s.io/v1beta2': templateFromBeta1,
    'resource.k8s.io/v1beta1': templateToBeta1,
  },
  table: async () => (await import('./table.ts')).resourceClaimTemplates,
});
