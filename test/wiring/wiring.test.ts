import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { request as httpsRequest } from 'node:https';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import type { JsonObject } from '../../src/api/json/json.ts';
import type { KindEntry } from '../../src/catalogue/kind-entry.ts';
import { respondText } from '../../src/http/responses/respond.ts';
import type { ResourceVerb } from '../../src/schema/resource.ts';
import { buoys } from '../catalogue/buoys.ts';
import { forbidden } from '../../src/api/errors/status-errors.ts';
import type { UserInfo } from '../../src/api/contracts/user.ts';
import type { Outcome } from '../../src/http/request/request-context.ts';
import { configDefaults } from '../../src/server/config.ts';
import { builtInWiring, type Wiring } from '../../src/server/wiring.ts';
import { ApiClient } from '../api-client.ts';
import { fromNetstring, namesForm, netstringEncoding, netstrings } from './outside-wire-forms.ts';
import { adminTls, startTestServer, type TestServer } from '../server-fixture.ts';

const user = (name: string): UserInfo => ({ name, uid: '', groups: [], extra: {} });

/** What the external rows have recorded. */
const noted = {
  started: [] as string[],
  stopped: [] as string[],
  starts: [] as { readonly path: string; readonly code: number; readonly ends: number }[],
  ends: [] as (Outcome & { readonly path: string })[],
  asked: [] as string[],
};

const added: Wiring = {
  ...builtInWiring,
  tokenAuthenticators: [
    ...builtInWiring.tokenAuthenticators,
    {
      name: 'one-word',
      make: ({ onStop }) => {
        noted.started.push('one-word');
        onStop(() => void noted.stopped.push('one-word'));
        return {
          async authenticate({ token }) {
            await Promise.resolve();
            return token === 'sesame' ? { user: user('ali') } : undefined;
          },
        };
      },
    },
  ],
  authenticators: [
    {
      name: 'front-door',
      make: () => ({
        authenticate(credentials) {
          const name = credentials.header('x-door-user');
          if (name === undefined) return undefined;
          const chain = credentials.peer() ?? [];
          const groups = credentials.headersLike('x-door-group').map(([, value]) => value);
          const extra = { cn: chain.map((each) => new X509Certificate(each).subject) };
          return { user: { ...user(name), groups, extra } };
        },
      }),
    },
    ...builtInWiring.authenticators,
  ],
  authorizers: [
    ...builtInWiring.authorizers,
    {
      mode: 'NoSecrets',
      make: () => ({
        async authorize({ resource }) {
          await Promise.resolve();
          return resource === 'secrets'
            ? { decision: 'deny', reason: 'secrets are secret' }
            : { decision: 'no-opinion', reason: '' };
        },
      }),
    },
  ],
  admissionPlugins: [
    ...builtInWiring.admissionPlugins,
    {
      name: 'NoTreason',
      byDefault: 'on',
      make: () => ({
        name: 'NoTreason',
        operations: new Set(['CREATE']),
        validate({ name, group, resource }) {
          if (name === 'treason') throw forbidden({ group, resource }, name, 'no treason');
        },
      }),
    },
  ],
  stages: [
    ...builtInWiring.stages.slice(0, -1),
    {
      name: 'note',
      make: () => ({
        name: 'note',
        run: () => undefined,
        started: ({ exchange: { path }, responseCode: code }) =>
          void noted.starts.push({ path, code, ends: noted.ends.length }),
        end: ({ exchange: { path } }, outcome) => void noted.ends.push({ path, ...outcome }),
      }),
    },
    ...builtInWiring.stages.slice(-1),
  ],
  verbs: [
    ...builtInWiring.verbs,
    {
      name: 'describe',
      methods: ['REPORT'],
      paths: ['object'],
      metric: 'REPORT',
      isMutating: false,
      isLongRunning: false,
      serve: async ({ context }) => respondText(context, 200, `this is ${context.info.name}`),
    },
  ],
  encodings: [...builtInWiring.encodings, netstringEncoding],
  forms: [...builtInWiring.forms, namesForm],
  virtualResources: [
    ...builtInWiring.virtualResources.filter(({ path }) => path !== '/componentstatuses'),
    {
      path: '/componentstatuses',
      make: () => () => Promise.reject(forbidden({ group: '', resource: '' }, '', 'gone')),
    },
  ],
  startHooks: [
    ...builtInWiring.startHooks,
    { name: 'raise-flag', when: 'listening', run: ({ port }) => void noted.started.push(`port ${port > 0}`) },
  ],
  healthChecks: [
    ...builtInWiring.healthChecks,
    { name: 'weather', endpoints: ['livez'], check: () => Promise.reject(new Error('rain')) },
  ],
  controllers: [
    ...builtInWiring.controllers,
    {
      name: 'note-controller',
      start: async ({ client }) => {
        const { items } = await client.list({ group: '', version: 'v1', resource: 'namespaces', namespace: '' });
        noted.started.push(`${items.length} namespaces`);
        return { [Symbol.asyncDispose]: async () => void noted.stopped.push('note-controller') };
      },
    },
    {
      name: 'limit-controller',
      concerns: [{ group: '', version: 'v1', resource: 'limitranges', namespace: '' }],
      start: () => {
        noted.started.push('limit-controller');
        return { [Symbol.asyncDispose]: async () => void noted.stopped.push('limit-controller') };
      },
    },
  ],
  storageEngines: [
    {
      name: 'noting',
      isRequested: () => true,
      open: async (config, schemaOf) => {
        noted.started.push('storage');
        const embedded = builtInWiring.storageEngines.find(({ name }) => name === 'embedded');
        if (embedded === undefined) throw new Error('there is no embedded engine');
        return embedded.open(config, schemaOf);
      },
    },
  ],
};

