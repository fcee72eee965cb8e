import type * as resource from '../../../schema/kubernetes/generated/types/resource-v1.ts';
import { type Errors, sealedField } from '../../parts/rules/rules.ts';
import { deviceClaim } from '../claim-spec.ts';
import { ordered } from '../device-rules.ts';

export const resourceClaim = ({ spec = {} }: resource.ResourceClaim): Errors =>
  ordered(deviceClaim(spec.devices ?? {}, 'spec.devices'));

export const resourceClaimUpdate = ({ spec }: resource.ResourceClaim, { spec: old }: resource.ResourceClaim): Errors =>
  sealedField(spec ?? {}, old ?? {}, 'spec');
