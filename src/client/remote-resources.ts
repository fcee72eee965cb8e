import type { ClientResource, RemoteResources } from '../api/client/client.ts';
import type { GroupVersionKind, GroupVersionResource } from '../api/meta/group-version.ts';
import { keptBy } from '../api/collections/kept-by.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { CatalogueVersion } from '../catalogue/catalogue-group.ts';

/** Resources of other servers in a snapshot, each in the first version that has it. */
export const remoteResources = keptBy(({ groups }: Catalogue): RemoteResources => {
  const resources: ClientResource[] = [];
  for (const { versions } of groups) {
    const earlier: ReadonlyMap<string, ClientResource>[] = [];
    for (const byName of versions.flatMap(advertisedByName)) {
      for (const each of byName.values()) if (!earlier.some((known) => known.has(each.resource))) resources.push(each);
      earlier.push(byName);
    }
  }
  const remote = groups.flatMap(({ versions }) => versions.flatMap((version) => version.remote ?? []));
  const unknown = remote.filter(({ advertised }) => advertised?.isFresh !== true);
  return { resources, unknown: unknown.map(({ group, version }) => `${group}/${version}`) };
});

/** A resource in the first version of another server that has it. */
export function remoteResource(
  catalogue: Catalogue,
  { group, resource }: Pick<GroupVersionResource, 'group' | 'resource'>,
): ClientResource | undefined {
  const byVersion = catalogue.group(group)?.versions.flatMap(advertisedByName) ?? [];
  return byVersion.find((byName) => byName.has(resource))?.get(resource);
}

/** The resource of a kind in a version of another server; undefined if it is not known to have it. */
export function remoteResourceOf(
  catalogue: Catalogue,
  { group, version, kind }: GroupVersionKind,
): ClientResource | undefined {
  const place = catalogue.group(group)?.version(version);
  const byVersion = place === undefined ? [] : advertisedByName(place);
  return byVersion.flatMap((byName) => [...byName.values()]).find((each) => each.kind === kind);
}

function advertisedByName({ remote }: CatalogueVersion): readonly ReadonlyMap<string, ClientResource>[] {
  return remote?.advertised === undefined ? [] : [remote.advertised.byName];
}
