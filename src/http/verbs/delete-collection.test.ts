import { afterAll, beforeEach, expect, test } from 'vitest';
import { openMemoryApi } from '../routes/testdata/memory-api.ts';

const api = await openMemoryApi();
afterAll(() => api[Symbol.asyncDispose]());
const path = '/api/v1/namespaces/default/configmaps';
const other = '/api/v1/namespaces/other/configmaps';

beforeEach(async () => {
  for (const [name, color] of Object.entries({ a: 'red', b: 'blue', c: 'red' })) {
    // oxlint-disable-next-line no-await-in-loop -- in order
    await api.send('POST', path, { body: { metadata: { name, labels: { color } } } });
  }
  await api.send('POST', other, { body: { metadata: { name: 'd' } } });
});

async function names(): Promise<readonly string[]> {
  const { items } = (await api.send('GET', '/api/v1/configmaps')).json() as {
    readonly items: readonly { readonly metadata: { readonly name: string } }[];
  };
  return items.map(({ metadata }) => metadata.name);
}

test.each([
  ['', ['d']],
  ['?labelSelector=color%3Dred', ['b', 'd']],
  ['?fieldSelector=metadata.name%3Db', ['a', 'c', 'd']],
  ['?labelSelector=color%3Dgreen', ['a', 'b', 'c', 'd']],
  ['?dryRun=All', ['a', 'b', 'c', 'd']],
])('%j leaves %j', async (query, left) => {
  const deleted = await api.send('DELETE', path + query);
  expect(deleted.status).toBe(200);
  expect(deleted.json()).toMatchObject({ kind: 'ConfigMapList', apiVersion: 'v1' });
  expect(await names()).toEqual(left);
});

test('the response has what was deleted', async () => {
  const { items } = (await api.send('DELETE', `${path}?labelSelector=color%3Dblue`)).json() as {
    readonly items: readonly object[];
  };
  expect(items).toMatchObject([{ metadata: { name: 'b' } }]);
});

test.each([
  ['a selector', '?labelSelector=%3D%3D', undefined, 400, 'BadRequest'],
  ['a field that is not selectable', '?fieldSelector=data%3Dx', undefined, 400, 'BadRequest'],
  ['an unknown policy', '', { propagationPolicy: 'Some' }, 422, 'Invalid'],
  ['an unknown dry run', '?dryRun=Some', undefined, 422, 'Invalid'],
])('%s is refused', async (_, query, body, code, reason) => {
  const refused = await api.send('DELETE', path + query, body === undefined ? {} : { body });
  expect(refused.json()).toMatchObject({ kind: 'Status', code, reason });
  expect(refused.status).toBe(code);
  expect(await names()).toEqual(['a', 'b', 'c', 'd']);
});

test('all namespaces at once are not deleted from', async () => {
  expect((await api.send('DELETE', '/api/v1/configmaps')).status).toBe(405);
});
