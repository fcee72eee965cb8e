import type { JsonObject } from '../api/json.ts';
import type { Resource, Subresource } from '../schema/resource.ts';
import type { CatalogueGroup } from '../catalogue/catalogue-group.ts';

/** One item of an APIGroupDiscoveryList (KEP-3352). */
export function aggregatedGroup({ name, versions }: CatalogueGroup): JsonObject {
  return {
    metadata: name === '' ? {} : { name },
    versions: versions.map(({ version, resources }) => ({
      version,
      resources: resources.map(entryOf),
      freshness: 'Current',
    })),
  };
}

function entryOf(resource: Resource): JsonObject {
  const {
    plural,
    kind,
    namespaced,
    singular,
    verbs,
    toldVerbs = verbs,
    shortNames,
    categories,
    subresources,
  } = resource;
  return {
    resource: plural,
    // A kind of the group itself is told without group and version.
    responseKind: { group: '', version: '', kind },
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singular,
    verbs: [...toldVerbs],
    ...(shortNames.length === 0 ? {} : { shortNames: [...shortNames] }),
    ...(categories.length === 0 ? {} : { categories: [...categories] }),
    ...(subresources.length === 0
      ? {}
      : { subresources: subresources.map((each) => subresourceEntry(resource, each)) }),
  };
}

function subresourceEntry(resource: Resource, { name, group, version, kind, verbs }: Subresource): JsonObject {
  const foreign = group !== resource.group || version !== resource.version;
  return {
    subresource: name,
    responseKind: foreign ? { group, version, kind } : { group: '', version: '', kind },
    verbs: [...verbs],
  };
}
