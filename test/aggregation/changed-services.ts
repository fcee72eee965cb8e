import { isJsonObject, type JsonObject, type JsonValue } from '../../src/api/json/json.ts';
import { aggregatedAccept, groupName, groupsOf } from './group-order.ts';
import type { Step } from './step.ts';

const apiServices = '/apis/apiregistration.k8s.io/v1/apiservices';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const merge = 'application/merge-patch+json';
const custom = 'delta.example';
/** Nobody serves it. */
const nobodys = 'ebb.example';
const watched: ReadonlySet<string> = new Set(['apps', 'autoscaling', 'batch', custom, nobodys]);

/** What discovery says when the APIServices of this server's own groups are changed, deleted, and made anew. */
export function* changedServices(): Generator<Step> {
  yield made(definitions, {
    metadata: { name: `tides.${custom}` },
    spec: {
      group: custom,
      scope: 'Namespaced',
      names: { plural: 'tides', kind: 'Tide' },
      versions: ['v1', 'v2'].map((name) => ({
        name,
        served: true,
        storage: name === 'v1',
        schema: { openAPIV3Schema: { type: 'object' } },
      })),
    },
  });
  yield {
    name: 'its APIService',
    path: `${apiServices}/v1.${custom}`,
    pick: (body) => (isJsonObject(body) ? (body['kind'] ?? null) : null),
    until: (kind) => kind === 'APIService',
  };
  yield* discovery('as they are', (text) => text.includes(`"${custom}: v2 v1"`));

  yield patched('v1.apps', { groupPriorityMinimum: 5 });
  yield* discovery('a low priority', (text) => text.endsWith('"apps: v1"]'));
  yield patched('v1.batch', { groupPriorityMinimum: 20_000 });
  yield* discovery('a high priority', (text) => text.startsWith('["batch: v1"'));
  yield patched('v1.autoscaling', { versionPriority: 20 });
  yield patched('v2.autoscaling', { versionPriority: 10 });
  yield* discovery('another preferred version', (text) => text.includes('"autoscaling: v1 v2"'), 'autoscaling');

  yield service('v1', nobodys, { groupPriorityMinimum: 19_000, versionPriority: 15 });
  yield* discovery('a group that nobody serves', (text) => text.includes(nobodys), nobodys);
  yield { name: 'its version', path: `/apis/${nobodys}/v1` };
  yield service('v2', 'batch', { groupPriorityMinimum: 19_000, versionPriority: 25 });
  yield* discovery('a version that nobody serves', (text) => text.includes('"batch: v2 v1"'), 'batch');

  yield deleted('v2.batch');
  yield deleted('v1.batch');
  yield* discovery('a group without APIServices', (text) => !text.includes('batch'), 'batch');
  yield deleted('v2.autoscaling');
  yield* discovery('a version without APIService', (text) => text.includes('"autoscaling: v1"'), 'autoscaling');
  yield service('v1', 'batch', { groupPriorityMinimum: 3, versionPriority: 15 });
  yield* discovery('an APIService made anew', (text) => text.endsWith('"batch: v1"]'));

  const unmanaged = { metadata: { labels: null }, spec: { groupPriorityMinimum: 18_500 } };
  yield { ...patched(`v1.${custom}`, {}), body: unmanaged };
  yield* discovery('one of a definition that is managed no longer', (text) =>
    text.startsWith(`["${nobodys}: v1","${custom}`),
  );
  yield deletedAt(`${definitions}/tides.${custom}`);
  yield* discovery('and outlives it', (text) => text.includes(`"${custom}: v1"`), custom);
  yield deleted(`v1.${custom}`);
  yield deleted(`v1.${nobodys}`);
  yield* discovery('those of nobody go', (text) => !text.includes('example'), nobodys);
}

function made(path: string, body: JsonObject): Step {
  return { name: `${path} is made`, method: 'POST', path, body, pick: () => '' };
}

function service(version: string, group: string, priorities: JsonObject): Step {
  const body = { metadata: { name: `${version}.${group}` }, spec: { group, version, ...priorities } };
  return { ...made(apiServices, body), name: `${version} of ${group} is made` };
}

function patched(name: string, spec: JsonObject): Step {
  const path = `${apiServices}/${name}`;
  return { name: `${name} is changed`, method: 'PATCH', path, body: { spec }, contentType: merge, pick: () => '' };
}

function deleted(name: string): Step {
  return { ...deletedAt(`${apiServices}/${name}`), name: `${name} is deleted` };
}

function deletedAt(path: string): Step {
  return { name: `${path} is deleted`, method: 'DELETE', path, pick: () => '' };
}

/** The groups of the test in both lists, and a group by itself. */
function* discovery(what: string, isDone: (listed: string) => boolean, group?: string): Generator<Step> {
  const listed = (body: JsonValue): JsonValue => versionsIn(body, 'groups');
  yield { name: what, path: '/apis', pick: listed, until: (picked) => isDone(JSON.stringify(picked)) };
  const ofItems = (body: JsonValue): JsonValue => versionsIn(body, 'items');
  yield { name: `${what}: aggregated`, path: '/apis', headers: aggregatedAccept, pick: ofItems };
  if (group !== undefined) yield { name: `${what}: the group`, path: `/apis/${group}` };
}

/** `batch: v2 v1`, the preferred version first. */
function versionsIn(list: JsonValue, field: 'groups' | 'items'): string[] {
  return groupsOf(list, field).flatMap((group) => {
    const name = groupName(group);
    const versions = isJsonObject(group) && Array.isArray(group['versions']) ? group['versions'] : [];
    const names = versions.map((each) => (isJsonObject(each) ? JSON.stringify(each['version']) : ''));
    return watched.has(name) ? [`${name}: ${names.join(' ').replaceAll('"', '')}`] : [];
  });
}
