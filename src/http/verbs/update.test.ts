import { afterAll, beforeEach, expect, test } from 'vitest';
import { openMemoryApi } from '../routes/testdata/memory-api.ts';

const api = await openMemoryApi();
afterAll(() => api[Symbol.asyncDispose]());
const path = '/api/v1/namespaces/default/configmaps';

interface Stored {
  readonly metadata: { readonly uid: string; readonly resourceVersion: string };
}

let stored: Stored;

beforeEach(async () => {
  await api.send('DELETE', `${path}/a`);
  stored = (await api.send('POST', path, { body: { metadata: { name: 'a' }, data: { old: 'x' } } })).json() as Stored;
});

test('a PUT replaces the object', async () => {
  const body = { metadata: { name: 'a' }, data: { new: 'y' } };
  const updated = await api.send('PUT', `${path}/a`, { body });
  expect(updated.status).toBe(200);
  expect(updated.json()).toMatchObject({ metadata: { uid: stored.metadata.uid }, data: { new: 'y' } });
  expect(updated.json()).not.toHaveProperty('data.old');
  expect(Number((updated.json() as Stored).metadata.resourceVersion)).toBeGreaterThan(
    Number(stored.metadata.resourceVersion),
  );
});

test('what changes nothing is not written', async () => {
  const same = await api.send('PUT', `${path}/a`, { body: stored });
  expect(same.json()).toEqual(stored);
});

test('a dry run changes nothing', async () => {
  const body = { metadata: { name: 'a' }, data: { new: 'y' } };
  const dry = await api.send('PUT', `${path}/a?dryRun=All`, { body });
  expect(dry.json()).toMatchObject({ data: { new: 'y' } });
  expect((await api.send('GET', `${path}/a`)).json()).toEqual(stored);
});

test('some kinds are created by a PUT', async () => {
  const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
  const created = await api.send('PUT', `${leases}/made`, { body: { metadata: { name: 'made' } } });
  expect(created.status).toBe(201);
  expect((await api.send('PUT', `${leases}/made`, { body: created.json() as object })).status).toBe(200);
});

test.each([
  ['a missing object', 'missing', { metadata: { name: 'missing' } }, 404, 'NotFound'],
  ['another name than in the path', 'a', { metadata: { name: 'b' } }, 400, 'BadRequest'],
  ['another namespace than in the path', 'a', { metadata: { name: 'a', namespace: 'b' } }, 400, 'BadRequest'],
  ['an older version', 'a', { metadata: { name: 'a', resourceVersion: '1' } }, 409, 'Conflict'],
  ['another uid', 'a', { metadata: { name: 'a', uid: 'other' } }, 409, 'Conflict'],
  ['an invalid object', 'a', { metadata: { name: 'a' }, data: { '..': '' } }, 422, 'Invalid'],
  ['a body that is no JSON', 'a', '{', 400, 'BadRequest'],
  ['an unknown dry run', 'a?dryRun=Some', { metadata: { name: 'a' } }, 422, 'Invalid'],
])('%s is refused', async (_, target, body, code, reason) => {
  const refused = await api.send('PUT', `${path}/${target}`, { body });
  expect(refused.json()).toMatchObject({ kind: 'Status', code, reason });
  expect(refused.status).toBe(code);
  expect((await api.send('GET', `${path}/a`)).json()).toEqual(stored);
});

test('a collection is not replaced', async () => {
  expect((await api.send('PUT', path, { body: {} })).status).toBe(405);
});
