import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/api/json/json.ts';
import { configDefaults } from '../../src/server/config.ts';
import { define, portOf, register, startBehind } from '../aggregation/behind.ts';
import { ApiClient } from '../api-client.ts';
import { startTestServer, type TestServer } from '../server-fixture.ts';
import { untilGone } from '../settled-object.ts';

// Owners and dependents on different servers: one that collects, and one behind it that does not.

const group = 'harbor.example';
const boats = `/apis/${group}/v1/namespaces/default/boats`;
const piers = `/apis/${group}/v1/piers`;
const configMaps = '/api/v1/namespaces/default/configmaps';
const apiService = `/apis/apiregistration.k8s.io/v1/apiservices/v1.${group}`;
const inBackground = { propagationPolicy: 'Background' };

const opened = new AsyncDisposableStack();
let client: ApiClient;
let front: TestServer;
let behind: TestServer;

beforeAll(async () => {
  const authorization = { ...configDefaults.authorization, modes: ['RBAC'] } as const;
  front = opened.use(await startTestServer({}, {}, { config: { authorization } }));
  client = opened.use(await ApiClient.connect(front));
  behind = opened.use(await startBehind(front.kubeconfigPath));
  await define(behind, { group, kind: 'Boat', plural: 'boats', namespaced: true });
  await define(behind, { group, kind: 'Pier', plural: 'piers', namespaced: false });
  await register(client, { group, port: portOf(behind) });
  await served();
}, 60_000);

afterAll(() => opened.disposeAsync());

async function served(): Promise<void> {
  const code = async (): Promise<number> => (await client.exchange('GET', boats, {})).code;
  for (const endMs = performance.now() + 20_000; (await code()) !== 200; await sleep(20)) {
    if (performance.now() > endMs) throw new Error('the server behind is not available');
  }
}

async function make(path: string, name: string, ...ownerReferences: JsonObject[]): Promise<JsonObject> {
  const kind = kindAt(path);
  const { code, body } = await client.send('POST', path, { body: { ...kind, metadata: { name, ownerReferences } } });
  expect(code, JSON.stringify(body)).toBe(201);
  const { uid } = body['metadata'] as { readonly uid: string };
  return { ...kind, name, uid, blockOwnerDeletion: true };
}

function kindAt(path: string): JsonObject {
  if (path === configMaps) return { apiVersion: 'v1', kind: 'ConfigMap' };
  return { apiVersion: `${group}/v1`, kind: path === piers ? 'Pier' : 'Boat' };
}

async function remove(path: string, body: JsonObject = inBackground): Promise<void> {
  const { code } = await client.send('DELETE', path, { body });
  expect([200, 202]).toContain(code);
}

async function metadataAt(path: string): Promise<JsonObject> {
  const { body } = await client.send('GET', path);
  return body['metadata'] as JsonObject; // every object has it
}

test.each([
  { owners: configMaps, dependents: boats },
  { owners: boats, dependents: configMaps },
  { owners: piers, dependents: boats },
])('dependents in $dependents go with their owner in $owners', async ({ owners, dependents }) => {
  const owner = await make(owners, 'gone');
  await make(dependents, 'taken', owner);
  await remove(`${owners}/gone`);
  await untilGone(client, `${dependents}/taken`);
});

test.each([
  { owners: configMaps, dependents: boats },
  { owners: boats, dependents: configMaps },
])('dependents in $dependents are deleted before their owner in $owners', async ({ owners, dependents }) => {
  const owner = await make(owners, 'last');
  await make(dependents, 'first', owner);
  const path = `${dependents}/first`;
  const held = {
    body: { metadata: { finalizers: ['example.com/hold'] } },
    contentType: 'application/merge-patch+json',
  };
  expect((await client.send('PATCH', path, held)).code).toBe(200);
  await remove(`${owners}/last`, { propagationPolicy: 'Foreground' });
  await expect.poll(() => metadataAt(path)).toHaveProperty('deletionTimestamp');
  expect(await metadataAt(`${owners}/last`)).toMatchObject({ finalizers: ['foregroundDeletion'] });
  const released = { ...held, body: { metadata: { finalizers: null } } };
  expect((await client.send('PATCH', path, released)).code).toBe(200);
  await untilGone(client, `${owners}/last`);
});

