import type { Authorizer } from '../api/authorization.ts';
import type { VerbHandler } from '../http/resource-request.ts';
import { accessReview } from '../http/virtual/access-review.ts';
import { binding } from '../http/virtual/binding.ts';
import { selfSubjectReview } from '../http/virtual/self-subject-review.ts';
import type { ResourceScopes } from './resource-scopes.ts';

/** Resources that are operations, not objects (specification, "Terminology"), by `group/plural[/subresource]`. */
export function virtualResources(scopes: ResourceScopes, authorizer: Authorizer): ReadonlyMap<string, VerbHandler> {
  const bind = binding(() => {
    const pods = scopes.scopeOf('', 'v1', 'pods');
    if (pods === undefined) throw new Error('pods are not served');
    return pods;
  });
  return new Map<string, VerbHandler>([
    ['/bindings', bind],
    ['/pods/binding', bind],
    ['authentication.k8s.io/selfsubjectreviews', selfSubjectReview],
    ['authorization.k8s.io/localsubjectaccessreviews', accessReview(authorizer, 'named')],
    ['authorization.k8s.io/selfsubjectaccessreviews', accessReview(authorizer, 'self')],
    ['authorization.k8s.io/subjectaccessreviews', accessReview(authorizer, 'named')],
  ]);
}
