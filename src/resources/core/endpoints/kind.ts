import type { Endpoints } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { defineKind } from '../../define-kind.ts';
import { always } from '../../kind-warnings.ts';
import { fixed } from '../../parts/defaults/fill.ts';
import { sameValue } from '../../parts/rules/same-value.ts';
import { endpointSubsets } from './validation.ts';
import { endpointsWarnings } from './warnings.ts';

export const endpointsKind = defineKind<Endpoints>({
  group: '',
  kind: 'Endpoints',
  strategy: { allowCreateOnUpdate: true },
  checks: {
    create: ({ subsets }) => endpointSubsets(subsets, 'subsets'),
    update: ({ subsets }, old) => (sameValue(subsets, old.subsets) ? [] : endpointSubsets(subsets, 'subsets')),
  },
  warnings: always(endpointsWarnings),
  defaults: { 'io.k8s.api.core.v1.EndpointPort': fixed({ protocol: 'TCP' }) },
  table: async () => (await import('./table.ts')).endpoints,
});
