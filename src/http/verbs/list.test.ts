import { afterAll, beforeAll, expect, test } from 'vitest';
import { openMemoryApi } from '../routes/testdata/memory-api.ts';

const api = await openMemoryApi();
afterAll(() => api[Symbol.asyncDispose]());
const path = '/api/v1/namespaces/default/configmaps';

interface List {
  readonly metadata: {
    readonly resourceVersion: string;
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
  readonly items: readonly { readonly metadata: { readonly name: string } }[];
}

beforeAll(async () => {
  for (const [name, color] of [
    ['a', 'red'],
    ['b', 'blue'],
    ['c', 'red'],
  ]) {
    // oxlint-disable-next-line no-await-in-loop -- in order
    await api.send('POST', path, { body: { metadata: { name, labels: { color } } } });
  }
  await api.send('POST', '/api/v1/namespaces/other/configmaps', { body: { metadata: { name: 'd' } } });
});

async function list(target: string): Promise<List> {
  const response = await api.send('GET', target);
  expect(response.status).toBe(200);
  return response.json() as List;
}

function namesIn({ items }: List): readonly string[] {
  return items.map(({ metadata }) => metadata.name);
}

test.each([
  ['', ['a', 'b', 'c']],
  ['?labelSelector=color%3Dred', ['a', 'c']],
  ['?labelSelector=color+notin+(red)', ['b']],
  ['?fieldSelector=metadata.name%3Db', ['b']],
  ['?fieldSelector=metadata.name%21%3Db', ['a', 'c']],
  ['?resourceVersion=0', ['a', 'b', 'c']],
])('%j selects %j', async (query, names) => {
  expect(namesIn(await list(path + query))).toEqual(names);
});

test('all namespaces', async () => {
  const { items, ...rest } = await list('/api/v1/configmaps');
  expect(items.map(({ metadata }) => metadata.name)).toEqual(['a', 'b', 'c', 'd']);
  expect(rest).toMatchObject({ kind: 'ConfigMapList', apiVersion: 'v1' });
});

test('pages', async () => {
  const first = await list(`${path}?limit=2`);
  expect(namesIn(first)).toEqual(['a', 'b']);
  expect(first.metadata.remainingItemCount).toBe(1);
  const last = await list(`${path}?limit=2&continue=${first.metadata.continue ?? ''}`);
  expect(namesIn(last)).toEqual(['c']);
  expect(last.metadata.continue).toBeUndefined();
  expect(last.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
});

test('the state of an earlier version', async () => {
  const { metadata } = await list(path);
  await api.send('POST', path, { body: { metadata: { name: 'later' } } });
  const exact = `resourceVersionMatch=Exact&resourceVersion=${metadata.resourceVersion}`;
  expect(namesIn(await list(`${path}?${exact}`))).toEqual(['a', 'b', 'c']);
  const notOlder = `resourceVersionMatch=NotOlderThan&resourceVersion=${metadata.resourceVersion}`;
  expect(namesIn(await list(`${path}?${notOlder}`))).toContain('later');
  await api.send('DELETE', `${path}/later`);
});

test('a Table has a row for each', async () => {
  const headers = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
  const table = await api.send('GET', path, { headers });
  const { rows } = table.json() as { readonly rows: readonly { readonly cells: readonly unknown[] }[] };
  expect(rows.map(({ cells }) => cells[0])).toEqual(['a', 'b', 'c']);
});

test.each([
  ['a label selector', 'labelSelector=%3D%3D', 400, 'BadRequest'],
  ['a field that is not selectable', 'fieldSelector=data%3Dx', 400, 'BadRequest'],
  ['a version', 'resourceVersion=x', 400, 'BadRequest'],
  ['a continue token', 'continue=x', 400, 'BadRequest'],
  ['a match without a version', 'resourceVersionMatch=Exact', 422, 'Invalid'],
])('%s is refused', async (_, query, code, reason) => {
  const refused = await api.send('GET', `${path}?${query}`);
  expect(refused.json()).toMatchObject({ kind: 'Status', code, reason });
  expect(refused.status).toBe(code);
});
