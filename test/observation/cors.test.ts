import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { configDefaults, type ServerConfig } from '../../src/server/config.ts';
import { ApiClient } from '../api-client.ts';
import { startTestServer, type TestServer } from '../server-fixture.ts';
import { anonymousRequest } from './anonymous-request.ts';

// Headers and codes as kube-apiserver 1.37.1 answers with the same --cors-allowed-origins.

function allowing(...corsAllowedOrigins: readonly string[]): { readonly config: Partial<ServerConfig> } {
  const serving = { ...configDefaults.serving, bindAddress: '127.0.0.1', securePort: 0, corsAllowedOrigins };
  const authorization = { ...configDefaults.authorization, modes: ['RBAC'] };
  return { config: { serving, authorization } };
}

const allowances = {
  'access-control-allow-credentials': 'true',
  'access-control-allow-headers':
    'Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, X-Requested-With, If-Modified-Since',
  'access-control-allow-methods': 'POST, GET, OPTIONS, PUT, DELETE, PATCH',
  'access-control-expose-headers': 'Date',
};

let server: TestServer;
let client: ApiClient;

beforeAll(async () => {
  server = await startTestServer({}, {}, allowing(String.raw`//a\.test(:|$)`, String.raw`^https://.*\.b\.test$`));
  client = await ApiClient.connect(server);
});

afterAll(async () => {
  client[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

function corsHeadersIn(headers: { readonly [name: string]: unknown }): { readonly [name: string]: unknown } {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control-')));
}

describe.each([
  ['https://a.test', true],
  ['https://a.test:8080', true],
  ['https://a.test.evil', false],
  ['https://x.b.test', true],
  ['http://x.b.test', false],
  ['https://x.b.test.evil', false],
  ['null', false],
  ['', false],
])('a page of %j', (origin, isAllowed) => {
  const expected = isAllowed ? { 'access-control-allow-origin': origin, ...allowances } : {};

  test.each([
    ['GET', '/api/v1/namespaces/default', 200],
    ['GET', '/api/v1/namespaces?watch=1&timeoutSeconds=1', 200],
    ['GET', '/api/v1/namespaces/none', 404],
    ['GET', '/version', 200],
    ['GET', '/none', 404],
  ])('%s %s', async (method, path, code) => {
    const answer = await client.exchange(method, path, { headers: { origin } });
    expect([answer.code, corsHeadersIn(answer.headers)]).toEqual([code, expected]);
  });

  test('asks before it sends anything unusual', async () => {
    const asking = { origin, 'access-control-request-method': 'PUT' };
    const answer = await anonymousRequest('OPTIONS', `${server.url}/api/v1/namespaces`, asking);
    expect([answer.code, corsHeadersIn(answer.headers)]).toEqual([isAllowed ? 204 : 403, expected]);
    expect(answer.headers['audit-id']).toBeDefined();
    if (isAllowed) expect(answer.text).toBe('');
  });

  test.each([
    ['without credentials', {}, 403],
    ['with wrong credentials', { authorization: 'Bearer wrong' }, 401],
  ])('is told of its refusal %s', async (_, credentials, code) => {
    const answer = await anonymousRequest('GET', `${server.url}/api/v1/namespaces`, { origin, ...credentials });
    expect([answer.code, corsHeadersIn(answer.headers)]).toEqual([code, expected]);
  });
});

test('other clients see nothing of it', async () => {
  const answer = await client.exchange('GET', '/version', {});
  expect([answer.code, corsHeadersIn(answer.headers)]).toEqual([200, {}]);
  expect(await client.send('OPTIONS', '/api/v1/namespaces')).toMatchObject({ code: 405 });
});

describe('a server does not start whose origins', () => {
  const unpinned = 'regular expression does not pin to start/end of host in the origin header';
  test.each([
    ['example.com', unpinned],
    ['^https://example.com', undefined],
    ['//example.com', unpinned],
    ['example.com$', unpinned],
    ['//example.com(', 'error parsing regexp: missing closing ): `//example.com(`'],
    ['', 'empty value in --cors-allowed-origins'],
  ])('are %j', async (expression, problem) => {
    const started = startTestServer({}, { inMemory: true }, allowing('//a.test$', expression));
    if (problem === undefined) return await (await started)[Symbol.asyncDispose]();
    await expect(started).rejects.toThrow(problem);
  });
});
