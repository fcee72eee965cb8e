import type { Authorizer } from '../api/authorization.ts';
import type { VerbHandler } from '../http/resource-request.ts';
import type { ResourceScope } from '../operations/resource-scope.ts';
import { accessReview } from '../http/virtual/access-review.ts';
import { binding } from '../http/virtual/binding.ts';
import { type Component, componentStatuses } from '../http/virtual/component-statuses.ts';
import { eviction } from '../http/virtual/eviction.ts';
import { selfSubjectReview } from '../http/virtual/self-subject-review.ts';
import type { ResourceScopes } from './resource-scopes.ts';

/** Resources that are operations, not objects (specification, "Terminology"), by `group/plural[/subresource]`. */
export function virtualResources(
  scopes: ResourceScopes,
  authorizer: Authorizer,
  components: readonly Component[],
): ReadonlyMap<string, VerbHandler> {
  const scopeOf = (group: string, plural: string): ResourceScope => {
    const scope = scopes.now.scopeOf(group, 'v1', plural);
    if (scope === undefined) throw new Error(`${plural} are not served`);
    return scope;
  };
  const bind = binding(() => scopeOf('', 'pods'));
  const evict = eviction(() => {
    const { store } = scopeOf('policy', 'poddisruptionbudgets');
    if (store === undefined) throw new Error('disruption budgets are not stored');
    return store;
  });
  return new Map<string, VerbHandler>([
    ['/bindings', bind],
    ['/componentstatuses', componentStatuses(components)],
    ['/pods/binding', bind],
    ['/pods/eviction', evict],
    ['authentication.k8s.io/selfsubjectreviews', selfSubjectReview],
    ['authorization.k8s.io/localsubjectaccessreviews', accessReview(authorizer, 'named')],
    ['authorization.k8s.io/selfsubjectaccessreviews', accessReview(authorizer, 'self')],
    ['authorization.k8s.io/subjectaccessreviews', accessReview(authorizer, 'named')],
  ]);
}
