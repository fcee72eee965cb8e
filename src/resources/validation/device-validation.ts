import type * as resource from '../../schema/kubernetes/generated/types/resource-v1.ts';
import { resourceClaimStatus } from '../resource/resource-claim/status-validation.ts';
import { claimTemplate, claimTemplateUpdate } from '../resource/resource-claim-template/validation.ts';
import { deviceClass } from '../resource/device-class/validation.ts';
import { resourceClaim, resourceClaimUpdate } from '../resource/resource-claim/validation.ts';
import { type KindValidation, kindValidation } from '../kind-validation.ts';
import {
  deviceTaintRule,
  deviceTaintRuleStatus,
  deviceTaintRuleUpdate,
} from '../resource/device-taint-rule/validation.ts';
import { resourceSlice, resourceSliceUpdate } from '../resource/resource-slice/validation.ts';

/** Kinds of resource.k8s.io. */
export const deviceValidation: { readonly [kind: string]: KindValidation } = {
  'resource.k8s.io/ResourceClaim': kindValidation<resource.ResourceClaim>({
    create: resourceClaim,
    update: resourceClaimUpdate,
    subresources: { status: resourceClaimStatus },
  }),
  'resource.k8s.io/ResourceClaimTemplate': kindValidation<resource.ResourceClaimTemplate>({
    create: claimTemplate,
    update: function* (object, old) {
      yield* claimTemplate(object);
      yield* claimTemplateUpdate(object, old);
    },
  }),
  'resource.k8s.io/DeviceClass': kindValidation<resource.DeviceClass>({ both: deviceClass }),
  'resource.k8s.io/ResourceSlice': kindValidation<resource.ResourceSlice>({
    create: resourceSlice,
    update: resourceSliceUpdate,
  }),
  'resource.k8s.io/DeviceTaintRule': kindValidation<resource.DeviceTaintRule>({
    create: deviceTaintRule,
    update: deviceTaintRuleUpdate,
    subresources: { status: deviceTaintRuleStatus },
  }),
};
