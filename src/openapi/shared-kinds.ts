import type { GroupVersionKind } from '../api/meta/group-version.ts';
import { builtInGroups } from '../schema/kubernetes/resources.ts';

// Kinds of meta/v1 that are registered in every version, and the GroupVersionKinds that documents list for them.

/** Such kinds are listed for the core group and for the document's own version. */
export function kindsIn(
  version: Pick<GroupVersionKind, 'group' | 'version'> | undefined,
  kind: string,
): GroupVersionKind[] {
  const core = { group: '', version: 'v1', kind };
  return version === undefined || version.group === '' ? [core] : [core, { ...version, kind }];
}

export function kindsOfAllVersions(kind: string): GroupVersionKind[] {
  const known = builtInGroups().flatMap(({ name, versions, unservedVersions }) =>
    [...versions, ...unservedVersions].map((version) => ({ group: name, version })),
  );
  return known
    .map((version) => ({ ...version, kind }))
    .toSorted((a, b) => (`${a.group} ${a.version}` < `${b.group} ${b.version}` ? -1 : 1));
}

/** Groups that client-go does not include. */
const notOfClients: ReadonlySet<string> = new Set([
  'admission.k8s.io',
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
  'imagepolicy.k8s.io',
]);

/** In custom resource documents they are listed for all versions known to client-go. */
export function kindsOfClients(kind: string): GroupVersionKind[] {
  return kindsOfAllVersions(kind).filter(({ group }) => !notOfClients.has(group));
}
