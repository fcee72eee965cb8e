import type { GroupVersionResource } from '../../api/meta/group-version.ts';

const reviewResources: ReadonlySet<string> = new Set([
  'authentication.k8s.io/selfsubjectreviews',
  'authentication.k8s.io/tokenreviews',
  'authorization.k8s.io/localsubjectaccessreviews',
  'authorization.k8s.io/selfsubjectaccessreviews',
  'authorization.k8s.io/selfsubjectrulesreviews',
  'authorization.k8s.io/subjectaccessreviews',
]);

/** Whether a resource is a review of users or permissions, which webhooks and policies need themselves. */
export function isReview({ group, resource }: Omit<GroupVersionResource, 'version'>): boolean {
  return reviewResources.has(`${group}/${resource}`);
}
