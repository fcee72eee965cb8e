import type { Eviction } from '../../../schema/kubernetes/generated/types/lifecycle-v1alpha1.ts';
import { nameRules } from '../../../api/names.ts';
import { defineKind } from '../../define-kind.ts';
import { declaredOfObject } from '../../parts/rules/declared.ts';
import { statusConditions } from '../../parts/rules/status-conditions.ts';
import { declaredName } from '../declared-name.ts';

export const evictionKind = defineKind<Eviction>({
  group: 'lifecycle.k8s.io',
  kind: 'Eviction',
  strategy: {
    generation: 'spec',
    nameRule: nameRules.longName,
    requireResourceVersion: true,
    statusKeepsMetadata: true,
  },
  checks: {
    create: function* (eviction) {
      yield* declaredName(eviction);
      yield* declaredOfObject(eviction);
    },
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
