import { afterAll, beforeAll, expect, test } from 'vitest';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../../src/api/json/json.ts';
import { ApiClient, type ApiResponse } from '../api-client.ts';
import { startTestServer, type TestServer } from '../server-fixture.ts';

let server: TestServer;
let client: ApiClient;

beforeAll(async () => {
  server = await startTestServer();
  client = await ApiClient.connect(server);
});

afterAll(async () => {
  client?.[Symbol.dispose]();
  await server?.[Symbol.asyncDispose]();
});

const pathOf = (name: string): string => `/api/v1/namespaces/${name}`;

async function makeNamespace(name: string, spec: JsonObject = {}): Promise<JsonObject> {
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name }, spec };
  const answer = await client.send('POST', '/api/v1/namespaces', { body });
  expect(answer.code).toBe(201);
  return answer.body;
}

function makeConfigMap(namespace: string, name: string, metadata: JsonObject = {}): Promise<ApiResponse> {
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata } };
  return client.send('POST', `${pathOf(namespace)}/configmaps`, { body });
}

/** Returns the last response before the path was gone. */
async function untilGone(path: string): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    if ((await client.send('GET', path)).code === 404) return;
    await sleep(25);
  }
  throw new Error(`${path} is still there: ${JSON.stringify((await client.send('GET', path)).body)}`);
}

test('a new namespace is active, labelled with its name, and has the finalizer', async () => {
  expect(await makeNamespace('fresh')).toMatchObject({
    metadata: { labels: { 'kubernetes.io/metadata.name': 'fresh' } },
    spec: { finalizers: ['kubernetes'] },
    status: { phase: 'Active' },
  });
});

test('deleting a namespace deletes its contents, then the namespace', async () => {
  await makeNamespace('full');
  for (const name of ['a', 'b', 'c']) expect((await makeConfigMap('full', name)).code).toBe(201);
  const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'lease' } };
  const leases = '/apis/coordination.k8s.io/v1/namespaces/full/leases';
  expect((await client.send('POST', leases, { body: lease })).code).toBe(201);

  const deleted = await client.send('DELETE', pathOf('full'));
  expect(deleted.code).toBe(200);
  expect(deleted.body).toMatchObject({
    kind: 'Namespace',
    metadata: { deletionTimestamp: expect.any(String) },
    spec: { finalizers: ['kubernetes'] },
    status: { phase: 'Terminating' },
  });
  await untilGone(pathOf('full'));
  expect((await client.send('GET', leases)).body).toMatchObject({ items: [] });
  expect((await client.send('GET', `${pathOf('full')}/configmaps`)).body).toMatchObject({ items: [] });
});

test('objects with finalizers hold their namespace, which reports that and refuses new objects', async () => {
  await makeNamespace('held');
  await makeConfigMap('held', 'sealed', { finalizers: ['harbor.example/seal'] });
  await client.send('DELETE', pathOf('held'));
  await expect
    .poll(async () => (await client.send('GET', pathOf('held'))).body, { timeout: 5000 })
    .toMatchObject({
      status: {
        phase: 'Terminating',
        conditions: [
          { type: 'NamespaceDeletionDiscoveryFailure', status: 'False', reason: 'ResourcesDiscovered' },
          { type: 'NamespaceDeletionGroupVersionParsingFailure', status: 'False', reason: 'ParsedGroupVersions' },
          { type: 'NamespaceDeletionContentFailure', status: 'False', reason: 'ContentDeleted' },
          {
            type: 'NamespaceContentRemaining',
            status: 'True',
            reason: 'SomeResourcesRemain',
            message: 'Some resources are remaining: configmaps. has 1 resource instances',
          },
          {
            type: 'NamespaceFinalizersRemaining',
            status: 'True',
            reason: 'SomeFinalizersRemain',
            message:
              'Some content in the namespace has finalizers remaining: harbor.example/seal in 1 resource instances',
          },
        ],
      },
    });

  const refused = await makeConfigMap('held', 'late');
  expect(refused.code).toBe(403);
  expect(refused.body).toMatchObject({
    reason: 'Forbidden',
    message:
      'configmaps "late" is forbidden: unable to create new content in namespace held because it is being terminated',
    details: { causes: [{ reason: 'NamespaceTerminating' }] },
  });

  const again = await client.send('DELETE', pathOf('held'));
  expect(again.code).toBe(200);
  expect(again.body).toMatchObject({ kind: 'Namespace', status: { phase: 'Terminating' } });

  const patch = { body: { metadata: { finalizers: null } }, contentType: 'application/merge-patch+json' };
  await client.send('PATCH', `${pathOf('held')}/configmaps/sealed`, patch);
  await untilGone(pathOf('held'));
});

