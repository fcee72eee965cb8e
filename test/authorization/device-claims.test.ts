import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/api/json/json.ts';
import { root, serverNames, startServers } from '../authentication/both-servers.ts';
import { TokenClient } from './token-client.ts';

const group = 'resource.k8s.io';
const claims = `/apis/${group}/v1/namespaces/default/resourceclaims`;
const bindings = '/apis/rbac.authorization.k8s.io/v1';
const account = 'system:serviceaccount:default:driver';
const onWorker = { 'Impersonate-Extra-authentication.kubernetes.io%2fnode-name': 'worker-1' };

const opened = new AsyncDisposableStack();
let urls: { readonly [name: string]: string };

beforeAll(async () => {
  const started = opened.use(await startServers(async () => []));
  ({ urls } = started);
}, 120_000);

afterAll(() => opened.disposeAsync());

const device = (driver: string, name = 'dev1') => ({ driver, pool: 'pool1', device: name });
const allocationOn = (node: string) => ({
  nodeSelector: {
    nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [node] }] }],
  },
  devices: {
    results: ['one.example', 'two.example'].map((driver) => ({ request: 'r', ...device(driver) })),
  },
});

type Grant = readonly [resource: 'binding' | 'driver', verbs: readonly string[], names?: readonly string[]];

interface Case {
  readonly name: string;
  readonly grants: readonly Grant[];
  readonly headers?: { readonly [name: string]: string };
  readonly method?: 'PUT' | 'PATCH';
  /** Merged into what is allocated. */
  readonly status: JsonObject;
  /** Causes of the refusal; absent: there is none. */
  readonly causes?: readonly string[];
}

const cannot = (verb: string, part: string, scope: string): string =>
  `User "${account}" cannot ${verb} resource "resourceclaims/${part}" in API group "${group}" ${scope}`;
const binding = (verb: string): string =>
  `Forbidden: changing status.allocation or status.reservedFor requires resource="resourceclaims/binding", verb="${verb}" permission: ` +
  `resourceclaims.${group} is forbidden: ${cannot(verb, 'binding', 'at the cluster scope')}`;
const driver = (name: string, verbs: readonly string[]): string =>
  `Forbidden: changing status.devices requires resource="resourceclaims/driver", verb="[${verbs.join(' ')}]" permission: ` +
  `resourceclaims.${group} "${name}" is forbidden: ${cannot(verbs[0] ?? '', 'driver', 'in the namespace "default"')}`;

const cases: readonly Case[] = [
  { name: 'what stays needs nothing', grants: [], status: {} },
  {
    name: 'a driver on any node',
    grants: [['driver', ['arbitrary-node:update'], ['one.example']]],
    status: { devices: [device('one.example')] },
  },
  {
    name: 'another driver',
    grants: [['driver', ['arbitrary-node:update'], ['two.example']]],
    status: { devices: [device('one.example')] },
    causes: [driver('one.example', ['arbitrary-node:update'])],
  },
  {
    name: 'two drivers, in order',
    grants: [],
    status: { devices: [device('two.example'), device('one.example')] },
    causes: [driver('one.example', ['arbitrary-node:update']), driver('two.example', ['arbitrary-node:update'])],
  },
  {
    name: 'a driver on the node of the claim',
    grants: [['driver', ['associated-node:update']]],
    headers: onWorker,
    status: { devices: [device('one.example')] },
  },
  {
    name: 'a driver elsewhere',
    grants: [['driver', ['associated-node:update']]],
    status: { devices: [device('one.example')] },
    causes: [driver('one.example', ['arbitrary-node:update'])],
  },
  {
    name: 'on the node without permission',
    grants: [],
    headers: onWorker,
    status: { devices: [device('one.example')] },
    causes: [driver('one.example', ['associated-node:update', 'arbitrary-node:update'])],
  },
  {
    name: 'a patch is no update',
    grants: [['driver', ['arbitrary-node:update']]],
    method: 'PATCH',
    status: { devices: [device('one.example')] },
    causes: [driver('one.example', ['arbitrary-node:patch'])],
  },
  { name: 'reserving', grants: [], status: { reservedFor: [pod()] }, causes: [binding('update')] },
  { name: 'reserving with permission', grants: [['binding', ['update']]], status: { reservedFor: [pod()] } },
  { name: 'letting go', grants: [], status: { allocation: null }, causes: [binding('update')] },
  {
    name: 'both at once',
    grants: [['driver', ['arbitrary-node:update']]],
    status: { reservedFor: [pod()], devices: [device('one.example')] },
    causes: [binding('update')],
  },
];