test.each([
  { owners: configMaps, dependents: boats },
  { owners: boats, dependents: configMaps },
])('dependents in $dependents are orphaned by their owner in $owners', async ({ owners, dependents }) => {
  const owner = await make(owners, 'parent');
  await make(dependents, 'orphan', owner);
  await remove(`${owners}/parent`, { propagationPolicy: 'Orphan' });
  await untilGone(client, `${owners}/parent`);
  expect(await metadataAt(`${dependents}/orphan`)).not.toHaveProperty('ownerReferences');
  await remove(`${dependents}/orphan`);
});

test('an owner is not missed while its server is away, and is when that server is back without it', async () => {
  const kept = await make(boats, 'kept');
  const lost = await make(boats, 'lost');
  await make(configMaps, 'of-kept', kept);
  await make(configMaps, 'of-lost', lost);
  await make(configMaps, 'of-both', kept, lost);
  const name = `v1.${group}`;
  const service = { port: 1 };
  const patched = { body: { spec: { service } }, contentType: 'application/merge-patch+json' };
  expect((await client.send('PATCH', apiService, patched)).code).toBe(200);
  await expect.poll(async () => (await client.exchange('GET', boats, {})).code).toBe(503);
  using direct = await ApiClient.connect(behind);
  expect((await direct.send('DELETE', `${boats}/lost`)).code).toBe(200);
  await make(configMaps, 'meanwhile', lost);
  await behind.restart();
  expect((await client.send('GET', `${configMaps}/meanwhile`)).code, name).toBe(200);
  const back = { ...patched, body: { spec: { service: { port: portOf(behind) } } } };
  expect((await client.send('PATCH', apiService, back)).code).toBe(200);
  await served();
  await untilGone(client, `${configMaps}/of-lost`);
  await untilGone(client, `${configMaps}/meanwhile`);
  await expect.poll(() => metadataAt(`${configMaps}/of-both`)).toMatchObject({ ownerReferences: [{ name: 'kept' }] });
  expect((await client.send('GET', `${configMaps}/of-kept`)).code).toBe(200);
}, 60_000);

test('a server whose APIService is deleted and created again', async () => {
  const owner = await make(boats, 'ferry');
  await make(configMaps, 'ticket', owner);
  await remove(apiService);
  await expect.poll(async () => (await client.exchange('GET', boats, {})).code).toBe(404);
  using direct = await ApiClient.connect(behind);
  expect((await direct.send('DELETE', `${boats}/ferry`)).code).toBe(200);
  await register(client, { group, port: portOf(behind) });
  await served();
  await untilGone(client, `${configMaps}/ticket`);
}, 60_000);

test('a namespace is emptied by watching what is held there', async () => {
  await client.send('POST', '/api/v1/namespaces', { body: { metadata: { name: 'doomed' } } });
  const path = `/apis/${group}/v1/namespaces/doomed/boats`;
  const body = { ...kindAt(path), metadata: { name: 'held', finalizers: ['example.com/hold'] } };
  expect((await client.send('POST', path, { body })).code).toBe(201);
  await remove('/api/v1/namespaces/doomed');
  await expect.poll(() => metadataAt(`${path}/held`)).toHaveProperty('deletionTimestamp');
  expect((await client.send('GET', '/api/v1/namespaces/doomed')).code).toBe(200);
  const released = { body: { metadata: { finalizers: null } }, contentType: 'application/merge-patch+json' };
  expect((await client.send('PATCH', `${path}/held`, released)).code).toBe(200);
  await untilGone(client, '/api/v1/namespaces/doomed');
}, 60_000);
