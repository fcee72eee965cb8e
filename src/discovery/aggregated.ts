import type { JsonObject } from '../api/json/json.ts';
import { encodeRaw, quoteJson } from '../api/json/json-text.ts';
import type { Resource, Subresource } from '../schema/resource.ts';
import { isUnstructuredKind } from '../schema/unstructured.ts';
import type { CatalogueGroup, CatalogueVersion } from '../catalogue/catalogue-group.ts';

/**
 * One item of an APIGroupDiscoveryList (KEP-3352), encoded, in parts; undefined if nothing is known yet. What other
 * servers have told may be megabytes, and is not copied.
 */
export function aggregatedGroup({ name, versions }: CatalogueGroup): readonly Buffer[] | undefined {
  const listedVersions = versions.flatMap((version) => {
    const parts = aggregatedVersion(version);
    return parts === undefined ? [] : [parts];
  });
  if (listedVersions.length === 0) return undefined;
  const parts = listed(`{"metadata":${encodeRaw(name === '' ? {} : { name })},"versions":[`, listedVersions, ']}');
  return versions.some(({ remote }) => remote !== undefined) ? parts : [Buffer.concat(parts)];
}

function aggregatedVersion({ version, resources, remote }: CatalogueVersion): readonly Buffer[] | undefined {
  if (remote === undefined) {
    return [Buffer.from(encodeRaw({ version, resources: resources.map(entryOf), freshness: 'Current' }))];
  }
  const { advertised } = remote;
  if (advertised === undefined) return undefined;
  const start = `{"version":${quoteJson(version)},`;
  const end = `"freshness":"${advertised.isFresh ? 'Current' : 'Stale'}"}`;
  return advertised.byName.size === 0
    ? [Buffer.from(start + end)]
    : [Buffer.from(`${start}"resources":`), advertised.json, Buffer.from(`,${end}`)];
}

const comma = Buffer.from(',');

/** Items of a list between two texts, all in parts. */
export function listed(start: string, items: readonly (readonly Buffer[])[], end: string): readonly Buffer[] {
  const separated = items.flatMap((item, index) => (index === 0 ? item : [comma, ...item]));
  return [Buffer.from(start), ...separated, Buffer.from(end)];
}

function entryOf(resource: Resource): JsonObject {
  const {
    plural,
    namespaced,
    singular,
    verbs,
    discoveryVerbs = verbs,
    shortNames,
    categories,
    subresources,
  } = resource;
  const entry: JsonObject = {
    resource: plural,
    responseKind: responseKind(resource, resource),
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singular,
    verbs: [...discoveryVerbs],
  };
  if (shortNames.length > 0) entry['shortNames'] = [...shortNames];
  if (categories.length > 0) entry['categories'] = [...categories];
  if (subresources.length > 0) {
    entry['subresources'] = subresources.map((each) => subresourceEntry(resource, each));
  }
  return entry;
}

function subresourceEntry(resource: Resource, subresource: Subresource): JsonObject {
  const { name, verbs } = subresource;
  return { subresource: name, responseKind: responseKind(resource, subresource), verbs: [...verbs] };
}

/** Kinds of the version itself omit group and version, except for custom resources. */
function responseKind(resource: Resource, { group, version, kind }: Resource | Subresource): JsonObject {
  const own = group === resource.group && version === resource.version && !isUnstructuredKind(resource);
  return own ? { group: '', version: '', kind } : { group, version, kind };
}
