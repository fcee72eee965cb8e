import { afterAll, expect, onTestFinished, test } from 'vitest';
import { openMemoryApi } from '../routes/testdata/memory-api.ts';
import type { MemoryResponse } from '../routes/testdata/memory-exchange.ts';

const api = await openMemoryApi();
afterAll(() => api[Symbol.asyncDispose]());

interface Event {
  readonly type: string;
  readonly object: { readonly metadata: { readonly name?: string; readonly resourceVersion: string } };
}

/** The events that have been sent, as `ADDED a`. */
function events(response: MemoryResponse): readonly string[] {
  const lines = response.text.split('\n').filter((line) => line !== '');
  return lines.map((line) => {
    const { type, object } = JSON.parse(line) as Event;
    return `${type} ${object.metadata.name ?? ''}`.trim();
  });
}

async function watch(target: string, headers: { readonly [name: string]: string } = {}): Promise<MemoryResponse> {
  const response = await api.send('GET', target, { headers });
  onTestFinished(() => response.leave());
  return response;
}

/** A namespace of its own. */
function pathIn(namespace: string): string {
  return `/api/v1/namespaces/${namespace}/configmaps`;
}

const red = { labels: { color: 'red' } };

test('objects that exist, then changes', async () => {
  const path = pathIn('changes');
  await api.send('POST', path, { body: { metadata: { name: 'a' } } });
  const response = await watch(`${path}?watch=true`);
  expect(response.status).toBe(200);
  expect(response.headers['content-type']).toBe('application/json');
  await api.send('PUT', `${path}/a`, { body: { metadata: { name: 'a' }, data: { new: 'x' } } });
  await api.send('DELETE', `${path}/a`);
  await expect.poll(() => events(response)).toEqual(['ADDED a', 'MODIFIED a', 'DELETED a']);
});

test('changes after a version', async () => {
  const path = pathIn('after');
  const created = await api.send('POST', path, { body: { metadata: { name: 'a' } } });
  const { metadata } = created.json() as Event['object'];
  await api.send('POST', path, { body: { metadata: { name: 'b' } } });
  const response = await watch(`${path}?watch=true&resourceVersion=${metadata.resourceVersion}`);
  await expect.poll(() => events(response)).toEqual(['ADDED b']);
});

test('an object that no longer matches the selector is deleted for its watchers', async () => {
  const path = pathIn('selected');
  const response = await watch(`${path}?watch=true&labelSelector=color%3Dred`);
  await api.send('POST', path, { body: { metadata: { name: 'a', ...red } } });
  await api.send('POST', path, { body: { metadata: { name: 'b' } } });
  await api.send('PUT', `${path}/a`, { body: { metadata: { name: 'a' } } });
  await expect.poll(() => events(response)).toEqual(['ADDED a', 'DELETED a']);
});

test('one object, by the path or by the selector', async () => {
  const path = pathIn('one');
  const responses = [
    await watch(`/api/v1/watch/namespaces/one/configmaps/b`),
    await watch(`${path}?watch=true&fieldSelector=metadata.name%3Db`),
  ];
  for (const name of ['a', 'b']) await api.send('POST', path, { body: { metadata: { name } } });
  for (const response of responses) await expect.poll(() => events(response)).toEqual(['ADDED b']);
});

test('initial events end with a bookmark', async () => {
  const path = pathIn('initial');
  await api.send('POST', path, { body: { metadata: { name: 'a' } } });
  const options = 'sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan';
  const response = await watch(`${path}?watch=true&${options}`);
  await expect.poll(() => events(response)).toEqual(['ADDED a', 'BOOKMARK']);
  expect(response.text).toContain('"k8s.io/initial-events-end":"true"');
});

test('events in other forms', async () => {
  const path = pathIn('forms');
  await api.send('POST', path, { body: { metadata: { name: 'a' } } });
  const table = await watch(`${path}?watch=true`, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' });
  await expect.poll(() => table.text).toContain('"kind":"Table"');
  const protobuf = await watch(`${path}?watch=true`, { accept: 'application/vnd.kubernetes.protobuf;stream=watch' });
  expect(protobuf.headers['content-type']).toBe('application/vnd.kubernetes.protobuf;stream=watch');
  await expect.poll(() => protobuf.text).toContain('ADDED');
});

test('a client that has left is sent nothing more', async () => {
  const path = pathIn('left');
  const [left, stays] = [await watch(`${path}?watch=true`), await watch(`${path}?watch=true`)];
  left.leave();
  await api.send('POST', path, { body: { metadata: { name: 'a' } } });
  await expect.poll(() => events(stays)).toEqual(['ADDED a']);
  expect(events(left)).toEqual([]);
});

test.each([
  ['a selector', 'labelSelector=%3D%3D', 400, 'BadRequest'],
  ['a match without initial events', 'resourceVersionMatch=NotOlderThan&resourceVersion=1', 422, 'Invalid'],
  ['initial events without a match', 'sendInitialEvents=true', 422, 'Invalid'],
])('%s is refused', async (_, query, code, reason) => {
  const refused = await watch(`${pathIn('refused')}?watch=true&${query}`);
  expect(refused.json()).toMatchObject({ kind: 'Status', code, reason });
  expect(refused.status).toBe(code);
});

test('a media type without events is refused', async () => {
  expect((await watch(`${pathIn('refused')}?watch=true`, { accept: 'text/html' })).status).toBe(406);
});
