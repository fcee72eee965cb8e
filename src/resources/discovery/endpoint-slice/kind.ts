import type { EndpointSlice } from '../../../schema/kubernetes/generated/types/discovery-v1.ts';
import { defineKind } from '../../define-kind.ts';
import { fixed } from '../../parts/defaults/fill.ts';
import { endpointSliceStrategy } from './strategy.ts';
import { endpointSlice, endpointSliceUpdate } from './validation.ts';
import { endpointSliceWarnings } from './warnings.ts';
import { sliceFromBeta1 } from './older-versions.ts';

export const endpointSliceKind = defineKind<EndpointSlice>({
  group: 'discovery.k8s.io',
  kind: 'EndpointSlice',
  strategy: endpointSliceStrategy,
  checks: { create: (slice) => endpointSlice(slice), update: endpointSliceUpdate },
  warnings: {
    create: function* (slice) {
      if (slice.addressType === 'FQDN') yield 'spec.addressType: FQDN endpoints are deprecated';
      yield* endpointSliceWarnings(slice);
    },
    update: (slice) => endpointSliceWarnings(slice),
  },
  defaults: { 'io.k8s.api.discovery.v1.EndpointPort': fixed({ name: '', protocol: 'TCP' }) },
  table: async () => (await import('./table.ts')).endpointSlices,
  olderVersions: {
    'discovery.k8s.io/v1beta1': sliceFromBeta1,
  },
});
