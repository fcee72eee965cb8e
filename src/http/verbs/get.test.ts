import { afterAll, beforeAll, expect, test } from 'vitest';
import { openMemoryApi } from '../routes/testdata/memory-api.ts';

const api = await openMemoryApi();
afterAll(() => api[Symbol.asyncDispose]());
const path = '/api/v1/namespaces/default/configmaps';

beforeAll(async () => {
  await api.send('POST', path, { body: { metadata: { name: 'a' }, data: { key: 'value' } } });
});

test.each([
  ['application/json', 'application/json'],
  ['application/yaml', 'application/yaml'],
  ['application/vnd.kubernetes.protobuf', 'application/vnd.kubernetes.protobuf'],
  ['application/json;as=Table;v=v1;g=meta.k8s.io', 'application/json'],
  ['application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io', 'application/json'],
  ['text/html, */*', 'application/json'],
])('%s is answered in %s', async (accept, type) => {
  const found = await api.send('GET', `${path}/a`, { headers: { accept } });
  expect(found.status).toBe(200);
  expect(String(found.headers['content-type']).split(';')[0]).toBe(type);
});

test('a Table has a row, metadata nothing else', async () => {
  const as = (form: string): object => ({ headers: { accept: `application/json;as=${form};v=v1;g=meta.k8s.io` } });
  const table = await api.send('GET', `${path}/a`, as('Table'));
  expect(table.json()).toMatchObject({ kind: 'Table', rows: [{ cells: ['a', 1, expect.any(String)] }] });
  const metadata = await api.send('GET', `${path}/a`, as('PartialObjectMetadata'));
  expect(metadata.json()).toMatchObject({ kind: 'PartialObjectMetadata', metadata: { name: 'a' } });
  expect(metadata.json()).not.toHaveProperty('data');
});

test('any state that is recent enough is served', async () => {
  expect((await api.send('GET', `${path}/a?resourceVersion=0`)).status).toBe(200);
  expect((await api.send('GET', `${path}/a?resourceVersion=1`)).status).toBe(200);
});

test.each([
  ['a missing object', `${path}/missing`, 404, 'NotFound'],
  ['a missing resource', '/api/v1/namespaces/default/things/a', 404, 'NotFound'],
  ['a namespaced object without a namespace', '/api/v1/configmaps/a', 404, 'NotFound'],
  ['an invalid version', `${path}/a?resourceVersion=x`, 500, undefined],
  ['an export', `${path}/a?export=true`, 400, 'BadRequest'],
  ['a subresource that does not exist', `${path}/a/status`, 404, 'NotFound'],
])('%s is refused', async (_, target, code, reason) => {
  const refused = await api.send('GET', target);
  expect(refused.status).toBe(code);
  if (String(refused.headers['content-type']).startsWith('application/json'))
    expect(refused.json()).toMatchObject({ kind: 'Status', code, ...(reason && { reason }) });
});

test('a media type that is not served is refused', async () => {
  expect((await api.send('GET', `${path}/a`, { headers: { accept: 'text/html' } })).status).toBe(406);
});
