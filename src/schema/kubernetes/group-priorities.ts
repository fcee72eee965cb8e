/**
 * Discovery priorities of built-in groups, highest first. Groups not listed come last. Custom and aggregated groups
 * have priorities of their own in between.
 */
export const groupPriorities: { readonly [group: string]: number } = {
  // First among the named groups: APIServices have at most 20,000.
  'apiregistration.k8s.io': 20_001,
  '': 18_000,
  apps: 17_800,
  'events.k8s.io': 17_750,
  'authentication.k8s.io': 17_700,
  'authorization.k8s.io': 17_600,
  autoscaling: 17_500,
  batch: 17_400,
  'certificates.k8s.io': 17_300,
  'networking.k8s.io': 17_200,
  policy: 17_100,
  'rbac.authorization.k8s.io': 17_000,
  'storage.k8s.io': 16_800,
  'apiextensions.k8s.io': 16_700,
  'admissionregistration.k8s.io': 16_700,
  'scheduling.k8s.io': 16_600,
  'coordination.k8s.io': 16_500,
  'node.k8s.io': 16_300,
  'discovery.k8s.io': 16_200,
  'resource.k8s.io': 16_200,
  'flowcontrol.apiserver.k8s.io': 16_100,
  'internal.apiserver.k8s.io': 16_000,
  'storagemigration.k8s.io': 15_800,
  'lifecycle.k8s.io': 15_700,
};

/** Most versions of a group are ordered by maturity; these have other priorities. */
const versionPriorities: { readonly [groupVersion: string]: number } = {
  '/v1': 1,
  'admissionregistration.k8s.io/v1beta1': 12,
  'admissionregistration.k8s.io/v1alpha1': 9,
  'authentication.k8s.io/v1alpha1': 1,
  'authentication.k8s.io/v1beta1': 9,
  'autoscaling/v2': 30,
  'certificates.k8s.io/v1beta1': 9,
  'certificates.k8s.io/v1alpha1': 1,
  'coordination.k8s.io/v1beta1': 13,
  'coordination.k8s.io/v1alpha2': 12,
  'flowcontrol.apiserver.k8s.io/v1': 21,
  'internal.apiserver.k8s.io/v1alpha1': 9,
  'lifecycle.k8s.io/v1alpha1': 1,
  'networking.k8s.io/v1beta1': 9,
  'resource.k8s.io/v1': 21,
  'resource.k8s.io/v1beta1': 9,
  'resource.k8s.io/v1alpha3': 1,
  'scheduling.k8s.io/v1beta1': 9,
  'scheduling.k8s.io/v1alpha3': 3,
  'storage.k8s.io/v1beta1': 9,
  'storage.k8s.io/v1alpha1': 1,
  'storagemigration.k8s.io/v1beta1': 9,
};

export function versionPriority(group: string, version: string): number {
  return versionPriorities[`${group}/${version}`] ?? 15;
}
