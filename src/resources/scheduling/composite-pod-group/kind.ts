import type { CompositePodGroup } from '../../../schema/kubernetes/generated/types/scheduling-v1alpha3.ts';
import { defineKind } from '../../define-kind.ts';
import { fixed, versions } from '../../parts/defaults/fill.ts';
import { declaredOfObject } from '../../parts/rules/declared.ts';
import { statusConditions } from '../../parts/rules/status-conditions.ts';

export const compositePodGroupKind = defineKind<CompositePodGroup>({
  group: 'scheduling.k8s.io',
  kind: 'CompositePodGroup',
  strategy: { requireResourceVersion: true, statusKeepsMetadata: true },
  checks: {
    create: (group) => declaredOfObject(group),
    update: declaredOfObject,
    subresources: {
      status: function* (group, old) {
        yield* statusConditions(group.status?.conditions, 'status.conditions');
        yield* declaredOfObject(group, old);
      },
    },
  },
  responses: { statusHasNoTable: true },
  gatedDefaults: {
    PodGroupPreemptionPolicy: versions('io.k8s.api.scheduling', ['v1alpha3'], {
      CompositePodGroupSpec: fixed({ preemptionPolicy: 'PreemptLowerPriority' }),
    }),
  },
  table: async () => (await import('./table.ts')).compositePodGroups,
});
