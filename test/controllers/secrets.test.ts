import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/api/json/json.ts';
import { ApiClient } from '../api-client.ts';
import { startTestServer, type TestServer } from '../server-fixture.ts';

let server: TestServer;
let client: ApiClient;

beforeAll(async () => {
  server = await startTestServer({}, {}, { config: { controllers: ['*'] } });
  client = await ApiClient.connect(server);
});

afterAll(async () => {
  client?.[Symbol.dispose]();
  await server?.[Symbol.asyncDispose]();
});

const secrets = (namespace: string): string => `/api/v1/namespaces/${namespace}/secrets`;
const accounts = '/api/v1/namespaces/default/serviceaccounts';
const merge = 'application/merge-patch+json';

async function codeOf(path: string): Promise<number> {
  return (await client.send('GET', path)).code;
}

async function read(path: string): Promise<JsonObject> {
  return (await client.send('GET', path)).body;
}

function text(object: JsonObject, key: string): string {
  const data = (object['data'] ?? {}) as { readonly [key: string]: string };
  return Buffer.from(data[key] ?? '', 'base64').toString();
}

function tokenSecret(name: string, account: string): JsonObject {
  const annotations = { 'kubernetes.io/service-account.name': account };
  return { metadata: { name, annotations }, type: 'kubernetes.io/service-account-token' };
}

test('a secret for a token is filled, refilled, and goes with its account', async () => {
  const { body: robot } = await client.send('POST', accounts, { body: { metadata: { name: 'robot' } } });
  const { uid } = robot['metadata'] as { readonly uid: string };
  await client.send('POST', secrets('default'), { body: tokenSecret('robot-token', 'robot') });
  const path = `${secrets('default')}/robot-token`;
  await expect.poll(async () => text(await read(path), 'token')).not.toBe('');
  const secret = await read(path);
  expect(secret['metadata']).toMatchObject({ annotations: { 'kubernetes.io/service-account.uid': uid } });
  expect(text(secret, 'namespace')).toBe('default');
  expect(text(secret, 'ca.crt')).toContain('BEGIN CERTIFICATE');
  const token = text(secret, 'token');
  const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token } };
  expect(
    (await client.send('POST', '/apis/authentication.k8s.io/v1/tokenreviews', { body: review })).body,
  ).toMatchObject({
    status: { authenticated: true, user: { username: 'system:serviceaccount:default:robot', uid } },
  });
  await client.send('PATCH', path, { contentType: merge, body: { data: { token: null, 'ca.crt': 'AAAA' } } });
  await expect.poll(async () => text(await read(path), 'token')).not.toBe('');
  expect(text(await read(path), 'ca.crt')).toContain('BEGIN CERTIFICATE');
  await client.send('DELETE', `${accounts}/robot`);
  await expect.poll(() => codeOf(path)).toBe(404);
});

test('a secret for no account goes; the account of one that is gone forgets it', async () => {
  await client.send('POST', secrets('default'), { body: tokenSecret('stray', 'nobody') });
  await expect.poll(() => codeOf(`${secrets('default')}/stray`)).toBe(404);
  const listed = { metadata: { name: 'keeper' }, secrets: [{ name: 'held' }, { name: 'other' }] };
  await client.send('POST', accounts, { body: listed });
  await client.send('POST', secrets('default'), { body: tokenSecret('held', 'keeper') });
  await expect.poll(async () => text(await read(`${secrets('default')}/held`), 'token')).not.toBe('');
  await client.send('DELETE', `${secrets('default')}/held`);
  await expect.poll(async () => (await read(`${accounts}/keeper`))['secrets']).toEqual([{ name: 'other' }]);
});

function bootstrapToken(id: string, more: { readonly [key: string]: string } = {}): JsonObject {
  return {
    metadata: { name: `bootstrap-token-${id}` },
    type: 'bootstrap.kubernetes.io/token',
    stringData: { 'token-id': id, 'token-secret': '0123456789abcdef', 'usage-bootstrap-signing': 'true', ...more },
  };
}

test('tokens for joining sign what nodes read, and go when they have expired', async () => {
  const kubeconfig = 'apiVersion: v1\nkind: Config\n';
  const path = '/api/v1/namespaces/kube-public/configmaps/cluster-info';
  const info = { metadata: { name: 'cluster-info' }, data: { kubeconfig, 'jws-kubeconfig-gone00': 'x' } };
  const signed = async (): Promise<readonly string[]> =>
    Object.keys((await read(path))['data'] as JsonObject).toSorted();
  await client.send('POST', '/api/v1/namespaces/kube-public/configmaps', { body: info });
  await expect.poll(signed).toEqual(['kubeconfig']);
  await client.send('POST', secrets('kube-system'), { body: bootstrapToken('aaaaaa') });
  await client.send('POST', secrets('kube-system'), {
    body: bootstrapToken('bbbbbb', { 'usage-bootstrap-signing': 'false' }),
  });
  const expiration = new Date(Date.now() + 2000).toISOString();
  await client.send('POST', secrets('kube-system'), { body: bootstrapToken('cccccc', { expiration }) });
  await expect.poll(signed).toEqual(['jws-kubeconfig-aaaaaa', 'jws-kubeconfig-cccccc', 'kubeconfig']);
  await expect.poll(() => codeOf(`${secrets('kube-system')}/bootstrap-token-cccccc`), { timeout: 10_000 }).toBe(404);
  await expect.poll(signed).toEqual(['jws-kubeconfig-aaaaaa', 'kubeconfig']);
  const unreadable = bootstrapToken('dddddd', { expiration: 'tomorrow' });
  await client.send('POST', secrets('kube-system'), { body: unreadable });
  await expect.poll(() => codeOf(`${secrets('kube-system')}/bootstrap-token-dddddd`)).toBe(404);
});
