import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/api/json/json.ts';
import { ApiClient } from '../api-client.ts';
import { makeAuthority, makeClient } from '../authentication/certificates.ts';
import type { TestServer } from '../server-fixture.ts';
import { define, portOf, register, startBehind } from './behind.ts';
import { startFront } from './front-server.ts';

const group = 'tides.example';
const tides = `/apis/${group}/v1/namespaces/default/tides`;

describe('a server behind another one', () => {
  const opened = new AsyncDisposableStack();
  let front: ApiClient;
  let behind: TestServer;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'binnacle-delegation-'));
    opened.defer(() => rm(folder, { recursive: true, force: true }));
    const host = opened.use(await startFront());
    front = opened.use(await ApiClient.connect(host));
    behind = opened.use(await startBehind(host.kubeconfigPath));
    await define(behind, { group, kind: 'Tide', plural: 'tides', namespaced: true });
    await register(front, { group, port: portOf(behind) });
  }, 60_000);

  afterAll(() => opened.disposeAsync());

  test('serves what is asked of the other', async () => {
    await expect.poll(async () => (await front.exchange('GET', tides, {})).code, { timeout: 10_000 }).toBe(200);
    const body = { apiVersion: `${group}/v1`, kind: 'Tide', metadata: { name: 'spring' } };
    const created = await front.send('POST', tides, { body });
    expect(created).toMatchObject({ code: 201, body: { metadata: { name: 'spring' } } });
    const events = front.watch(`${tides}?watch=1&resourceVersion=0`);
    expect((await events.next()).value).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'spring' } } });
    await events.return(undefined);
  });

  test('knows the tokens of the other, and asks it what their users may do', async () => {
    const accounts = '/api/v1/namespaces/default/serviceaccounts';
    await front.send('POST', accounts, { body: { metadata: { name: 'pilot' } } });
    const { body } = await front.send('POST', `${accounts}/pilot/token`, { body: { spec: {} } });
    const { token } = body['status'] as { readonly token: string };
    const headers = { authorization: `Bearer ${token}` };
    expect(await ask(behind, tides, headers)).toMatchObject({
      code: 403,
      text: expect.stringContaining('system:serviceaccount:default:pilot') as string,
    });
    await allow(front, 'pilot');
    // A refusal is remembered for ten seconds, of one path.
    await expect.poll(async () => (await ask(behind, `${tides}/spring`, headers)).code).toBe(200);
    expect((await ask(behind, tides, { authorization: 'Bearer nonsense' })).code).toBe(401);
  });

  test('tells everybody how it is, and nobody else anything', async () => {
    expect((await ask(behind, '/healthz', {})).code).toBe(200);
    expect((await ask(behind, tides, {})).code).toBe(403);
  });

  test('follows whom the other one has name users, and in which headers', async () => {
    const authority = makeAuthority('other front proxies');
    const { cert, key } = makeClient(authority, { subject: [['cn', 'other-proxy']] });
    const known = async (header: string): Promise<number> =>
      (await ask(behind, '/version', { [header]: 'eve', 'x-remote-group': 'system:masters' }, { cert, key })).code;
    expect(await known('x-remote-user')).toBe(401);
    const path = '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication';
    const { body } = await front.send('GET', path);
    const { data } = body as { readonly data: { readonly [key: string]: string } };
    const added = (name: string, text: string): string =>
      JSON.stringify([...(JSON.parse(data[name] ?? '[]') as string[]), text]);
    const change = async (changes: JsonObject): Promise<void> => {
      const answer = await front.send('PATCH', path, {
        body: { data: changes },
        contentType: 'application/merge-patch+json',
      });
      expect(answer.code).toBe(200);
    };
    const bundle = 'requestheader-client-ca-file';
    await change({
      [bundle]: `${data[bundle]}${authority.pem}`,
      'requestheader-allowed-names': added('requestheader-allowed-names', 'other-proxy'),
    });
    await expect.poll(() => known('x-remote-user'), { timeout: 5000 }).toBe(200);
    expect(await known('x-other-user')).toBe(401);
    await change({ 'requestheader-username-headers': added('requestheader-username-headers', 'X-Other-User') });
    await expect.poll(() => known('x-other-user'), { timeout: 5000 }).toBe(200);
    await change({ 'requestheader-allowed-names': data['requestheader-allowed-names'] ?? '[]' });
    await expect.poll(() => known('x-remote-user'), { timeout: 5000 }).toBe(401);
    expect((await front.exchange('GET', tides, {})).code).toBe(200);
  });

  test('believes users named in headers only of the other', async () => {
    const claims = { 'x-remote-user': 'eve', 'x-remote-group': 'system:masters' };
    expect((await ask(behind, tides, claims)).code).toBe(403);
  });
});

