import { once } from 'node:events';
import { connect } from 'node:http2';
import { Agent, request } from 'node:https';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiClient } from '../api-client.ts';
import { inParallel } from '../in-parallel.ts';
import { settledObject } from '../settled-object.ts';
import { adminTls, startTestServer, type TestServer } from '../server-fixture.ts';
import { makeAuthority, makeClient } from './certificates.ts';
import { serverConfigFor } from './flags.ts';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const opened = new AsyncDisposableStack();
let server: TestServer;
let paths: readonly string[];
let identities: Identities;
const authority = makeAuthority('users');
const remoteGroup = 'remote.example';

interface Identities {
  readonly [name: string]: { readonly headers?: { readonly [name: string]: string }; readonly tls?: object };
}

/** Missing and refused credentials, and users without rights. */
const given: Identities = {
  nobody: {},
  'a wrong token': { headers: { authorization: 'Bearer wrong' } },
  'a certificate of a stranger': {
    tls: makeClient(makeAuthority('stranger'), {
      subject: [
        ['cn', 'admin'],
        ['o', 'system:masters'],
      ],
    }),
  },
  'headers of a proxy': { headers: { 'x-remote-user': 'root', 'x-remote-group': 'system:masters' } },
  'wishes to be another': { headers: { 'impersonate-user': 'root', 'impersonate-group': 'system:masters' } },
  'a user without rights': { headers: { authorization: 'Bearer tok-tom' } },
  'a certificate without rights': { tls: makeClient(authority, { subject: [['cn', 'ann']] }) },
  'another node': {
    tls: makeClient(authority, {
      subject: [
        ['cn', 'system:node:other'],
        ['o', 'system:nodes'],
      ],
    }),
  },
  'a user who wishes to be another': { headers: { authorization: 'Bearer tok-tom', 'impersonate-user': 'root' } },
};

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'binnacle-walk-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'tokens.csv'), 'tok-tom,tom,t1\n');
  await writeFile(join(folder, 'users.crt'), authority.pem);
  const flags = [`--token-auth-file=${join(folder, 'tokens.csv')}`, `--client-ca-file=${join(folder, 'users.crt')}`];
  const config = serverConfigFor([...flags, '--authorization-mode=Node,RBAC', '--enable-bootstrap-token-auth']);
  // Thousands of requests on one connection.
  const featureGates = new Map([['UnauthenticatedHTTP2DOSMitigation', false]]);
  server = opened.use(
    await startTestServer({ featureGates }, { inMemory: true }, { config: { ...config, controllers: [] } }),
  );
  using admin = await ApiClient.connect(server);
  await serveMore(admin);
  paths = await servedPaths(admin);
  identities = { ...given, ...(await made(admin)) };
}, 60_000);

afterAll(() => opened.disposeAsync());

/** Names of credentials that only a running server can make. */
const madeNames = ['an account without roles', 'an administrator who wishes to be nobody'];

async function made(admin: ApiClient): Promise<Identities> {
  const accounts = '/api/v1/namespaces/default/serviceaccounts';
  await admin.send('POST', accounts, { body: { metadata: { name: 'plain' } } });
  const { body } = await admin.send('POST', `${accounts}/plain/token`, { body: {} });
  const { token } = body['status'] as { readonly token: string };
  const tls = await adminTls(server.kubeconfigPath);
  return {
    'an account without roles': { headers: { authorization: `Bearer ${token}` } },
    'an administrator who wishes to be nobody': {
      tls,
      headers: { 'impersonate-user': 'system:anonymous', 'impersonate-group': 'system:unauthenticated' },
    },
  };
}

/** A custom kind, and a version of another server, which cannot be reached. */
async function serveMore(admin: ApiClient): Promise<void> {
  const group = 'harbor.example';
  const names = { plural: 'buoys', kind: 'Buoy' };
  const schema = { openAPIV3Schema: { type: 'object' } };
  const versions = [{ name: 'v1', served: true, storage: true, schema, subresources: { status: {} } }];
  const definition = { metadata: { name: `buoys.${group}` }, spec: { group, scope: 'Namespaced', names, versions } };
  await admin.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { body: definition });
  await settledObject(admin, `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/buoys.${group}`);
  const service = { namespace: 'default', name: 'remote' };
  const spec = { group: remoteGroup, version: 'v1', service, groupPriorityMinimum: 1, versionPriority: 1 };
  const body = { metadata: { name: `v1.${remoteGroup}` }, spec: { ...spec, insecureSkipTLSVerify: true } };
  await admin.send('POST', '/apis/apiregistration.k8s.io/v1/apiservices', { body });
  await settledObject(admin, `/apis/apiregistration.k8s.io/v1/apiservices/v1.${remoteGroup}`);
}

