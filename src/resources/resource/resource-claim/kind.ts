import type { ResourceClaim } from '../../../schema/kubernetes/generated/types/resource-v1.ts';
import { defineKind } from '../../define-kind.ts';
import { claimFromBeta1, claimToBeta1 } from '../conversions.ts';
import { requestDefaults } from '../defaults.ts';
import { resourceClaimStatus } from './status-validation.ts';
import { resourceClaimStrategy } from './strategy.ts';
import { resourceClaim, resourceClaimUpdate } from './validation.ts';

export const resourceClaimKind = defineKind<ResourceClaim>({
  group: 'resource.k8s.io',
  kind: 'ResourceClaim',
  strategy: resourceClaimStrategy,
  checks: { create: resourceClaim, update: resourceClaimUpdate, subresources: { status: resourceClaimStatus } },
  answers: { returnsDeletedObject: true, statusHasNoTable: true },
  defaults: requestDefaults,
  conversions: {
    'resource.k8s.io/v1': claimFromBeta1,
    'resource.k8s.io/v1beta2': claimFromBeta1,
    'resource.k8s.io/v1beta1': claimToBeta1,
  },
  table: async () => (await import('./table.ts')).resourceClaims,
});
