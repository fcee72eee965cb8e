import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiClient } from '../api-client.ts';
import { startTestServer, type TestServer } from '../server-fixture.ts';

let server: TestServer;
let client: ApiClient;

beforeAll(async () => {
  server = await startTestServer();
  client = await ApiClient.connect(server);
});

afterAll(async () => {
  client?.[Symbol.dispose]();
  await server?.[Symbol.asyncDispose]();
});

const account = (namespace: string): string => `/api/v1/namespaces/${namespace}/serviceaccounts/default`;
const rootCa = (namespace: string): string => `/api/v1/namespaces/${namespace}/configmaps/kube-root-ca.crt`;

async function codeOf(path: string): Promise<number> {
  return (await client.send('GET', path)).code;
}

test('every namespace has the default account and the authority', async () => {
  await client.send('POST', '/api/v1/namespaces', { body: { metadata: { name: 'fresh' } } });
  for (const namespace of ['default', 'kube-system', 'kube-public', 'kube-node-lease', 'fresh']) {
    await expect.poll(() => codeOf(account(namespace)), { interval: 5 }).toBe(200);
    await expect.poll(() => codeOf(rootCa(namespace)), { interval: 5 }).toBe(200);
  }
  const { body } = await client.send('GET', rootCa('fresh'));
  expect(body).toMatchObject({
    metadata: { annotations: { 'kubernetes.io/description': expect.stringContaining('CA bundle') } },
    data: { 'ca.crt': expect.stringContaining('BEGIN CERTIFICATE') },
  });
});

test('what is deleted or changed is put back', async () => {
  const uidOf = async (path: string): Promise<unknown> =>
    ((await client.send('GET', path)).body['metadata'] as { uid?: unknown } | undefined)?.uid;
  await expect.poll(() => codeOf(account('kube-public'))).toBe(200);
  await expect.poll(() => codeOf(rootCa('kube-public'))).toBe(200);
  for (const path of [account('kube-public'), rootCa('kube-public')]) {
    const before = await uidOf(path);
    await client.send('DELETE', path);
    await expect.poll(() => uidOf(path)).not.toBe(before);
    await expect.poll(() => codeOf(path)).toBe(200);
  }
  const patch = { contentType: 'application/merge-patch+json', body: { data: { 'ca.crt': 'x', more: 'y' } } };
  await client.send('PATCH', rootCa('kube-public'), patch);
  await expect
    .poll(async () => (await client.send('GET', rootCa('kube-public'))).body['data'])
    .toEqual({ 'ca.crt': expect.stringContaining('BEGIN CERTIFICATE') });
  const described = { contentType: 'application/merge-patch+json', body: { metadata: { annotations: null } } };
  await client.send('PATCH', rootCa('kube-public'), described);
  await expect
    .poll(async () => (await client.send('GET', rootCa('kube-public'))).body['metadata'])
    .toMatchObject({ annotations: { 'kubernetes.io/description': expect.any(String) } });
});

test('a namespace that is deleted goes with what it was given', async () => {
  await client.send('POST', '/api/v1/namespaces', { body: { metadata: { name: 'going' } } });
  await expect.poll(() => codeOf(account('going'))).toBe(200);
  await client.send('DELETE', '/api/v1/namespaces/going');
  await expect.poll(() => codeOf('/api/v1/namespaces/going')).toBe(404);
  expect(await codeOf(rootCa('going'))).toBe(404);
});