/** All documented paths, and an object in each collection with its subresources. */
async function servedPaths(admin: ApiClient): Promise<readonly string[]> {
  const { body } = await admin.send('GET', '/');
  const listed = body['paths'] as readonly string[];
  const versions = listed.filter((path) => /^\/(?:api|apis\/[^/]+)\/v[^/]+$/.test(path) && !path.includes(remoteGroup));
  const lists = await Promise.all(versions.map(async (path) => ({ path, body: (await admin.send('GET', path)).body })));
  const resources = lists.flatMap(({ path, body: list }) =>
    (list['resources'] as unknown as readonly { readonly name: string; readonly namespaced: boolean }[]).map(
      ({ name, namespaced }) => {
        const [plural, subresource] = name.split('/');
        const place = namespaced ? `${path}/namespaces/default` : path;
        return subresource === undefined ? `${place}/${plural}` : `${place}/${plural}/x/${subresource}`;
      },
    ),
  );
  const own = [
    '/',
    '/binnacle/snapshot',
    '/metrics/cadvisor',
    '/metrics/slis',
    '/nowhere',
    '/debug/pprof/',
    '/logs/',
    '/livez/ping',
    '/readyz/etcd',
    '/healthz/log',
    '/statusz',
    '/flagz',
    '/openid/v1/jwks',
    '/.well-known/openid-configuration',
    '/api/v1/watch/pods',
    '/%61pi/v1/secrets',
    '/api/v1/proxy/nodes/x',
    '/api/v1/nodes/x/proxy/metrics',
    '/api/v1/nodes/https:x:10250/proxy/',
    '/api/v1/nodes/other/proxy/pods',
    ...['pods', 'services'].map((plural) => `/api/v1/namespaces/default/${plural}/https:x:443/proxy/a/b`),
    ...['', '/v1', '/v1/things', '/v1/namespaces/default/things/x/log'].map((rest) => `/apis/${remoteGroup}${rest}`),
    `/openapi/v3/apis/${remoteGroup}/v1`,
  ];
  return [...new Set([...listed, ...own, ...resources, ...resources.map((path) => `${path}/x`)])].toSorted();
}

async function overHttp1(method: string, identity: string): Promise<readonly string[]> {
  const { headers = {}, tls } = identities[identity] ?? {};
  const agent = new Agent({ keepAlive: true, maxSockets: 4, rejectUnauthorized: false, ...tls });
  const codes = await Promise.all(
    paths.map(async (path) => {
      const call = request(`${server.url}${path}`, { method, agent, headers: { ...headers, 'content-length': '0' } });
      call.end();
      const [response] = (await once(call, 'response')) as [{ statusCode: number; resume(): void }];
      response.resume();
      return `${response.statusCode} ${method} ${path}`;
    }),
  );
  agent.destroy();
  return codes;
}

async function overHttp2(method: string, identity: string): Promise<readonly string[]> {
  const { headers = {}, tls } = identities[identity] ?? {};
  const session = connect(server.url, { rejectUnauthorized: false, ...tls });
  const codes = new Map<string, number | undefined>();
  await inParallel(paths, streamsAtOnce, async (path) => {
    const stream = session.request({ ...headers, ':method': method, ':path': path });
    stream.end();
    const [answer] = (await once(stream, 'response')) as [{ ':status'?: number }];
    stream.close();
    codes.set(path, answer[':status']);
  });
  session.destroy();
  return paths.map((path) => `${codes.get(path)} ${method} ${path}`);
}

/** A connection has few streams. */
const streamsAtOnce = 16;
const methods = ['GET', 'POST', 'DELETE'];

const identityNames = [...Object.keys(given), ...madeNames];
const failures: string[] = [];

test.for(identityNames.flatMap((identity) => methods.map((method) => [identity, method] as const)))(
  'responses to %s, %s, are the same over both protocols',
  async ([identity, method]) => {
    expect(paths.length).toBeGreaterThan(300);
    const [first, second] = [await overHttp1(method, identity), await overHttp2(method, identity)];
    expect(second).toEqual(first);
    failures.push(...first.filter((line) => !/^40[13] /.test(line)).map((line) => `${identity}: ${line}`));
  },
);

test('and are as expected where they are other than 401 and 403', async () => {
  expect(Object.keys(identities)).toEqual(identityNames);
  await expect(`${failures.join('\n')}\n`).toMatchFileSnapshot('testdata/walk.txt');
});
