import { nameRules } from '../../api/meta/names.ts';
import type { Eviction, EvictionRequest } from '../../schema/kubernetes/generated/types/lifecycle-v1alpha1.ts';
import type { KindRow } from '../define-kind.ts';
import { declaredOfObject } from '../parts/rules/declared.ts';
import { type Errors, longName } from '../parts/rules/rules.ts';
import { statusConditions } from '../parts/rules/status-conditions.ts';

/** The rules of evictions and of requests for them. */
export const evictingRules: Pick<KindRow<Eviction & EvictionRequest>, 'strategy' | 'checks'> = {
  strategy: {
    generation: 'spec',
    nameRule: nameRules.longName,
    requireResourceVersion: true,
    statusKeepsMetadata: true,
  },
  checks: {
    create: function* (object) {
      yield* declaredName(object);
      yield* declaredOfObject(object);
    },
    update: declaredOfObject,
    subresources: {
      status: function* (object, old) {
        yield* statusConditions(object.status?.conditions, 'status.conditions');
        yield* declaredOfObject(object, old);
      },
    },
  },
};

/** An absent name is validated as an empty one, besides being required. */
function declaredName({ metadata }: Eviction): Errors {
  return (metadata?.name ?? '') === '' ? longName('', 'metadata.name') : [];
}
