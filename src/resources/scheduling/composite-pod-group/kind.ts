import type { CompositePodGroup } from '../../../schema/kubernetes/generated/types/scheduling-v1alpha3.ts';
import { defineKind } from '../../define-kind.ts';
import { fixed, versions } from '../../parts/defaults/fill.ts';

export const compositePodGroupKind = defineKind<CompositePodGroup>({
  group: 'scheduling.k8s.io',
  kind: 'CompositePodGroup',
  strategy: { requireResourceVersion: true, statusKeepsMetadata: true },
  answers: { statusHasNoTable: true },
  gatedDefaults: {
    PodGroupPreemptionPolicy: versions('io.k8s.api.scheduling', ['v1alpha3'], {
      CompositePodGroupSpec: fixed({ preemptionPolicy: 'PreemptLowerPriority' }),
    }),
  },
  table: async () => (await import('./table.ts')).compositePodGroups,
});
