import { isIP } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../api/clock.ts';
import { addressInRange, formatIpAddress, parseIpRange } from '../api/ip-address.ts';
import { copyJson, isJsonObject, type JsonObject, type JsonValue, setOwn } from '../api/json.ts';
import type { KubernetesObject } from '../api/object.ts';
import type { KindRegistry } from '../operations/kinds.ts';
import { modify } from '../operations/modify.ts';
import { type Operation, storeOfOperation } from '../operations/operation.ts';
import { formatSeconds } from '../registry/metadata.ts';
import { objectKey } from '../registry/store-kind.ts';
import { systemOperation, systemWrite } from './system-operation.ts';

/** An object that the server makes for itself. */
export interface BootstrapObject {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** What the object has at least; put back at each start. */
  readonly kept: JsonObject;
  /** What it has beside that when it is new. */
  readonly initial?: JsonObject;
  /** A condition of its status that is set when there is none of its type. */
  readonly condition?: { readonly type: string; readonly message: string };
}

export interface ApiAddress {
  /** Where others reach the server. */
  readonly host: string;
  readonly port: number;
  /** One range, or one of each address family; the first is the default. */
  readonly serviceRanges: readonly string[];
}

/** The classes that the priority plugin and the kubelet know by name. */
export const systemPriorityClasses: readonly BootstrapObject[] = [
  priorityClass(
    'system-node-critical',
    2_000_001_000,
    'Used for system critical pods that must not be moved from their current node.',
  ),
  priorityClass(
    'system-cluster-critical',
    2_000_000_000,
    'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
  ),
];

/** By which the API is reached. */
export function apiObjects(address: ApiAddress): readonly BootstrapObject[] {
  return [kubernetesService(address), ...apiEndpoints(address)];
}

/** Tells since when the uses of tokens of secrets are noted: who has no such label was not used since. */
export function legacyTokenTracking(nowMs: number): BootstrapObject {
  return {
    ...{ group: '', version: 'v1', resource: 'configmaps', kind: 'ConfigMap', namespace: 'kube-system' },
    name: 'kube-apiserver-legacy-service-account-token-tracking',
    kept: {},
    initial: { data: { since: new Date(nowMs).toISOString().slice(0, 10) } },
  };
}

/** Makes the object when it is missing and puts back what was changed; writes nothing when all is as it should be. */
export async function ensureObject(kinds: KindRegistry, wanted: BootstrapObject, clock: Clock): Promise<void> {
  const { group, version, resource, kind, namespace, name, kept, initial = {}, condition } = wanted;
  const scope = kinds.scopeOf(group, version, resource);
  if (scope?.store === undefined) return;
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const identity = { kind, apiVersion, metadata: { name, ...(namespace === '' ? {} : { namespace }) } };
  const place = { kinds, clock, namespace };
  await write(systemOperation(scope, place), name, (old) => overlay(overlay(old ?? copyJson(initial), identity), kept));
  if (condition === undefined) return;
  await write(systemOperation(scope, { ...place, subresource: 'status' }), name, (old) =>
    withCondition(old ?? {}, condition, clock.now()),
  );
}

/** Changes the object, or its subresource, by `change`; `old` is a copy. */
async function write(
  operation: Operation,
  name: string,
  change: (old: JsonObject | undefined) => JsonObject,
): Promise<void> {
  const { scope, namespace } = operation;
  const store = storeOfOperation(operation, 'update');
  const { kv } = await store.storage.get(objectKey(store, namespace, name));
  // At most starts all is as it should be, and an update would find that out at ten times the cost.
  if (kv !== undefined && !changesAnything(await scope.conversion.fromStored(store.codec.decode(kv)), change)) return;
  // Objects are JSON-shaped; `metadata` has a type of its own.
  const changed = (old: KubernetesObject | undefined): KubernetesObject =>
    change(old as unknown as JsonObject | undefined) as unknown as KubernetesObject;
  await modify(operation, name, changed, systemWrite);
}

