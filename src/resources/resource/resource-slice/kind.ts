import type { ResourceSlice } from '../../../schema/kubernetes/generated/types/resource-v1.ts';
import { defineKind } from '../../define-kind.ts';
import { sliceFromBeta1, sliceToBeta1 } from '../conversions.ts';
import { taintDefaults } from '../defaults.ts';
import { resourceSliceStrategy } from './strategy.ts';
import { resourceSlice, resourceSliceUpdate } from './validation.ts';

export const resourceSliceKind = defineKind<ResourceSlice>({
  group: 'resource.k8s.io',
  kind: 'ResourceSlice',
  strategy: resourceSliceStrategy,
  checks: { create: resourceSlice, update: resourceSliceUpdate },
  responses: { returnsDeletedObject: true },
  defaults: taintDefaults,
  conversions: {
    'resource.k8s.io/v1': sliceFromBeta1,
    'resource.k8s.io/v1beta2': sliceFromBeta1,
    'resource.k8s.io/v1beta1': sliceToBeta1,
  },
  table: async () => (await import('./table.ts')).resourceSlices,
});
