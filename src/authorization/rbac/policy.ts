import { FollowedIndex, type FollowedIndexOptions, type IndexReader } from '../../api/client/followed-index.ts';
import { PolicyIndex } from './policy-index.ts';
import { bindingOf, roleOf } from './policy-objects.ts';

/** The current roles and bindings. */
export type RbacPolicy = FollowedIndex<PolicyIndex>;

type Reader = IndexReader<PolicyIndex>;

const ofRoles: Omit<Reader, 'resource'> = {
  set: (index, object) => index.setRole(roleOf(object)),
  remove: (index, name) => index.deleteRole(name),
};

const ofBindings: Omit<Reader, 'resource'> = {
  set: (index, object) => index.setBinding(bindingOf(object)),
  remove: (index, name) => index.deleteBinding(name),
};

const readers: readonly Reader[] = [
  { resource: policyResource('clusterroles'), ...ofRoles },
  { resource: policyResource('roles'), ...ofRoles },
  { resource: policyResource('clusterrolebindings'), ...ofBindings },
  { resource: policyResource('rolebindings'), ...ofBindings },
];

function policyResource(resource: string): Reader['resource'] {
  return { group: 'rbac.authorization.k8s.io', version: 'v1', resource };
}

export function rbacPolicy(options: Pick<FollowedIndexOptions<PolicyIndex>, 'client' | 'onError'>): RbacPolicy {
  return new FollowedIndex({ ...options, make: () => new PolicyIndex(), readers });
}
