import { afterAll, beforeAll, expect, test } from 'vitest';
import { openMemoryApi } from '../routes/testdata/memory-api.ts';

const api = await openMemoryApi();
afterAll(() => api[Symbol.asyncDispose]());
const path = '/apis/apps/v1/namespaces/default/deployments';
const scale = `${path}/a/scale`;

beforeAll(async () => {
  const labels = { app: 'a' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const body = { metadata: { name: 'a' }, spec: { replicas: 2, selector: { matchLabels: labels }, template } };
  const created = await api.send('POST', path, { body });
  expect(created.status).toBe(201);
});

async function replicas(): Promise<number | undefined> {
  const { spec } = (await api.send('GET', `${path}/a`)).json() as { readonly spec: { readonly replicas?: number } };
  return spec.replicas;
}

test('a GET of the scale', async () => {
  const found = await api.send('GET', scale);
  expect(found.status).toBe(200);
  expect(found.json()).toMatchObject({
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name: 'a', namespace: 'default' },
    spec: { replicas: 2 },
    status: { replicas: 0, selector: 'app=a' },
  });
});

test('a PUT and a PATCH of the scale change the object', async () => {
  const updated = await api.send('PUT', scale, { body: { metadata: { name: 'a' }, spec: { replicas: 3 } } });
  expect(updated.json()).toMatchObject({ kind: 'Scale', spec: { replicas: 3 } });
  expect(await replicas()).toBe(3);
  const headers = { 'content-type': 'application/merge-patch+json' };
  const patched = await api.send('PATCH', scale, { body: { spec: { replicas: 4 } }, headers });
  expect(patched.json()).toMatchObject({ kind: 'Scale', spec: { replicas: 4 } });
  expect(await replicas()).toBe(4);
  const dry = await api.send('PATCH', `${scale}?dryRun=All`, { body: { spec: { replicas: 5 } }, headers });
  expect(dry.json()).toMatchObject({ spec: { replicas: 5 } });
  expect(await replicas()).toBe(4);
});

test('the status is another way to the object', async () => {
  const headers = { 'content-type': 'application/merge-patch+json' };
  const body = { spec: { replicas: 9 }, status: { replicas: 1 } };
  const patched = await api.send('PATCH', `${path}/a/status`, { body, headers });
  expect(patched.json()).toMatchObject({ kind: 'Deployment', status: { replicas: 1 } });
  expect(await replicas()).toBe(4);
});

test.each([
  ['negative replicas', 'PUT', scale, { metadata: { name: 'a' }, spec: { replicas: -1 } }, 422, 'Invalid'],
  ['another name', 'PUT', scale, { metadata: { name: 'b' }, spec: { replicas: 1 } }, 400, 'BadRequest'],
  ['an older version', 'PUT', scale, { metadata: { name: 'a', resourceVersion: '1' } }, 409, 'Conflict'],
  ['a missing object', 'PUT', `${path}/b/scale`, { metadata: { name: 'b' } }, 404, 'NotFound'],
  ['an unknown patch', 'PATCH', scale, {}, 415, 'UnsupportedMediaType'],
  ['a DELETE', 'DELETE', scale, undefined, 405, 'MethodNotAllowed'],
])('%s is refused', async (_, method, target, body, code, reason) => {
  const refused = await api.send(method, target, body === undefined ? {} : { body });
  expect(refused.json()).toMatchObject({ kind: 'Status', code, reason });
  expect(refused.status).toBe(code);
});
