import { formatApiVersion } from '../api/meta/group-version.ts';
import type { JsonObject } from '../api/json/json.ts';
import type { Resource, Subresource } from '../schema/resource.ts';
import { storageVersionHash } from '../schema/storage-version-hash.ts';

/** The APIResourceList of a version. */
export function resourceList(group: string, version: string, resources: readonly Resource[]): JsonObject {
  return {
    kind: 'APIResourceList',
    // The core group's list has never named its own version.
    ...(group === '' ? {} : { apiVersion: 'v1' }),
    groupVersion: formatApiVersion(group, version),
    resources: resources.flatMap((resource) => [
      entryOf(resource),
      ...resource.subresources.map((subresource) => subresourceEntry(resource, subresource)),
    ]),
  };
}

function entryOf(resource: Resource): JsonObject {
  const {
    plural,
    singular,
    namespaced,
    kind,
    verbs,
    discoveryVerbs = verbs,
    shortNames,
    categories,
    storage,
  } = resource;
  return {
    name: plural,
    singularName: singular,
    namespaced,
    kind,
    verbs: [...discoveryVerbs],
    ...(shortNames.length === 0 ? {} : { shortNames: [...shortNames] }),
    ...(categories.length === 0 ? {} : { categories: [...categories] }),
    ...(storage === undefined ? {} : { storageVersionHash: storageVersionHash(storage) }),
  };
}

function subresourceEntry(resource: Resource, { name, group, version, kind, verbs }: Subresource): JsonObject {
  const foreign = group !== resource.group || version !== resource.version;
  return {
    name: `${resource.plural}/${name}`,
    singularName: '',
    namespaced: resource.namespaced,
    ...(foreign ? { group, version } : {}),
    kind,
    verbs: [...verbs],
  };
}