const modes = ['NoSecrets', 'AlwaysAllow'];

/** A kind that supports the verb. */
const describable = withVerb(buoys({ served: ['v1'] }), 'describe');

function withVerb(entry: KindEntry, verb: string): KindEntry {
  const versions = entry.versions.map(({ resource, ...rest }) => ({
    ...rest,
    // External verbs are unknown to the type.
    resource: { ...resource, verbs: [...resource.verbs, verb as ResourceVerb] },
  }));
  return { ...entry, versions };
}

interface Http1Response {
  readonly code: number;
  readonly body: string;
}

/** Sends a request over HTTP/1.1, without a client certificate unless `tls` has one. */
async function ask(
  { url }: TestServer,
  path: string,
  options: { readonly headers?: JsonObject | readonly string[]; readonly tls?: object; readonly method?: string } = {},
): Promise<Http1Response> {
  const { tls = {}, headers = {}, method = 'GET' } = options;
  const call = httpsRequest(`${url}${path}`, {
    method,
    rejectUnauthorized: false,
    agent: false,
    headers: headers as Record<string, string>,
    ...tls,
  });
  call.end();
  const [response] = (await once(call, 'response')) as [AsyncIterable<Buffer> & { statusCode: number }];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return { code: response.statusCode, body: Buffer.concat(chunks).toString() };
}

/** The user that the server authenticates. */
async function whoAmI(server: TestServer, headers: JsonObject, tls: object = {}): Promise<JsonObject> {
  const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
  const { url } = server;
  const body = JSON.stringify({ kind: 'SelfSubjectReview', apiVersion: 'authentication.k8s.io/v1' });
  const call = httpsRequest(`${url}${path}`, {
    method: 'POST',
    rejectUnauthorized: false,
    agent: false,
    headers: { 'content-type': 'application/json', 'content-length': body.length, ...(headers as object) },
    ...tls,
  });
  call.end(body);
  const [response] = (await once(call, 'response')) as [AsyncIterable<Buffer>];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  const answer = JSON.parse(Buffer.concat(chunks).toString()) as { status: { userInfo?: JsonObject } | string };
  return typeof answer.status === 'string' ? { status: answer.status } : (answer.status.userInfo ?? {});
}

async function webSocketCode({ url }: TestServer, token: string): Promise<number> {
  const protocol = `base64url.bearer.authorization.k8s.io.${Buffer.from(token).toString('base64url')}`;
  const path = '/api/v1/namespaces?watch=1&timeoutSeconds=1';
  const socket = new WebSocket(url.replace('https', 'wss') + path, [protocol, 'v4'], {
    rejectUnauthorized: false,
    origin: 'https://example.com',
  });
  const { promise, resolve } = Promise.withResolvers<number>();
  socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
  socket.on('message', () => socket.terminate());
  socket.on('close', () => resolve(101));
  socket.on('error', () => undefined);
  return promise;
}