function changesAnything(
  stored: Readonly<KubernetesObject>,
  change: (old: JsonObject | undefined) => JsonObject,
): boolean {
  // Objects are JSON-shaped.
  const before = stored as unknown as JsonObject;
  return !isDeepStrictEqual(change(copyJson(before)), before);
}

function withCondition(
  object: JsonObject,
  { type, message }: NonNullable<BootstrapObject['condition']>,
  nowMs: number,
): JsonObject {
  const status = isJsonObject(object['status']) ? object['status'] : {};
  const conditions = Array.isArray(status['conditions']) ? status['conditions'] : [];
  if (conditions.some((condition) => isJsonObject(condition) && condition['type'] === type)) return object;
  const lastTransitionTime = formatSeconds(nowMs);
  const added = { type, status: 'True', lastTransitionTime, reason: '', message };
  return { ...object, status: { ...status, conditions: [...conditions, added] } };
}

/** Objects are merged, all else is replaced. */
function overlay(base: JsonObject, top: JsonObject): JsonObject {
  for (const [key, value] of Object.entries(top)) {
    const below: JsonValue | undefined = base[key];
    setOwn(base, key, isJsonObject(value) && isJsonObject(below) ? overlay(below, value) : copyJson(value));
  }
  return base;
}

function priorityClass(name: string, value: number, description: string): BootstrapObject {
  return {
    group: 'scheduling.k8s.io',
    version: 'v1',
    resource: 'priorityclasses',
    kind: 'PriorityClass',
    namespace: '',
    name,
    kept: {},
    initial: { value, description },
  };
}

/** The ranges that services have their addresses from. */
export function serviceCidr(serviceRanges: readonly string[]): BootstrapObject {
  return {
    group: 'networking.k8s.io',
    version: 'v1',
    resource: 'servicecidrs',
    kind: 'ServiceCIDR',
    namespace: '',
    name: 'kubernetes',
    kept: {},
    initial: { spec: { cidrs: [...serviceRanges] } },
    condition: { type: 'Ready', message: 'Kubernetes default Service CIDR is ready' },
  };
}

const inDefault = { namespace: 'default', name: 'kubernetes' };

/** The service by which pods reach the server: the first address of the range. */
function kubernetesService({ port, serviceRanges: [serviceRange = ''] }: ApiAddress): BootstrapObject {
  const range = parseIpRange(serviceRange);
  if (range === undefined) throw new Error(`${JSON.stringify(serviceRange)} is no range of addresses`);
  const clusterIP = formatIpAddress(addressInRange(range, 1n));
  return {
    group: '',
    version: 'v1',
    resource: 'services',
    kind: 'Service',
    ...inDefault,
    kept: {
      spec: { type: 'ClusterIP', ports: [{ name: 'https', protocol: 'TCP', port: 443, targetPort: port }] },
    },
    initial: {
      metadata: { labels: { component: 'apiserver', provider: 'kubernetes' } },
      spec: {
        clusterIP,
        ipFamilies: [range.network.family === 4 ? 'IPv4' : 'IPv6'],
        ipFamilyPolicy: 'SingleStack',
        sessionAffinity: 'None',
      },
    },
  };
}

/** Where the service leads. A loopback address would mean the pod itself, so it is not told. */
function apiEndpoints({ host, port }: ApiAddress): readonly BootstrapObject[] {
  if (host.startsWith('127.') || host === '::1') return [];
  const ports = [{ name: 'https', port, protocol: 'TCP' }];
  return [
    {
      group: '',
      version: 'v1',
      resource: 'endpoints',
      kind: 'Endpoints',
      ...inDefault,
      kept: {
        metadata: { labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } },
        subsets: [{ addresses: [{ ip: host }], ports }],
      },
    },
    {
      group: 'discovery.k8s.io',
      version: 'v1',
      resource: 'endpointslices',
      kind: 'EndpointSlice',
      ...inDefault,
      kept: {
        metadata: { labels: { 'kubernetes.io/service-name': 'kubernetes' } },
        addressType: isIP(host) === 6 ? 'IPv6' : 'IPv4',
        endpoints: [{ addresses: [host], conditions: { ready: true } }],
        ports,
      },
    },
  ];
}
