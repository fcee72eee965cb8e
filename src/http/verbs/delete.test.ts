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
  stored = (await api.send('POST', path, { body: { metadata: { name: 'a' } } })).json() as Stored;
});

test('a DELETE removes the object', async () => {
  const deleted = await api.send('DELETE', `${path}/a`);
  expect(deleted.status).toBe(200);
  const details = { name: 'a', kind: 'configmaps', uid: stored.metadata.uid };
  expect(deleted.json()).toMatchObject({ kind: 'Status', status: 'Success', details });
  expect((await api.send('GET', `${path}/a`)).status).toBe(404);
});

test('an object with finalizers is only marked', async () => {
  const finalizers = ['example.com/kept'];
  await api.send('POST', path, { body: { metadata: { name: 'kept', finalizers } } });
  const marked = await api.send('DELETE', `${path}/kept`);
  expect(marked.status).toBe(200);
  expect(marked.json()).toMatchObject({ metadata: { finalizers, deletionTimestamp: expect.any(String) } });
  await api.send('PUT', `${path}/kept`, { body: { metadata: { name: 'kept' } } });
  expect((await api.send('GET', `${path}/kept`)).status).toBe(404);
});

test('a propagation policy leaves its finalizer', async () => {
  const orphaned = await api.send('DELETE', `${path}/a?propagationPolicy=Orphan`);
  expect(orphaned.json()).toMatchObject({ metadata: { finalizers: ['orphan'] } });
  await api.send('PUT', `${path}/a`, { body: { metadata: { name: 'a' } } });
});

test('preconditions that hold', async () => {
  const { uid, resourceVersion } = stored.metadata;
  const body = { kind: 'DeleteOptions', apiVersion: 'v1', preconditions: { uid, resourceVersion } };
  expect((await api.send('DELETE', `${path}/a`, { body })).status).toBe(200);
});

test.each([
  ['a missing object', 'missing', undefined, 404, 'NotFound'],
  ['a precondition that does not hold', 'a', { preconditions: { uid: 'other' } }, 409, 'Conflict'],
  ['an older version', 'a', { preconditions: { resourceVersion: '1' } }, 409, 'Conflict'],
  ['an unknown policy', 'a', { propagationPolicy: 'Some' }, 422, 'Invalid'],
  ['a policy beside orphanDependents', 'a', { propagationPolicy: 'Orphan', orphanDependents: true }, 422, 'Invalid'],
  ['an unknown dry run', 'a?dryRun=Some', undefined, 422, 'Invalid'],
  ['a body of another kind', 'a', { kind: 'Pod', apiVersion: 'v1' }, 400, 'BadRequest'],
])('%s is refused', async (_, target, body, code, reason) => {
  const refused = await api.send('DELETE', `${path}/${target}`, body === undefined ? {} : { body });
  expect(refused.json()).toMatchObject({ kind: 'Status', code, reason });
  expect(refused.status).toBe(code);
  expect((await api.send('GET', `${path}/a`)).json()).toEqual(stored);
});

test('a dry run deletes nothing', async () => {
  expect((await api.send('DELETE', `${path}/a?dryRun=All`)).status).toBe(200);
  expect((await api.send('GET', `${path}/a`)).json()).toEqual(stored);
});
