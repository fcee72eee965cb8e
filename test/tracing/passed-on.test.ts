import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { configDefaults, type ServerConfig } from '../../src/server/config.ts';
import { ApiClient } from '../api-client.ts';
import { type HttpsServer, jsonOf, startHttpsServer } from '../https-server.ts';
import { asAlone, startTestServer } from '../server-fixture.ts';
import { Collector } from './collector.ts';
import { tracingConfiguration } from './tracing-configuration.ts';

const folder = await mkdtemp(join(tmpdir(), 'binnacle-passed-on-'));
afterAll(() => rm(folder, { recursive: true }));

const traceId = '0af7651916cd43dd8448eb211c80319c';
const headers = { traceparent: `00-${traceId}-b7ad6b7169203331-01`, tracestate: 'a=b' };
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const group = 'traced.example.com';
const objects = (version: string): string => `/apis/${group}/${version}/namespaces/default/things`;

interface Review {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly request?: { readonly uid: string; readonly desiredAPIVersion: string; readonly objects: readonly object[] };
}

/** What each kind of server answers. */
function answerTo({ apiVersion = '', kind = '', request }: Review): object {
  const review = { apiVersion, kind };
  if (kind === 'TokenReview') return { ...review, status: { authenticated: true, user: { username: 'somebody' } } };
  if (kind === 'SubjectAccessReview') return { ...review, status: { allowed: true } };
  if (request !== undefined) {
    const { uid, desiredAPIVersion } = request;
    const convertedObjects = request.objects.map((object) => ({ ...object, apiVersion: desiredAPIVersion }));
    return { ...review, response: { uid, result: { status: 'Success' }, convertedObjects } };
  }
  return { kind: 'ThingList', apiVersion: 'remote.example.com/v1', metadata: {}, items: [] };
}

test('a trace is passed on to webhooks that authenticate, authorize and convert, and to aggregated servers', async () => {
  await using collector = await Collector.start();
  const seen = new Map<string, string[]>();
  await using other = await startHttpsServer({ folder, dnsNames: ['remote.default.svc'] }, (request, response) => {
    const path = (request.url ?? '').replace(/\?.*/, '');
    const { traceparent = '', tracestate = '' } = request.headers;
    seen.set(path, [...(seen.get(path) ?? []), `${String(traceparent)} ${String(tracestate)}`]);
    const review = request.method === 'POST' ? jsonOf<Review>(request) : Promise.resolve({});
    void review.then((asked) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(answerTo(asked)));
    });
  });
  await using server = await startTestServer({}, { inMemory: true }, { config: await configOf(other, collector) });
  using client = await ApiClient.connect(server);
  await prepare(client, other);
  const isAuthorized = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
  const resourceAttributes = { verb: 'get', resource: 'pods' };
  const body = { spec: { user: 'somebody', resourceAttributes } };
  expect((await client.send('POST', isAuthorized, { body, headers })).body['status']).toMatchObject({ allowed: true });
  const isAuthentic = '/apis/authentication.k8s.io/v1/tokenreviews';
  const token = { spec: { token: 'abc' } };
  const reviewed = await client.send('POST', isAuthentic, { body: token, headers });
  expect(reviewed.body['status']).toMatchObject({ authenticated: true });
  expect((await client.send('GET', `${objects('v2')}/one`, { headers })).code).toBe(200);
  const remote = '/apis/remote.example.com/v1/things';
  await expect
    .poll(async () => (await client.exchange('GET', remote, { headers })).code, { timeout: 20_000 })
    .toBe(200);
  for (const path of ['/authenticate', '/authorize', '/convert', remote]) {
    const passed = seen.get(path)?.at(-1) ?? '';
    expect(passed, path).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-01 a=b$`));
    // It is a step of the server that the other one belongs to.
    expect(passed, path).not.toContain('b7ad6b7169203331');
  }
}, 60_000);

async function configOf(other: HttpsServer, collector: Collector): Promise<Partial<ServerConfig>> {
  const tracingFile = join(folder, 'tracing.json');
  await writeFile(tracingFile, tracingConfiguration({ endpoint: collector.endpoint }));
  const { authentication, authorization } = configDefaults;
  const [authenticate, authorize] = await Promise.all(
    ['authenticate', 'authorize'].map((path) => kubeconfigFile(path, other)),
  );
  return {
    ...asAlone,
    tracingFile,
    authentication: {
      ...authentication,
      tokenWebhook: { ...authentication.tokenWebhook, configFile: authenticate, version: 'v1' },
    },
    authorization: {
      ...authorization,
      modes: ['RBAC', 'Webhook'],
      webhook: { ...authorization.webhook, configFile: authorize, version: 'v1' },
    },
  };
}

async function kubeconfigFile(path: string, { url, authority }: HttpsServer): Promise<string> {
  const file = join(folder, `${path}.kubeconfig`);
  const cluster = {
    server: `${url}/${path}`,
    'certificate-authority-data': Buffer.from(authority).toString('base64'),
  };
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'c',
    users: [{ name: 'u', user: {} }],
    clusters: [{ name: 'c', cluster }],
    contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
  };
  await writeFile(file, JSON.stringify(config));
  return file;
}

async function prepare(client: ApiClient, { url, authority }: HttpsServer): Promise<void> {
  const caBundle = Buffer.from(authority).toString('base64');
  const schema = { openAPIV3Schema: { type: 'object', properties: { a: { type: 'string' } } } };
  const versions = ['v1', 'v2'].map((name) => ({ name, served: true, storage: name === 'v1', schema }));
  const clientConfig = { url: `${url}/convert`, caBundle };
  const conversion = { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } };
  const names = { plural: 'things', kind: 'Thing' };
  const spec = { group, scope: 'Namespaced', names, versions, conversion };
  await client.send('POST', definitions, { body: { metadata: { name: `things.${group}` }, spec } });
  const one = { apiVersion: `${group}/v1`, kind: 'Thing', metadata: { name: 'one' }, a: 'b' };
  await expect
    .poll(async () => (await client.send('POST', objects('v1'), { body: one })).code, { timeout: 20_000 })
    .toBe(201);
  const service = { metadata: { name: 'remote' }, spec: { type: 'ExternalName', externalName: 'localhost' } };
  await client.send('POST', '/api/v1/namespaces/default/services', { body: service });
  const port = Number(new URL(url).port);
  const registered = {
    metadata: { name: 'v1.remote.example.com' },
    spec: {
      group: 'remote.example.com',
      version: 'v1',
      groupPriorityMinimum: 100,
      versionPriority: 100,
      caBundle,
      service: { name: 'remote', namespace: 'default', port },
    },
  };
  await client.send('POST', '/apis/apiregistration.k8s.io/v1/apiservices', { body: registered });
}
