import type { WriteContext } from '../../../registry/kinds/strategy.ts';
import type { ResourceClaim } from '../../../schema/kubernetes/generated/types/resource-v1.ts';
import { defineKind } from '../../define-kind.ts';
import { type Errors, sealedField } from '../../parts/rules/rules.ts';
import { deviceClaim } from '../claim-spec.ts';
import { claimFromBeta1, claimToBeta1 } from '../conversions.ts';
import { requestDefaults } from '../defaults.ts';
import { deviceExpressions } from '../device-expressions.ts';
import { ordered, requestPlaces } from '../late-errors.ts';
import { resourceClaimStatus } from './status-validation.ts';
import { resourceClaimStrategy } from './strategy.ts';

function resourceClaim(claim: ResourceClaim, { requestVersion }: WriteContext): Errors {
  const errors = deviceClaim(claim.spec?.devices ?? {}, 'spec.devices', () => deviceExpressions(claim));
  return ordered(errors, requestPlaces(requestVersion));
}

const resourceClaimUpdate = ({ spec }: ResourceClaim, { spec: old }: ResourceClaim): Errors =>
  sealedField(spec ?? {}, old ?? {}, 'spec');

export const resourceClaimKind = defineKind<ResourceClaim>({
  group: 'resource.k8s.io',
  kind: 'ResourceClaim',
  strategy: resourceClaimStrategy,
  checks: { create: resourceClaim, update: resourceClaimUpdate, subresources: { status: resourceClaimStatus } },
  responses: { returnsDeletedObject: true, statusHasNoTable: true },
  defaults: requestDefaults,
  conversions: {
    'resource.k8s.io/v1': claimFromBeta1,
    'resource.k8s.io/v1beta2': claimFromBeta1,
    'resource.k8s.io/v1beta1': claimToBeta1,
  },
  table: async () => (await import('./table.ts')).resourceClaims,
});