function pod(): JsonObject {
  return { resource: 'pods', name: 'pod-1', uid: 'uid-1' };
}

async function send(name: string, method: string, path: string, body: unknown, headers = {}): Promise<JsonObject> {
  using client = new TokenClient(urls[name] ?? '');
  const contentType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  return (await client.send({ method, path, token: root, body, contentType, headers })).body as JsonObject; // of the API
}

/** Roles of the cluster, which hold everywhere, to be had in the namespace or in the cluster. */
async function grant(name: string, title: string, [part, verbs, resourceNames]: Grant): Promise<void> {
  const metadata = { name: title };
  const rules = [{ apiGroups: [group], resources: [`resourceclaims/${part}`], verbs, resourceNames }];
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: title };
  const subjects = [{ kind: 'ServiceAccount', namespace: 'default', name: 'driver' }];
  await send(name, 'POST', `${bindings}/clusterroles`, { metadata, rules });
  const where = part === 'binding' ? 'clusterrolebindings' : 'namespaces/default/rolebindings';
  await send(name, 'POST', `${bindings}/${where}`, { metadata, roleRef, subjects });
}

async function revoke(name: string, title: string): Promise<void> {
  const paths = ['clusterrolebindings', 'namespaces/default/rolebindings', 'clusterroles'];
  for (const path of paths) await send(name, 'DELETE', `${bindings}/${path}/${title}`, undefined);
}

describe.each(serverNames)('%s', (name) => {
  beforeAll(async () => {
    const rules = [{ apiGroups: [group], resources: ['resourceclaims/status'], verbs: ['update', 'patch'] }];
    await send(name, 'POST', `${bindings}/clusterroles`, { metadata: { name: 'door' }, rules });
    await send(name, 'POST', `${bindings}/clusterrolebindings`, {
      metadata: { name: 'door' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'door' },
      subjects: [{ kind: 'ServiceAccount', namespace: 'default', name: 'driver' }],
    });
  });

  test.each(cases.map((each, index) => ({ ...each, index })))(
    '$name',
    async ({ index, grants, headers, method = 'PUT', status, causes }) => {
      const title = `c${index}`;
      const request = { name: 'r', firstAvailable: [{ name: 's', deviceClassName: 'class' }] };
      await send(name, 'POST', claims, { metadata: { name: title }, spec: { devices: { requests: [request] } } });
      const path = `${claims}/${title}/status`;
      const allocated = await send(name, 'PATCH', path, { status: { allocation: allocationOn('worker-1') } });
      expect(allocated).toMatchObject({ kind: 'ResourceClaim' });
      for (const each of grants) await grant(name, title, each);
      const as = { 'Impersonate-User': account, ...headers };
      const merged = { ...(allocated['status'] as JsonObject), ...status };
      const body = method === 'PATCH' ? { status } : { ...allocated, status: merged };
      // Policy arrives by watches.
      const waiting = { timeout: 3_000, interval: 100 };
      await expect
        .poll(async () => {
          const { kind, details } = await send(name, method, path, body, as);
          return kind === 'ResourceClaim' ? undefined : details;
        }, waiting)
        .toEqual(
          causes && {
            name: title,
            group,
            kind: 'ResourceClaim',
            causes: causes.map((message) => ({
              reason: 'FieldValueForbidden',
              message,
              field: message.includes('status.devices') ? 'status.devices' : 'status.allocation',
            })),
          },
        );
      await revoke(name, title);
    },
  );
});
