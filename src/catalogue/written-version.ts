import type { GroupVersionKind } from '../api/meta/group-version.ts';
import { compareVersions } from '../api/values/version-order.ts';
import { compareReleases, releaseBefore } from '../schema/kubernetes/feature-gates.ts';
import type { Resource } from '../schema/resource.ts';

/** Kinds that kube-apiserver stores in the same version whatever release it emulates. */
const pinned: ReadonlySet<string> = new Set([
  'certificates.k8s.io/ClusterTrustBundle',
  'certificates.k8s.io/PodCertificateRequest',
  'coordination.k8s.io/LeaseCandidate',
  'lifecycle.k8s.io/Eviction',
  'lifecycle.k8s.io/EvictionRequest',
  'resource.k8s.io/DeviceTaintRule',
  'resource.k8s.io/ResourcePoolStatusRequest',
  'scheduling.k8s.io/CompositePodGroup',
  'scheduling.k8s.io/PodGroup',
  'scheduling.k8s.io/Workload',
  'storagemigration.k8s.io/StorageVersionMigration',
]);

/**
 * The version in which a kind is written to the store; undefined if it is the one kept in memory. The previous release,
 * to which one may have to roll back, must be able to read it. `resources` are the versions of one kind.
 */
export function writtenVersion(resources: readonly Resource[], release: string): GroupVersionKind | undefined {
  const place = resources.find(({ storage }) => storage !== undefined)?.storage;
  if (place === undefined) return undefined;
  const { group, version, kind } = place;
  if (pinned.has(`${group}/${kind}`)) return undefined;
  const stored = resources.find((each) => each.group === group && each.version === version && each.kind === kind);
  // CustomResourceDefinitions are stored in a version that is no longer served.
  if (stored === undefined) return { group, version, kind };
  const known = resources
    .filter((each) => each.group === group && each.kind === kind)
    .toSorted((a, b) => compareVersions(a.version, b.version));
  const isThere = (resource: Resource, since: string): boolean =>
    resource.introduced === undefined || compareReleases(resource.introduced, since) <= 0;
  const before = releaseBefore(release);
  if (isThere(stored, before)) return undefined;
  const safe = known.find((each) => !each.version.includes('alpha') && isThere(each, before));
  // An unserved beta is in no table but that of the schemas.
  const chosen =
    safe?.version ?? (version === 'v1' ? 'v1beta1' : known.find((each) => isThere(each, release))?.version);
  return chosen === undefined || chosen === version ? undefined : { group, version: chosen, kind };
}
