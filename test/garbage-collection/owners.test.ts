import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/api/json/json.ts';
import { ApiClient } from '../api-client.ts';
import { startTestServer, type TestServer } from '../server-fixture.ts';
import { settledObject, untilGone } from '../settled-object.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const unknownUid = '6b0a1d52-9a35-4f4c-8d7e-0c1b2a3d4e5f';

let server: TestServer;
let client: ApiClient;

beforeAll(async () => {
  server = await startTestServer({}, { inMemory: true });
  client = await ApiClient.connect(server);
});

afterAll(async () => {
  client?.[Symbol.dispose]();
  await server?.[Symbol.asyncDispose]();
});

async function make(path: string, body: JsonObject): Promise<string> {
  const answer = await client.send('POST', path, { body });
  expect(answer.code, JSON.stringify(answer.body)).toBe(201);
  return (answer.body['metadata'] as { uid: string }).uid;
}

const owned = (name: string, ...ownerReferences: JsonObject[]): JsonObject => ({ metadata: { name, ownerReferences } });

async function define(plural: string): Promise<string> {
  const schema = { openAPIV3Schema: { type: 'object' } };
  const kind = `${plural[0]?.toUpperCase()}${plural.slice(1)}`;
  const path = `${definitions}/${plural}.owners.example`;
  await make(definitions, {
    metadata: { name: `${plural}.owners.example` },
    spec: {
      group: 'owners.example',
      names: { plural, kind },
      scope: 'Namespaced',
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  });
  await settledObject(client, path);
  return path;
}

test('an owner in another namespace owns nothing, and an event tells so', async () => {
  await make('/api/v1/namespaces', { metadata: { name: 'other' } });
  const uid = await make('/api/v1/namespaces/other/configmaps', { metadata: { name: 'stranger' } });
  const body = owned('misled', { apiVersion: 'v1', kind: 'ConfigMap', name: 'stranger', uid });
  const dependent = await make(configMaps, body);
  await untilGone(client, `${configMaps}/misled`);
  const events = async (): Promise<unknown> =>
    (await client.send('GET', '/api/v1/namespaces/default/events?fieldSelector=involvedObject.name=misled')).body[
      'items'
    ];
  const message = `ownerRef [v1/ConfigMap, namespace: default, name: stranger, uid: ${uid}] does not exist in namespace "default"`;
  await expect.poll(events).toMatchObject([
    {
      type: 'Warning',
      reason: 'OwnerRefInvalidNamespace',
      message,
      involvedObject: { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'misled', uid: dependent },
      source: { component: 'garbage-collector-controller' },
    },
  ]);
  expect((await client.send('GET', '/api/v1/namespaces/other/configmaps/stranger')).code).toBe(200);
});

test('what custom resources own goes with their definition', async () => {
  const definition = await define('buoys');
  const uid = await make('/apis/owners.example/v1/namespaces/default/buoys', {
    apiVersion: 'owners.example/v1',
    kind: 'Buoys',
    metadata: { name: 'red' },
  });
  await make(configMaps, owned('anchored', { apiVersion: 'owners.example/v1', kind: 'Buoys', name: 'red', uid }));
  expect((await client.send('DELETE', definition)).code).toBe(200);
  await untilGone(client, `${configMaps}/anchored`);
});

test.each([
  { kind: 'ConfigMap', apiVersion: 'v1', path: configMaps, others: {} },
  {
    kind: 'Rings',
    apiVersion: 'owners.example/v1',
    path: '/apis/owners.example/v1/namespaces/default/rings',
    others: { blockOwnerDeletion: false },
  },
])('in a cycle of foreground deletions, references of a $kind block no more', async (row) => {
  const { kind, apiVersion, path, others } = row;
  if (kind === 'Rings') await define('rings');
  const merge = async (name: string, metadata: JsonObject): Promise<void> => {
    const answer = await client.send('PATCH', `${path}/${name}`, {
      contentType: 'application/merge-patch+json',
      body: { metadata },
    });
    expect(answer.code, JSON.stringify(answer.body)).toBe(200);
  };
  const made = async (name: string, ownerReferences: readonly JsonObject[] = []): Promise<JsonObject> => {
    const metadata = { name, ownerReferences: [...ownerReferences], finalizers: ['example.com/stay'] };
    return { apiVersion, kind, name, uid: await make(path, { apiVersion, kind, metadata }) };
  };
  const blocking = (reference: JsonObject): JsonObject => ({ ...reference, blockOwnerDeletion: true });
  const cycled = await made('cycled');
  const owners = [await made('one', [blocking(cycled)]), await made('other')] as const;
  // They keep both owners waiting.
  await made('dependent', [blocking(owners[0])]);
  await made('another', [blocking(owners[1])]);
  for (const name of ['one', 'other']) {
    await client.send('DELETE', `${path}/${name}`, { body: { propagationPolicy: 'Foreground' } });
  }
  await merge('cycled', { ownerReferences: [blocking(owners[0]), owners[1]] });
  // Now its owner waits for the cycled one, which is looked at for that.
  await merge('dependent', { finalizers: null });
  const left = async (): Promise<unknown> =>
    ((await client.send('GET', `${path}/cycled`)).body['metadata'] as JsonObject)['ownerReferences'];
  await expect.poll(left).toEqual([
    { ...owners[0], blockOwnerDeletion: false },
    { ...owners[1], ...others },
  ]);
  for (const name of ['cycled', 'one', 'other', 'another']) await merge(name, { finalizers: null });
  for (const name of ['cycled', 'one', 'other', 'dependent', 'another']) await untilGone(client, `${path}/${name}`);
});

test('an owner of a kind that is not served keeps its dependents until the kind is', async () => {
  await make(
    configMaps,
    owned('waiting', { apiVersion: 'owners.example/v1', kind: 'Charts', name: 'lost', uid: unknownUid }),
  );
  await sleep(300);
  expect((await client.send('GET', `${configMaps}/waiting`)).code).toBe(200);
  await define('charts');
  await untilGone(client, `${configMaps}/waiting`);
});

test('an object in no namespace stays, whatever namespaced owner it names', async () => {
  const path = '/api/v1/persistentvolumes';
  const spec = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/tmp' } };
  const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'lost', uid: unknownUid };
  await make(path, { ...owned('rooted', reference), spec });
  await sleep(300);
  expect((await client.send('GET', `${path}/rooted`)).code).toBe(200);
});
