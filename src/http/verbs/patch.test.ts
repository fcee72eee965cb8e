import { afterAll, beforeEach, expect, test } from 'vitest';
import { openMemoryApi } from '../routes/testdata/memory-api.ts';
import type { MemoryResponse } from '../routes/testdata/memory-exchange.ts';

const api = await openMemoryApi();
afterAll(() => api[Symbol.asyncDispose]());
const path = '/api/v1/namespaces/default/configmaps';

let stored: unknown;

beforeEach(async () => {
  await api.send('DELETE', `${path}/a`);
  stored = (await api.send('POST', path, { body: { metadata: { name: 'a' }, data: { old: 'x' } } })).json();
});

function patch(format: string, body: string | object, target = 'a'): Promise<MemoryResponse> {
  return api.send('PATCH', `${path}/${target}`, { body, headers: { 'content-type': `application/${format}` } });
}

test.each([
  ['merge-patch+json', { data: { new: 'y', old: null } }, { new: 'y' }],
  ['strategic-merge-patch+json', { data: { new: 'y' } }, { old: 'x', new: 'y' }],
  ['json-patch+json', [{ op: 'replace', path: '/data/old', value: 'y' }], { old: 'y' }],
  ['merge-patch+json;charset=utf-8', { data: { new: 'y' } }, { old: 'x', new: 'y' }],
])('a %s', async (format, body, data) => {
  const patched = await patch(format, body);
  expect(patched.status).toBe(200);
  expect(patched.json()).toMatchObject({ kind: 'ConfigMap', data });
  expect(Object.keys((patched.json() as { readonly data: object }).data).toSorted()).toEqual(
    Object.keys(data).toSorted(),
  );
  expect((await api.send('GET', `${path}/a`)).json()).toEqual(patched.json());
});

test('an apply creates an object, and owns its fields', async () => {
  const body = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: applied}\ndata: {key: value}\n';
  const created = await patch('apply-patch+yaml', body, 'applied?fieldManager=me');
  expect(created.status).toBe(201);
  expect(created.json()).toMatchObject({
    metadata: { name: 'applied', managedFields: [{ manager: 'me', operation: 'Apply' }] },
    data: { key: 'value' },
  });
  const again = await patch('apply-patch+yaml', body, 'applied?fieldManager=me');
  expect(again.status).toBe(200);
  expect(again.json()).toEqual(created.json());
});

test('an apply conflicts with the owner of a field, unless it is forced', async () => {
  const body = { apiVersion: 'v1', kind: 'ConfigMap', data: { old: 'y' } };
  const refused = await patch('apply-patch+yaml', body, 'a?fieldManager=me');
  expect(refused.json()).toMatchObject({
    code: 409,
    reason: 'Conflict',
    details: { causes: [{ reason: 'FieldManagerConflict', field: '.data.old' }] },
  });
  const forced = await patch('apply-patch+yaml', body, 'a?fieldManager=me&force=true');
  expect(forced.status).toBe(200);
  expect(forced.json()).toMatchObject({ data: { old: 'y' } });
});

test('a dry run changes nothing', async () => {
  const dry = await patch('merge-patch+json', { data: { new: 'y' } }, 'a?dryRun=All');
  expect(dry.json()).toMatchObject({ data: { new: 'y' } });
  expect((await api.send('GET', `${path}/a`)).json()).toEqual(stored);
});

const merge = 'merge-patch+json';

test.each([
  ['an unknown media type', 'json', '{}', 'a', 415, 'UnsupportedMediaType'],
  ['a missing object', merge, '{}', 'missing', 404, 'NotFound'],
  ['a patch that is no JSON', merge, '{', 'a', 400, 'BadRequest'],
  ['a patch of another version', merge, '{"metadata":{"resourceVersion":"1"}}', 'a', 409, 'Conflict'],
  ['a change of the name', merge, '{"metadata":{"name":"b"}}', 'a', 400, 'BadRequest'],
  ['a result that is invalid', merge, '{"data":{"..":""}}', 'a', 422, 'Invalid'],
  ['a test that fails', 'json-patch+json', '[{"op":"test","path":"/data/old","value":1}]', 'a', 422, 'Invalid'],
  ['force without apply', merge, '{}', 'a?force=true', 422, 'Invalid'],
  ['an apply without a manager', 'apply-patch+yaml', '{"kind":"ConfigMap","apiVersion":"v1"}', 'a', 422, 'Invalid'],
  [
    'an apply of another kind',
    'apply-patch+yaml',
    '{"kind":"Pod","apiVersion":"v1"}',
    'a?fieldManager=m',
    400,
    'BadRequest',
  ],
])('%s is refused', async (_, format, body, target, code, reason) => {
  const refused = await patch(format, body, target);
  expect(refused.json()).toMatchObject({ kind: 'Status', code, reason });
  expect(refused.status).toBe(code);
  expect((await api.send('GET', `${path}/a`)).json()).toEqual(stored);
});
