import { setTimeout as sleep } from 'node:timers/promises';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/api/json/json.ts';
import type { ApiResponse, ApiClient } from '../api-client.ts';

/** A write of an object by the applier `one` or the updater `two`; `live` is the current object. */
type Write = readonly ['apply' | 'put' | 'merge', (live: JsonObject) => JsonObject, manager?: string];

/** Writes to an object some time after its creation. */
export interface AgainCase {
  readonly name: string;
  readonly collection: string;
  readonly first: Write;
  readonly second: Write;
  /** Whether the resourceVersion changes, and which times, in the reference. */
  readonly changes: boolean;
  readonly times: readonly string[];
}

const configMaps = '/api/v1/namespaces/default/configmaps';
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const statefulSets = '/apis/apps/v1/namespaces/default/statefulsets';
const pods = '/api/v1/namespaces/default/pods';

const configMap = (data: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata,
  data,
});
const selector = { matchLabels: { app: 'nginx' } };
const template = (container: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  metadata: { labels: { app: 'nginx' }, ...metadata },
  spec: { containers: [{ name: 'nginx', image: 'nginx:1.14.2', ...container }] },
});
const deployment = (container: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { labels: { app: 'nginx' } },
  spec: { replicas: 1, selector, template: template(container, metadata) },
});
const claims = (spec: JsonObject): JsonValue[] => [
  { metadata: { name: 'nginx' }, spec: { accessModes: ['ReadWriteOnce'], ...spec } },
];
const statefulSet = (memory: string, storage: string): JsonObject => ({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { labels: { app: 'nginx' } },
  spec: {
    serviceName: 'nginx',
    selector,
    template: template({ resources: { limits: { memory } } }),
    volumeClaimTemplates: claims({ resources: { requests: { storage } } }),
  },
});
const volumes = (source: JsonObject): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {},
  spec: { containers: [{ name: 'c', image: 'x' }], volumes: [{ name: 'v', ...source }] },
});
const port = { ports: [{ containerPort: 80 }] };

const same =
  (object: JsonObject): (() => JsonObject) =>
  () =>
    object;
const asItIs = (live: JsonObject): JsonObject => live;
const withoutOwners = ({ metadata, ...others }: JsonObject): JsonObject => {
  const { managedFields: _, ...kept } = isJsonObject(metadata) ? metadata : {};
  return { ...others, metadata: kept };
};

function twice(name: string, collection: string, object: JsonObject): AgainCase {
  const write: Write = ['apply', same(object)];
  return { name, collection, first: write, second: write, changes: false, times: [] };
}

const appliedPod: Write = ['apply', same(volumes({ emptyDir: {} }))];
const appliedMap: Write = ['apply', same(configMap({ a: '1' }))];
const mapCase = (name: string, second: Write, changes: boolean, ...times: string[]): AgainCase => ({
  name,
  collection: configMaps,
  first: appliedMap,
  second,
  changes,
  times,
});

export const againCases: readonly AgainCase[] = [
  twice('apply', configMaps, configMap({ a: '1' })),
  twice(
    'apply with nulls of the server',
    configMaps,
    configMap({ a: '1' }, { creationTimestamp: null, resourceVersion: null }),
  ),
  twice('apply of empty maps', configMaps, configMap({}, { labels: {}, annotations: {} })),
  twice('apply of a workload with an empty map', deployments, deployment(port, { annotations: {} })),
  twice('apply of an empty structure', pods, volumes({ emptyDir: {} })),
  twice('apply of quantities', statefulSets, statefulSet('2048Mi', '1Gi')),
  {
    name: 'apply of an equal quantity',
    collection: statefulSets,
    first: ['apply', same(statefulSet('2Gi', '1Gi'))],
    second: ['apply', same(statefulSet('2048Mi', '1Gi'))],
    changes: false,
    times: [],
  },
  {
    name: 'replacement of a pod by itself',
    collection: pods,
    first: appliedPod,
    second: ['put', asItIs],
    changes: false,
    times: [],
  },
  {
    name: 'replacement of quantities by themselves',
    collection: statefulSets,
    first: ['put', same(statefulSet('2048Mi', '1024Mi'))],
    second: ['put', asItIs],
    changes: false,
    times: [],
  },
  mapCase('replacement by itself', ['put', asItIs], false),
  mapCase('replacement without owners', ['put', withoutOwners], false),
  mapCase('an empty patch', ['merge', same({})], false),
  mapCase('a patch of the same value', ['merge', same({ data: { a: '1' } })], false),
  mapCase('a patch of another value', ['merge', same({ data: { a: '2' } })], true, 'two'),
  mapCase('a new value in a patch', ['merge', same({ data: { b: '1' } })], true, 'two'),
  mapCase('the same apply by another', ['apply', same(configMap({ a: '1' })), 'three'], true, 'three'),
  mapCase('an apply of less', ['apply', same(configMap({}))], true, 'one'),
  mapCase('an apply of nothing by another', ['apply', same(configMap({})), 'three'], true, 'three'),
];

const mediaTypes = {
  apply: 'application/apply-patch+yaml',
  put: 'application/json',
  merge: 'application/merge-patch+json',
} as const;

/** Plays all cases concurrently, since they wait until times differ. */
export async function outcomes(client: ApiClient): Promise<readonly Pick<AgainCase, 'name' | 'changes' | 'times'>[]> {
  const made: JsonObject[] = [];
  for (const [index, { collection, first }] of againCases.entries()) {
    made.push(await write(client, { collection, name: `again-${index}`, write: first, live: undefined }));
  }
  await sleep(1200);
  const results: Pick<AgainCase, 'name' | 'changes' | 'times'>[] = [];
  for (const [index, { name, collection, second }] of againCases.entries()) {
    const before = made[index];
    const after = await write(client, { collection, name: `again-${index}`, write: second, live: before });
    const [old, current] = [metadataOf(before), metadataOf(after)];
    const times = timesOf(old);
    const changed = [...timesOf(current)].filter(([manager, time]) => times.get(manager) !== time);
    results.push({
      name,
      changes: old['resourceVersion'] !== current['resourceVersion'],
      times: changed.map(([manager]) => manager).sort(),
    });
  }
  return results;
}

interface NamedWrite {
  readonly collection: string;
  readonly name: string;
  readonly write: Write;
  readonly live: JsonObject | undefined;
}

async function write(client: ApiClient, { collection, name, write: given, live }: NamedWrite): Promise<JsonObject> {
  const [operation, make, manager = operation === 'apply' ? 'one' : 'two'] = given;
  const made = make(live ?? {});
  const body = operation === 'merge' ? made : { ...made, metadata: { ...metadataOf(made), name } };
  const query = `?fieldManager=${manager}`;
  const answer: ApiResponse =
    operation === 'put'
      ? await client.send(
          live === undefined ? 'POST' : 'PUT',
          `${collection}${live === undefined ? '' : `/${name}`}${query}`,
          { body },
        )
      : await client.send('PATCH', `${collection}/${name}${query}`, { body, contentType: mediaTypes[operation] });
  if (answer.code >= 300) throw new Error(`${name}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

function metadataOf(object: JsonObject | undefined): JsonObject {
  const metadata = object?.['metadata'];
  return isJsonObject(metadata) ? metadata : {};
}

function timesOf({ managedFields = [] }: JsonObject): ReadonlyMap<string, JsonValue> {
  const entries = Array.isArray(managedFields) ? managedFields.filter(isJsonObject) : [];
  return new Map(entries.map(({ manager, time }) => [typeof manager === 'string' ? manager : '', time ?? null]));
}
