import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Pod } from '../../src/schema/kubernetes/generated/types/core-v1.ts';
import { configDefaults } from '../../src/server/config.ts';
import { ApiClient } from '../api-client.ts';
import { startTestServer, type TestServer } from '../server-fixture.ts';

let server: TestServer;
let client: ApiClient;

beforeAll(async () => {
  server = await startTestServer({}, { inMemory: true }, { config: { admission: configDefaults.admission } });
  client = await ApiClient.connect(server);
});

afterAll(async () => {
  client?.[Symbol.dispose]();
  await server?.[Symbol.asyncDispose]();
});

test('a pod that follows its namespace at once has its account and the account’s token', async () => {
  expect((await client.send('POST', '/api/v1/namespaces', { body: { metadata: { name: 'new' } } })).code).toBe(201);
  const spec = { containers: [{ name: 'c', image: 'i' }] };
  const { code, body } = await client.send('POST', '/api/v1/namespaces/new/pods', {
    body: { metadata: { name: 'p' }, spec },
  });
  expect(code, JSON.stringify(body)).toBe(201);
  const pod = body as unknown as Pod; // as it was made
  expect(pod.spec?.serviceAccountName).toBe('default');
  expect(pod.spec?.volumes?.[0]?.projected?.sources).toHaveLength(3);
});

test('what a custom resource definition brings is counted when it comes', { timeout: 30_000 }, async () => {
  const hard = { 'count/gizmos.quota.example.com': '1' };
  await client.send('POST', '/api/v1/namespaces/new/resourcequotas', {
    body: { metadata: { name: 'q' }, spec: { hard } },
  });
  const schema = { openAPIV3Schema: { type: 'object' } };
  const definition = {
    metadata: { name: 'gizmos.quota.example.com' },
    spec: {
      group: 'quota.example.com',
      scope: 'Namespaced',
      names: { plural: 'gizmos', singular: 'gizmo', kind: 'Gizmo', listKind: 'GizmoList' },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  };
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  expect((await client.send('POST', definitions, { body: definition })).code).toBe(201);
  const used = async (): Promise<string> =>
    JSON.stringify((await client.send('GET', '/api/v1/namespaces/new/resourcequotas/q')).body);
  await expect.poll(used, { timeout: 15_000, interval: 50 }).toContain('"used":{"count/gizmos.quota.example.com":"0"}');
  const gizmos = '/apis/quota.example.com/v1/namespaces/new/gizmos';
  const gizmo = (name: string) => ({ apiVersion: 'quota.example.com/v1', kind: 'Gizmo', metadata: { name } });
  expect((await client.send('POST', gizmos, { body: gizmo('one') })).code).toBe(201);
  expect((await client.send('POST', gizmos, { body: gizmo('two') })).body['message']).toBe(
    'gizmos.quota.example.com "two" is forbidden: exceeded quota: q, requested: count/gizmos.quota.example.com=1, used: count/gizmos.quota.example.com=1, limited: count/gizmos.quota.example.com=1',
  );
  await client.send('DELETE', `${definitions}/gizmos.quota.example.com`);
  await expect.poll(used, { timeout: 15_000, interval: 50 }).toContain('"used":{"count/gizmos.quota.example.com":"0"}');
});