test('a server whose host cannot be asked does not start, unless it may', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'binnacle-delegation-'));
  const path = join(folder, 'kubeconfig');
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'c',
    users: [],
    clusters: [{ name: 'c', cluster: { server: 'https://127.0.0.1:1', 'insecure-skip-tls-verify': true } }],
    contexts: [{ name: 'c', context: { cluster: 'c', user: '' } }],
  };
  await writeFile(path, JSON.stringify(config));
  await expect(startBehind(path)).rejects.toThrow('the host cannot be asked how to know users');
  await using _tolerant = await startBehind(path, { toleratesLookupFailure: true });
  await using _blind = await startBehind(path, { skipsLookup: true });
  await rm(folder, { recursive: true, force: true });
});

test('the first APIService of another server is never shown as one of this server', async () => {
  await using server = await startFront();
  using client = await ApiClient.connect(server);
  const path = '/apis/apiregistration.k8s.io/v1/apiservices';
  // All of this server are known from here on.
  expect((await client.send('GET', path)).code).toBe(200);
  const events = client.watch(`${path}?watch=1&resourceVersion=0&fieldSelector=metadata.name=v1.${group}`);
  await register(client, { group, port: 1 });
  const reasons: unknown[] = [];
  while (reasons.length === 0) {
    // oxlint-disable-next-line no-await-in-loop -- one event after the other
    const { status } = ((await events.next()).value as { readonly object: JsonObject }).object;
    const { conditions = [] } = (status ?? {}) as { readonly conditions?: readonly { readonly reason: string }[] };
    reasons.push(...conditions.map(({ reason }) => reason));
  }
  expect(reasons).toEqual(['FailedDiscoveryCheck']);
  await events.return(undefined);
});

async function allow(client: ApiClient, account: string): Promise<void> {
  const path = '/apis/rbac.authorization.k8s.io/v1';
  const rules = [{ apiGroups: [group], resources: ['tides'], verbs: ['get', 'list'] }];
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'tides' };
  const subjects = [{ kind: 'ServiceAccount', namespace: 'default', name: account }];
  const bodies: readonly (readonly [string, JsonObject])[] = [
    ['clusterroles', { metadata: { name: 'tides' }, rules }],
    ['clusterrolebindings', { metadata: { name: 'tides' }, roleRef, subjects }],
  ];
  for (const [plural, body] of bodies)
    expect((await client.send('POST', `${path}/${plural}`, { body })).code).toBe(201);
}

/** Without a certificate, unless one is given. */
async function ask(
  { url }: TestServer,
  path: string,
  headers: { readonly [name: string]: string },
  certificate: { readonly cert?: string; readonly key?: string } = {},
): Promise<{ readonly code: number; readonly text: string }> {
  const session = connect(url, { rejectUnauthorized: false, ...certificate });
  try {
    const stream = session.request({ ':path': path, ...headers });
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    session.on('error', reject);
    stream.on('error', reject).once('response', (answered) => resolve(Number(answered[':status'])));
    const code = await promise;
    let text = '';
    for await (const chunk of stream.setEncoding('utf8')) text += String(chunk);
    return { code, text };
  } finally {
    session.destroy();
  }
}
