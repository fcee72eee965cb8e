import type { PodGroup } from '../../../schema/kubernetes/generated/types/scheduling-v1beta1.ts';
import { defineKind } from '../../define-kind.ts';
import { fixed, versions } from '../../parts/defaults/fill.ts';
import { declaredOfObject } from '../../parts/rules/declared.ts';
import { podGroup, podGroupStatusUpdate } from './validation.ts';

export const podGroupKind = defineKind<PodGroup>({
  group: 'scheduling.k8s.io',
  kind: 'PodGroup',
  strategy: { requireResourceVersion: true, statusKeepsMetadata: true },
  checks: { create: podGroup, update: declaredOfObject, subresources: { status: podGroupStatusUpdate } },
  responses: { statusHasNoTable: true },
  gatedDefaults: {
    PodGroupPreemptionPolicy: versions('io.k8s.api.scheduling', ['v1alpha3', 'v1beta1'], {
      PodGroupSpec: fixed({ preemptionPolicy: 'PreemptLowerPriority' }),
    }),
  },
  table: async () => (await import('./table.ts')).podGroups,
});
