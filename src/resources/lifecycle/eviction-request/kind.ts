import type { EvictionRequest } from '../../../schema/kubernetes/generated/types/lifecycle-v1alpha1.ts';
import { nameRules } from '../../../api/names.ts';
import { defineKind } from '../../define-kind.ts';
import { declaredOfObject } from '../../parts/rules/declared.ts';
import { statusConditions } from '../../parts/rules/status-conditions.ts';
import { declaredName } from '../declared-name.ts';

export const evictionRequestKind = defineKind<EvictionRequest>({
  group: 'lifecycle.k8s.io',
  kind: 'EvictionRequest',
  strategy: {
    generation: 'spec',
    nameRule: nameRules.longName,
    requireResourceVersion: true,
    statusKeepsMetadata: true,
  },
  checks: {
    create: function* (request) {
      yield* declaredName(request);
      yield* declaredOfObject(request);
    },
    update: declaredOfObject,
    subresources: {
      status: function* (request, old) {
        yield* statusConditions(request.status?.conditions, 'status.conditions');
        yield* declaredOfObject(request, old);
      },
    },
  },
  table: async () => (await import('./table.ts')).evictionRequests,
});