describe('with external rows', () => {
  let server: TestServer;
  let client: ApiClient;

  beforeAll(async () => {
    server = await startTestServer(
      {},
      {},
      { wiring: added, config: { authorization: { ...configDefaults.authorization, modes } } },
    );
    client = await ApiClient.connect(server);
  });

  afterAll(async () => {
    client[Symbol.dispose]();
    await server[Symbol.asyncDispose]();
    expect(noted.stopped).toEqual(['note-controller', 'limit-controller', 'one-word']);
  });

  test('engines, hooks and controllers have started', () => {
    expect(noted.started).toEqual(['storage', 'one-word', 'port true', '4 namespaces']);
  });

  test('a controller with nothing to work on starts with the first object', async () => {
    const path = '/api/v1/namespaces/default/limitranges';
    const body = { metadata: { name: 'first' }, spec: { limits: [] } };
    expect((await client.send('POST', path, { body })).code).toBe(201);
    await vi.waitFor(() => expect(noted.started.at(-1)).toBe('limit-controller'));
  });

  test('a token authenticator is asked about headers and WebSocket subprotocols', async () => {
    expect(await whoAmI(server, { authorization: 'Bearer sesame' })).toMatchObject({
      username: 'ali',
      groups: ['system:authenticated'],
    });
    expect(await whoAmI(server, { authorization: 'Bearer other' })).toEqual({ status: 'Failure' });
    expect(await webSocketCode(server, 'sesame')).toBe(101);
    expect(await webSocketCode(server, 'other')).toBe(401);
  });

  test('an authenticator sees headers and the certificate chain', async () => {
    const headers = { 'x-door-user': 'eve', 'X-Door-Group': ['a', 'b'] };
    const { cert, key } = await adminTls(server.kubeconfigPath);
    const found = await whoAmI(server, headers, { cert, key });
    expect(found).toMatchObject({ username: 'eve', groups: ['a', 'b', 'system:authenticated'] });
    expect(found['extra']).toMatchObject({
      cn: [expect.stringMatching(/CN=kubernetes-admin$/), expect.stringMatching(/^CN=binnacle-ca/)],
    });
    // Without the header it is the certificate's user again, on the same server.
    expect((await whoAmI(server, {}, { cert, key }))['username']).not.toBe('eve');
  });

  test('an authorizer runs in the order of its mode', async () => {
    // Administrators are not restricted.
    const headers = { 'impersonate-user': 'ann' };
    expect(await client.send('GET', '/api/v1/secrets', { headers })).toMatchObject({
      code: 403,
      body: { message: expect.stringContaining('secrets are secret') as string },
    });
    expect((await client.send('GET', '/api/v1/configmaps', { headers })).code).toBe(200);
  });

  test('a plugin refuses', async () => {
    const path = '/api/v1/namespaces/default/configmaps';
    expect((await client.send('POST', path, { body: { metadata: { name: 'treason' } } })).code).toBe(403);
    expect((await client.send('POST', path, { body: { metadata: { name: 'loyalty' } } })).code).toBe(201);
  });

  test('a virtual resource is served', async () => {
    expect((await client.send('GET', '/api/v1/componentstatuses')).code).toBe(403);
  });

  test('a verb is served for kinds that support it, included in discovery, and counted', async () => {
    server.catalogue.change({ add: [describable] });
    const path = '/apis/harbor.example.com/v1/namespaces/default/buoys';
    const answer = await client.sendBytes('REPORT', `${path}/north`, {});
    expect(answer.code).toBe(200);
    expect(answer.bytes.toString()).toBe('this is north');
    expect((await client.send('REPORT', path)).code).toBe(405);
    expect((await client.send('REPORT', '/api/v1/namespaces/default/configmaps/a')).code).toBe(405);
    const { body } = await client.send('GET', '/apis/harbor.example.com/v1');
    const offered = (body['resources'] as { name: string; verbs: string[] }[]).find(({ name }) => name === 'buoys');
    expect(offered?.verbs).toContain('describe');
    expect(await client.text('/metrics')).toMatch(/apiserver_request_total\{.*resource="buoys".*verb="REPORT"/);
    server.catalogue.change({ remove: [describable] });
    expect((await client.sendBytes('REPORT', `${path}/north`, {})).code).toBe(404);
  });

  test('checks and hooks are shown by name', async () => {
    await expect.poll(() => client.text('/readyz')).toBe('ok');
    expect(await client.text('/readyz?verbose')).toBe(
      [
        '[+]ping ok',
        '[+]log ok',
        '[+]etcd ok',
        '[+]etcd-readiness ok',
        '[+]informer-sync ok',
        '[+]poststarthook/start-apiserver-admission-initializer ok',
        '[+]poststarthook/generic-apiserver-start-informers ok',
        '[+]poststarthook/priority-and-fairness-config-consumer ok',
        '[+]poststarthook/priority-and-fairness-filter ok',
        '[+]poststarthook/storage-object-count-tracker-hook ok',
        '[+]poststarthook/start-apiextensions-informers ok',
        '[+]poststarthook/start-apiextensions-controllers ok',
        '[+]poststarthook/crd-informer-synced ok',
        '[+]poststarthook/start-system-namespaces-controller ok',
        '[+]poststarthook/peer-endpoint-reconciler-controller ok',
        '[+]poststarthook/start-cluster-authentication-info-controller ok',
        '[+]poststarthook/start-kube-apiserver-identity-lease-controller ok',
        '[+]poststarthook/start-kube-apiserver-identity-lease-garbage-collector ok',
        '[+]poststarthook/storage-readiness ok',
        '[+]poststarthook/start-legacy-token-tracking-controller ok',
        '[+]poststarthook/start-service-ip-repair-controllers ok',
        '[+]poststarthook/rbac/bootstrap-roles ok',
        '[+]poststarthook/scheduling/bootstrap-system-priority-classes ok',
        '[+]poststarthook/priority-and-fairness-config-producer ok',
        '[+]poststarthook/bootstrap-controller ok',
        '[+]poststarthook/start-kubernetes-service-cidr-controller ok',
        '[+]poststarthook/start-kube-aggregator-informers ok',
        '[+]poststarthook/apiservice-status-local-available-controller ok',
        '[+]poststarthook/apiservice-status-remote-available-controller ok',
        '[+]poststarthook/apiservice-registration-controller ok',
        '[+]poststarthook/apiservice-discovery-controller ok',
        '[+]poststarthook/kube-apiserver-autoregistration ok',
        '[+]autoregister-completion ok',
        '[+]poststarthook/apiservice-openapi-controller ok',
        '[+]poststarthook/apiservice-openapiv3-controller ok',
        '[+]poststarthook/raise-flag ok',
        '[+]shutdown ok',
        'readyz check passed',
        '',
      ].join('\n'),
    );
    expect(await client.text('/livez/poststarthook/raise-flag')).toBe('ok');
    expect(await client.text('/livez')).toContain('[-]weather failed');
  });

  test('a media type is read and written like the others', async () => {
    const path = '/api/v1/namespaces/default/configmaps';
    const body = JSON.stringify({ metadata: { name: 'sent' }, data: { a: 'b' } });
    const sent = Buffer.from(`${body.length}:${body},`);
    expect((await client.send('POST', path, { body: sent, contentType: netstrings })).code).toBe(201);
    const refused = await client.send('POST', path, { body: Buffer.from('9:{},'), contentType: netstrings });
    expect(refused).toMatchObject({ code: 400, body: { message: expect.stringContaining('no netstring') as string } });
    const read = async (target: string, accept = netstrings): Promise<JsonObject> => {
      const { contentType, bytes } = await client.bytes(target, accept);
      expect(contentType).toBe(netstrings);
      return JSON.parse(fromNetstring(bytes).toString()) as JsonObject;
    };
    expect(await read(`${path}/sent`)).toEqual((await client.send('GET', `${path}/sent`)).body);
    expect(await read(path)).toEqual((await client.send('GET', path)).body);
    expect(await read(`${path}/nowhere`)).toMatchObject({ kind: 'Status', code: 404 });
    expect(await read(path, `${netstrings};as=Table;g=meta.k8s.io;v=v1,${netstrings}`)).toMatchObject({
      kind: 'ConfigMapList',
    });
    const selected = `${path}?fieldSelector=metadata.name=sent&watch=1&timeoutSeconds=1`;
    expect(await read(selected)).toMatchObject({ type: 'ADDED', object: { data: { a: 'b' } } });
  });

  test('a form is available in every media type', async () => {
    const path = '/api/v1/namespaces/default/configmaps';
    await client.send('POST', path, { body: { metadata: { name: 'named' } } });
    const as = ';as=Names;g=names.example.com;v=v1';
    const shown = { kind: 'Names', apiVersion: 'names.example.com/v1', names: ['named'] };
    const text = async (target: string, mediaType: string): Promise<string> =>
      (await client.bytes(target, mediaType + as)).bytes.toString();
    expect(JSON.parse(await text(`${path}/named`, 'application/json'))).toEqual(shown);
    expect(await text(`${path}/named`, 'application/yaml')).toBe(
      'apiVersion: names.example.com/v1\nkind: Names\nnames:\n- named\n',
    );
    const list = JSON.parse(await text(path, 'application/json')) as { readonly names: readonly string[] };
    expect(list.names).toContain('named');
    const selected = `${path}?fieldSelector=metadata.name=named&watch=1&timeoutSeconds=1`;
    expect(JSON.parse(await text(selected, 'application/json'))).toEqual({ type: 'ADDED', object: shown });
    expect(
      (await client.sendBytes('GET', `${path}/named`, { accept: `application/json${as.replace('v1', 'v2')}` })).code,
    ).toBe(406);
  });

  test('a stage is notified when a response has started, before it has ended', async () => {
    noted.ends.splice(0);
    noted.starts.splice(0);
    const watched = '/api/v1/namespaces';
    await client.send('GET', '/api/v1/namespaces/nowhere');
    await expect.poll(() => noted.ends.length).toBe(1);
    for await (const _event of client.watch(`${watched}?watch=1&timeoutSeconds=30`)) {
      expect(noted.starts.at(-1)).toEqual({ path: watched, code: 200, ends: 1 });
      expect(noted.ends).toHaveLength(1);
      break;
    }
    await webSocketCode(server, 'sesame');
    expect((await ask(server, '/version')).code).toBe(200);
    await expect.poll(() => noted.ends.length).toBe(4);
    expect(noted.starts.map(({ path, code }) => [path, code])).toEqual([
      ['/api/v1/namespaces/nowhere', 404],
      [watched, 200],
      [watched, 200],
      ['/version', 200],
    ]);
  });

  test('a stage is notified how each request ended', async () => {
    noted.ends.splice(0);
    await client.send('GET', '/api/v1/namespaces/default');
    await client.send('GET', '/api/v1/namespaces/nowhere');
    for await (const _event of client.watch('/api/v1/namespaces?watch=1&timeoutSeconds=1')) break;
    await webSocketCode(server, 'sesame');
    await expect.poll(() => noted.ends.length).toBe(4);
    expect(noted.ends).toMatchObject([
      { code: 200, isLongRunning: false, isHijacked: false, failure: undefined },
      { code: 404, isLongRunning: false, isHijacked: false, failure: { name: 'StatusError' } },
      { code: 200, isLongRunning: true, isHijacked: false, failure: undefined },
      { code: 200, isLongRunning: true, isHijacked: true, failure: undefined },
    ]);
  });

  test('requests refused earlier do not reach a later stage', async () => {
    noted.ends.splice(0);
    expect((await ask(server, '/api/v1/nodes', { headers: { authorization: 'Bearer other' } })).code).toBe(401);
    expect((await ask(server, '/version')).code).toBe(200);
    expect(noted.ends.map(({ path }) => path)).toEqual(['/version']);
  });
});

describe('without them', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer();
  });

  afterAll(() => server[Symbol.asyncDispose]());

  test('nothing of them exists', async () => {
    using client = await ApiClient.connect(server);
    const path = '/api/v1/namespaces/default/configmaps';
    expect((await client.send('POST', path, { body: { metadata: { name: 'treason' } } })).code).toBe(201);
    expect((await client.send('GET', '/api/v1/secrets')).code).toBe(200);
    expect((await client.send('GET', '/api/v1/componentstatuses')).code).toBe(200);
    expect(await client.text('/livez')).toBe('ok');
    expect(await client.text('/readyz?verbose')).not.toContain('raise-flag');
    expect(await whoAmI(server, { authorization: 'Bearer sesame' })).toEqual({ status: 'Failure' });
    expect(await whoAmI(server, { 'x-door-user': 'eve' })).toEqual({ status: 'Failure' });
    const body = Buffer.from('2:{},');
    expect((await client.send('POST', path, { body, contentType: netstrings })).code).toBe(415);
    expect((await client.sendBytes('GET', path, { accept: netstrings })).code).toBe(406);
    expect(
      (await client.sendBytes('GET', path, { accept: 'application/json;as=Names;g=names.example.com;v=v1' })).code,
    ).toBe(406);
  });

  test('a mode without a row fails the start', async () => {
    const config = { authorization: { ...configDefaults.authorization, modes: ['NoSecrets'] } };
    await expect(startTestServer({}, {}, { config })).rejects.toThrow(
      'authorization-mode "NoSecrets" is not a valid mode',
    );
    expect(configDefaults.authorization.modes).toEqual(['AlwaysAllow']);
  });
});