test('other finalizers hold a namespace until finalize removes them', async () => {
  await makeNamespace('shared', { finalizers: ['harbor.example/customs'] });
  await client.send('DELETE', pathOf('shared'));
  const remaining = async (): Promise<unknown> => (await client.send('GET', pathOf('shared'))).body['spec'];
  await expect.poll(remaining).toEqual({ finalizers: ['harbor.example/customs'] });
  const { body } = await client.send('GET', pathOf('shared'));
  const plain = await client.send('PUT', pathOf('shared'), { body: { ...body, spec: {} } });
  expect(plain.body['spec']).toEqual({ finalizers: ['harbor.example/customs'] });
  const latest = { ...plain.body, spec: {} };
  expect((await client.send('PUT', `${pathOf('shared')}/finalize`, { body: latest })).code).toBe(200);
  await untilGone(pathOf('shared'));
});

test('system namespaces cannot be deleted', async () => {
  for (const name of ['default', 'kube-system', 'kube-public']) {
    const { code, body } = await client.send('DELETE', pathOf(name));
    expect({ code, message: body['message'] }).toEqual({
      code: 403,
      message: `namespaces "${name}" is forbidden: this namespace may not be deleted`,
    });
  }
});

test('preconditions of namespaces and definitions have messages of their own, and come before all else', async () => {
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const names = { plural: 'boats', singular: 'boat', kind: 'Boat', listKind: 'BoatList' };
  const schema = { openAPIV3Schema: { type: 'object' } };
  const versions = [{ name: 'v1', served: true, storage: true, schema }];
  const spec = { group: 'harbor.example', names, scope: 'Namespaced', versions };
  await client.send('POST', definitions, { body: { metadata: { name: 'boats.harbor.example' }, spec } });
  // Its conditions are written first.
  const stored = async () => (await client.send('GET', `${definitions}/boats.harbor.example`)).body;
  const established = { type: 'Established', status: 'True' };
  await expect
    .poll(stored)
    .toMatchObject({ status: { conditions: expect.arrayContaining([expect.objectContaining(established)]) } });
  for (const [path, what, begin] of [
    [pathOf('default'), 'namespaces "default"', 'Precondition failed'],
    [
      `${definitions}/boats.harbor.example`,
      'customresourcedefinitions.apiextensions.k8s.io "boats.harbor.example"',
      'precondition failed',
    ],
  ] as const) {
    const { body: found } = await client.send('GET', path);
    const { uid, resourceVersion } = found['metadata'] as { readonly uid: string; readonly resourceVersion: string };
    for (const [preconditions, field, value] of [
      [{ uid: 'x' }, 'UID', uid],
      [{ resourceVersion: 'x' }, 'ResourceVersion', resourceVersion],
    ] as const) {
      const { code, body } = await client.send('DELETE', path, { body: { preconditions } });
      expect({ code, message: body['message'] }).toEqual({
        code: 409,
        message: `Operation cannot be fulfilled on ${what}: ${begin}: ${field} in precondition: x, ${field} in object meta: ${value}`,
      });
    }
  }
});

test('a dry run deletes nothing', async () => {
  await makeNamespace('rehearsed');
  const { body } = await client.send('DELETE', `${pathOf('rehearsed')}?dryRun=All`);
  expect(body).toMatchObject({ status: { phase: 'Terminating' } });
  expect((await client.send('GET', pathOf('rehearsed'))).body).toMatchObject({ status: { phase: 'Active' } });
});

test('a restarted server completes deletions in progress', async () => {
  await makeNamespace('half');
  await makeConfigMap('half', 'sealed', { finalizers: ['harbor.example/seal'] });
  await client.send('DELETE', pathOf('half'));
  client[Symbol.dispose]();
  await server.restart();
  client = await ApiClient.connect(server);
  const patch = { body: { metadata: { finalizers: null } }, contentType: 'application/merge-patch+json' };
  expect((await client.send('PATCH', `${pathOf('half')}/configmaps/sealed`, patch)).code).toBe(200);
  await untilGone(pathOf('half'));
});
