import { isJsonObject, type JsonValue } from '../../src/api/json/json.ts';
import type { Step } from './step.ts';

const apiServices = '/apis/apiregistration.k8s.io/v1/apiservices';
export const aggregatedAccept = { accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' };

/** Versions of other servers, and the priorities of their groups: the highest possible, that of apps, ... */
const versions: readonly (readonly [version: string, group: string, priority: number])[] = [
  ['v1', 'stable.example', 20_000],
  ['v1beta1', 'acorn.example', 20_000],
  ['v1alpha1', 'acorn.example', 1],
  ['v2', 'birch.example', 17_800],
  ['v1', 'cedar.example', 1000],
  ['v1alpha1', 'aspen.example', 1000],
  ['v2', 'aspen.example', 1000],
];

/** Groups whose APIServices have high, low and equal priorities. */
export function* orderOfGroups(): Generator<Step> {
  for (const [version, group, groupPriorityMinimum] of versions) {
    const spec = { group, version, groupPriorityMinimum, versionPriority: 15 };
    const service = { name: 'nowhere', namespace: 'default' };
    const metadata = { name: `${version}.${group}` };
    const body = { apiVersion: 'apiregistration.k8s.io/v1', kind: 'APIService', metadata, spec: { ...spec, service } };
    yield { name: `${version} of ${group}`, method: 'POST', path: apiServices, body, pick: () => '' };
  }
  const until = (names: JsonValue): boolean =>
    Array.isArray(names) && versions.every(([version, group]) => names.includes(`${version} of ${group}`));
  yield { name: 'the order of groups', path: '/apis', pick: (body) => namesIn(body, 'groups'), until };
  const ofItems = (body: JsonValue): JsonValue => namesIn(body, 'items');
  yield { name: 'their order, aggregated', path: '/apis', headers: aggregatedAccept, pick: ofItems, until };
  for (const [version, group] of versions) {
    const path = `${apiServices}/${version}.${group}`;
    yield { name: `${version} of ${group} goes`, method: 'DELETE', path, pick: () => '' };
  }
}

function namesIn(list: JsonValue, field: 'groups' | 'items'): string[] {
  return groupsOf(list, field).flatMap((group) => {
    const versions = isJsonObject(group) && Array.isArray(group['versions']) ? group['versions'] : [];
    return versions.flatMap((each) => {
      const version = isJsonObject(each) ? each['version'] : undefined;
      return typeof version === 'string' ? [`${version} of ${groupName(group)}`] : [];
    });
  });
}

export function groupsOf(list: JsonValue, field: 'groups' | 'items'): readonly JsonValue[] {
  const all = isJsonObject(list) ? list[field] : [];
  return Array.isArray(all) ? all : [];
}

export function groupName(group: JsonValue): string {
  if (!isJsonObject(group)) return '';
  const name = isJsonObject(group['metadata']) ? group['metadata']['name'] : group['name'];
  return typeof name === 'string' ? name : '';
}
