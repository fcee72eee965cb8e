import type { Eviction } from '../../../schema/kubernetes/generated/types/lifecycle-v1alpha1.ts';
import { defineKind } from '../../define-kind.ts';
import { declaredOfObject } from '../../parts/rules/declared.ts';
import { statusConditions } from '../../parts/rules/status-conditions.ts';

export const evictionKind = defineKind<Eviction>({
  group: 'lifecycle.k8s.io',
  kind: 'Eviction',
  strategy: { generation: 'spec', requireResourceVersion: true, statusKeepsMetadata: true },
  checks: {
    create: (eviction) => declaredOfObject(eviction),
    update: declaredOfObject,
    subresources: {
      status: function* (eviction, old) {
        yield* statusConditions(eviction.status?.conditions, 'status.conditions');
        yield* declaredOfObject(eviction, old);
      },
    },
  },
  table: async () => (await import('./table.ts')).evictions,
});
