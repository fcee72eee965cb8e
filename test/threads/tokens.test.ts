import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { configDefaults } from '../../src/server/config.ts';
import type { JsonObject } from '../../src/api/json/json.ts';
import { ApiClient } from '../api-client.ts';
import { type HttpsServer, jsonOf, startHttpsServer } from '../https-server.ts';
import { startTestServer, type TestServer } from '../server-fixture.ts';

// What one server remembers of a token, all its threads remember.

/** By the webhook's own cache, and by the one in front of all authenticators. */
const webhookMs = 4_000;
const rememberedMs = 10_000;
const reviews = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };

let folder: string;
let hook: HttpsServer;
/** What the webhook has been asked about, in turn. */
const reviewed: string[] = [];
const revoked = new Set<string>();
let server: TestServer;
let admin: ApiClient;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'binnacle-threads-tokens-'));
  hook = await startHttpsServer({ folder }, (request, response) => {
    void jsonOf<{ spec: { token: string } }>(request).then(({ spec: { token } }) => {
      reviewed.push(token);
      const authenticated = token.startsWith('known') && !revoked.has(token);
      const status = authenticated ? { authenticated, user: { username: token } } : { authenticated };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ kind: 'TokenReview', apiVersion: 'authentication.k8s.io/v1', status }));
    });
  });
  const configFile = join(folder, 'webhook.json');
  const cluster = { server: hook.url, 'certificate-authority-data': Buffer.from(hook.authority).toString('base64') };
  const context = { name: 'a', context: { cluster: 'a', user: 'a' } };
  const clusters = [{ name: 'a', cluster }];
  await writeFile(
    configFile,
    JSON.stringify({ clusters, users: [{ name: 'a', user: {} }], contexts: [context], 'current-context': 'a' }),
  );
  const { authentication } = configDefaults;
  const tokenWebhook = { ...authentication.tokenWebhook, configFile, version: 'v1', cacheMs: webhookMs };
  const serving = { ...configDefaults.serving, bindAddress: '127.0.0.1', securePort: 0, apiThreads: 3 };
  const config = { serving, authentication: { ...authentication, anonymous: false, tokenWebhook } };
  server = await startTestServer({}, { inMemory: true }, { config });
  admin = await ApiClient.connect(server);
});

afterAll(async () => {
  admin[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
  await hook[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

/** On a connection of its own, since the server ends those of unknown users. */
async function codeFor(token: string): Promise<number> {
  using client = await ApiClient.connectAsNobody(server);
  const headers = { authorization: `Bearer ${token}` };
  return (await client.exchange('POST', reviews, { body: review, headers })).code;
}

const connections = Array.from({ length: 12 }, (_, at) => at);
const codes = (token: string): Promise<readonly number[]> => Promise.all(connections.map(() => codeFor(token)));
const all = (code: number): readonly number[] => connections.map(() => code);

test('a webhook is asked once about a token, and a revocation is known everywhere when one thread would know it', async () => {
  expect(await codeFor('known-1')).toBe(201);
  const seenMs = performance.now();
  revoked.add('known-1');
  expect(await codes('known-1')).toEqual(all(201));
  expect(reviewed.filter((token) => token === 'known-1')).toHaveLength(1);
  await new Promise((resolve) => setTimeout(resolve, seenMs + rememberedMs - performance.now()));
  expect(await codes('known-1')).toEqual(all(401));
}, 60_000);

test('an unknown token is as unknown to every thread', async () => {
  expect(await codeFor('unknown')).toBe(401);
  expect(await codes('unknown')).toEqual(all(401));
  expect(reviewed.filter((token) => token === 'unknown')).toHaveLength(1);
});

test('a token that one thread has accepted is accepted by all of them until it is looked at again', async () => {
  const pods = '/api/v1/namespaces/default/pods';
  const account = '/api/v1/namespaces/default/serviceaccounts/bound';
  const made = async (path: string, body: object): Promise<JsonObject> => {
    const answer = await admin.send('POST', path, { body });
    expect([answer.code, answer.body]).toEqual([201, expect.anything()]);
    return answer.body;
  };
  await made('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'bound' } });
  const containers = [{ name: 'c', image: 'i' }];
  await made(pods, { metadata: { name: 'p' }, spec: { serviceAccountName: 'bound', containers } });
  const bound = { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'p' } };
  const { status } = await made(`${account}/token`, { spec: bound });
  const { token } = status as { readonly token: string };
  expect(await codeFor(token)).toBe(201);
  const seenMs = performance.now();
  expect((await admin.send('DELETE', `${pods}/p?gracePeriodSeconds=0`)).code).toBe(200);
  expect(await codes(token)).toEqual(all(201));
  await new Promise((resolve) => setTimeout(resolve, seenMs + rememberedMs - performance.now()));
  expect(await codes(token)).toEqual(all(401));
}, 60_000);
