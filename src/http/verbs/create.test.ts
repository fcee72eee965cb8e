import { afterAll, expect, test } from 'vitest';
import { openMemoryApi } from '../routes/testdata/memory-api.ts';

const api = await openMemoryApi();
afterAll(() => api[Symbol.asyncDispose]());
const path = '/api/v1/namespaces/default/configmaps';

test('a POST stores the object and responds with it', async () => {
  const created = await api.send('POST', path, { body: { metadata: { name: 'a' }, data: { key: 'value' } } });
  expect(created.status).toBe(201);
  expect(created.headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'no-cache, private' });
  const { metadata, ...rest } = created.json() as { readonly metadata: object };
  expect(rest).toEqual({ kind: 'ConfigMap', apiVersion: 'v1', data: { key: 'value' } });
  expect(metadata).toMatchObject({ name: 'a', namespace: 'default', resourceVersion: expect.stringMatching(/^\d+$/) });
  expect((await api.send('GET', `${path}/a`)).json()).toEqual(created.json());
});

test('a name is generated', async () => {
  const created = await api.send('POST', path, { body: { metadata: { generateName: 'made-' } } });
  expect(created.status).toBe(201);
  expect(created.json()).toMatchObject({
    metadata: { generateName: 'made-', name: expect.stringMatching(/^made-.{5}$/) },
  });
});

test('a dry run stores nothing', async () => {
  const body = { metadata: { name: 'dry' } };
  expect((await api.send('POST', `${path}?dryRun=All`, { body })).status).toBe(201);
  expect((await api.send('GET', `${path}/dry`)).status).toBe(404);
});

test('the manager of fields is the one of the options', async () => {
  const body = { metadata: { name: 'managed' }, data: { a: 'b' } };
  const created = await api.send('POST', `${path}?fieldManager=me`, { body });
  expect(created.json()).toMatchObject({ metadata: { managedFields: [{ manager: 'me', operation: 'Update' }] } });
});

test('unknown fields are warned of, or refused', async () => {
  const body = { metadata: { name: 'unknown' }, color: 'red' };
  const warned = await api.send('POST', `${path}?dryRun=All&fieldValidation=Warn`, { body });
  expect(warned.status).toBe(201);
  expect(warned.headers['warning']).toEqual(['299 - "unknown field \\"color\\""']);
  const refused = await api.send('POST', `${path}?fieldValidation=Strict`, { body });
  expect(refused.status).toBe(400);
  expect(refused.json()).toMatchObject({
    reason: 'BadRequest',
    message: expect.stringContaining('unknown field "color"'),
  });
});

test.each([
  ['a name that exists', '', { metadata: { name: 'a' } }, 409, 'AlreadyExists'],
  ['an invalid name', '', { metadata: { name: 'A_' } }, 422, 'Invalid'],
  ['another namespace', '', { metadata: { name: 'b', namespace: 'other' } }, 400, 'BadRequest'],
  ['another kind', '', { kind: 'Secret', apiVersion: 'v1', metadata: { name: 'b' } }, 400, 'BadRequest'],
  ['a body that is no object', '', '[]', 400, 'BadRequest'],
  ['an unknown dry run', '?dryRun=Some', { metadata: { name: 'b' } }, 422, 'Invalid'],
  ['an unknown field validation', '?fieldValidation=Some', { metadata: { name: 'b' } }, 422, 'Invalid'],
])('%s is refused', async (_, query, body, code, reason) => {
  const refused = await api.send('POST', path + query, { body });
  expect(refused.json()).toMatchObject({ kind: 'Status', status: 'Failure', code, reason });
  expect(refused.status).toBe(code);
});

test('a resource version is refused', async () => {
  const refused = await api.send('POST', path, { body: { metadata: { name: 'b', resourceVersion: '1' } } });
  expect(refused.json()).toMatchObject({
    code: 500,
    message: 'resourceVersion should not be set on objects to be created',
  });
});

test('a media type that is not served is refused', async () => {
  const headers = { 'content-type': 'text/plain' };
  const refused = await api.send('POST', path, { body: '{}', headers });
  expect(refused.status).toBe(415);
});

test('a body in YAML is answered in YAML', async () => {
  const headers = { 'content-type': 'application/yaml', accept: 'application/yaml' };
  const created = await api.send('POST', path, { body: 'metadata:\n  name: yaml\n', headers });
  expect(created.status).toBe(201);
  expect(created.headers['content-type']).toBe('application/yaml');
  expect(created.text).toContain('\n  name: yaml\n');
});
