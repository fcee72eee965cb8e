import type { ClientResource } from '../api/client/client.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../api/json/json.ts';
import { encodeRaw } from '../api/json/json-text.ts';
import { inSlices, TimeSlice } from '../api/scheduling/time-slice.ts';

/** A server returned an invalid document. */
export class DiscoveryError extends Error {
  override readonly name = 'DiscoveryError';
  readonly code = 'DISCOVERY';
}

/**
 * The resources of each version, by `GROUP/VERSION`, of an APIGroupDiscoveryList. Metrics are resources to some
 * servers: there may be thousands.
 */
export async function resourcesOfList(list: JsonValue): Promise<ReadonlyMap<string, readonly JsonObject[]>> {
  const found = new Map<string, readonly JsonObject[]>();
  for (const item of objectsIn(list, 'items')) {
    const { metadata } = item;
    const group = textIn(isJsonObject(metadata) ? metadata : {}, 'name');
    for (const version of objectsIn(item, 'versions')) {
      // oxlint-disable-next-line no-await-in-loop -- others run meanwhile
      const resources = await inSlices(objectsIn(version, 'resources'), resourceOf);
      found.set(`${group}/${textIn(version, 'version')}`, resources);
    }
  }
  return found;
}

/** Only fields of the format, in its order. */
function resourceOf(advertised: JsonObject): JsonObject {
  const subresources = objectsIn(advertised, 'subresources').map((each): JsonObject => ({
    subresource: textIn(each, 'subresource'),
    responseKind: kindIn(each),
    ...someTexts(each, 'acceptedTypes'),
    verbs: textsIn(each, 'verbs'),
  }));
  return {
    resource: textIn(advertised, 'resource'),
    responseKind: kindIn(advertised),
    scope: textIn(advertised, 'scope'),
    singularResource: textIn(advertised, 'singularResource'),
    verbs: textsIn(advertised, 'verbs'),
    ...someTexts(advertised, 'shortNames'),
    ...someTexts(advertised, 'categories'),
    ...(subresources.length === 0 ? {} : { subresources }),
  };
}

/** Clients expect one. */
function kindIn({ responseKind }: JsonObject): JsonObject {
  const { group = '', version = '', kind = '' } = isJsonObject(responseKind) ? responseKind : {};
  return { group: expectedString(group), version: expectedString(version), kind: expectedString(kind) };
}

/** The text of a list of resources. */
export async function encodedResources(resources: readonly JsonObject[]): Promise<Buffer> {
  const texts = await inSlices(resources, encodeRaw);
  return Buffer.from(`[${texts.join(',')}]`);
}

/** Resources of a version as clients see them, by name. */
export function clientResources(
  { group, version }: { readonly group: string; readonly version: string },
  resources: readonly JsonObject[],
): ReadonlyMap<string, ClientResource> {
  const byName = new Map<string, ClientResource>();
  for (const each of resources) {
    const resource = textIn(each, 'resource');
    const kind = expectedString(kindIn(each)['kind'] ?? '');
    const namespaced = textIn(each, 'scope') === 'Namespaced';
    byName.set(resource, { group, version, resource, namespaced, kind, verbs: textsIn(each, 'verbs') });
  }
  return byName;
}

/** The resources of an APIResourceList, in the aggregated form. */
export async function resourcesOfOldList(list: JsonValue): Promise<readonly JsonObject[]> {
  const resources = new Map<string, JsonObject>();
  const subresources: { readonly each: JsonObject; readonly path: string }[] = [];
  const timeSlice = new TimeSlice();
  for (const each of objectsIn(list, 'resources')) {
    // oxlint-disable-next-line no-await-in-loop -- others run meanwhile
    if (timeSlice.isOver) await timeSlice.next();
    const path = textIn(each, 'name');
    if (path.includes('/')) subresources.push({ each, path });
    else resources.set(path, oldResource(each, path));
  }
  const subresourcesOf = new Map<string, JsonObject[]>();
  for (const { each, path } of subresources) {
    // oxlint-disable-next-line no-await-in-loop -- as above
    if (timeSlice.isOver) await timeSlice.next();
    const slash = path.indexOf('/');
    const parent = path.slice(0, slash);
    const resource: JsonObject = resources.get(parent) ?? withoutParent(parent, each);
    if (resource['scope'] !== scopeOf(each)) throw new DiscoveryError(`${path} and ${parent} have different scopes`);
    const subresource = {
      subresource: path.slice(slash + 1),
      responseKind: oldKind(each),
      verbs: textsIn(each, 'verbs'),
    };
    const others = subresourcesOf.get(parent) ?? [];
    others.push(subresource);
    subresourcesOf.set(parent, others);
    resources.set(parent, { ...resource, subresources: others });
  }
  return [...resources.values()];
}

const noKind = { group: '', version: '', kind: '' } as const;

function withoutParent(resource: string, subresource: JsonObject): JsonObject {
  return { resource, responseKind: { ...noKind }, scope: scopeOf(subresource), singularResource: '', verbs: [] };
}

function oldResource(advertised: JsonObject, name: string): JsonObject {
  return {
    resource: name,
    responseKind: oldKind(advertised),
    scope: scopeOf(advertised),
    singularResource: textIn(advertised, 'singularName'),
    verbs: textsIn(advertised, 'verbs'),
    ...someTexts(advertised, 'shortNames'),
    ...someTexts(advertised, 'categories'),
  };
}

function oldKind(advertised: JsonObject): JsonObject {
  const kind = textIn(advertised, 'kind');
  return kind === ''
    ? { ...noKind }
    : { group: textIn(advertised, 'group'), version: textIn(advertised, 'version'), kind };
}

function scopeOf({ namespaced }: JsonObject): string {
  return namespaced === true ? 'Namespaced' : 'Cluster';
}

function objectsIn(value: JsonValue, field: string): readonly JsonObject[] {
  if (!isJsonObject(value)) throw new DiscoveryError('expected an object');
  const items = value[field] ?? [];
  if (!Array.isArray(items) || !items.every(isJsonObject))
    throw new DiscoveryError(`${field} is not a list of objects`);
  return items;
}

/** A list of its own. */
function textsIn(value: JsonObject, field: string): string[] {
  const items = value[field] ?? [];
  if (!Array.isArray(items)) throw new DiscoveryError(`${field} is not a list of strings`);
  return items.map(expectedString);
}

function someTexts(value: JsonObject, field: string): JsonObject {
  const texts = textsIn(value, field);
  return texts.length === 0 ? {} : { [field]: texts };
}

function textIn(value: JsonObject, field: string): string {
  return expectedString(value[field] ?? '');
}

function expectedString(value: JsonValue): string {
  if (typeof value !== 'string') throw new DiscoveryError('expected a string');
  return value;
}
