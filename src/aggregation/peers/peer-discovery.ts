import { isJsonObject, type JsonObject, type JsonValue } from '../../api/json/json.ts';
import { nameOf, objectsIn, stringValue } from '../../api/json/json-parts.ts';

/** What another server of the store serves. */
export interface PeerDiscovery {
  /** `GROUP/VERSION/RESOURCE`; the core group is empty. */
  readonly resources: ReadonlySet<string>;
  /** Items of an APIGroupDiscoveryList, without the core group. */
  readonly groups: readonly JsonObject[];
}

export function resourceKey({ group, version, resource }: ResourceName): string {
  return `${group}/${version}/${resource}`;
}

interface ResourceName {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

/**
 * Reads APIGroupDiscoveryLists. Versions of custom resources and of other servers (`isForeign`) are left out: each
 * server of the store serves them, and knows best whether they still exist.
 */
export function readPeerDiscovery(
  lists: readonly JsonValue[],
  isForeign: (group: string, version: string) => boolean,
): PeerDiscovery {
  const resources = new Set<string>();
  const groups: JsonObject[] = [];
  for (const item of lists.flatMap(itemsOf)) {
    const group = nameOf(item);
    const versions = objectsIn(item['versions']).filter((each) => !isForeign(group, stringValue(each['version'])));
    for (const each of versions) {
      for (const { resource } of objectsIn(each['resources']))
        resources.add(resourceKey({ group, version: stringValue(each['version']), resource: stringValue(resource) }));
    }
    if (group !== '' && versions.length > 0) groups.push({ ...item, versions });
  }
  return { resources, groups };
}

function itemsOf(list: JsonValue): readonly JsonObject[] {
  return isJsonObject(list) ? objectsIn(list['items']) : [];
}
