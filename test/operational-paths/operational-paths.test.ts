import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApiResponse } from '../api-client.ts';
import { ApiClient } from '../api-client.ts';
import { startTestServer, type TestServer } from '../server-fixture.ts';

// Paths that are no resources, in all their spellings and with all methods, answered as kube-apiserver 1.37.1 does.

let server: TestServer;
let client: ApiClient;

beforeAll(async () => {
  server = await startTestServer({}, { inMemory: true });
  client = await ApiClient.connect(server);
});

afterAll(async () => {
  client[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

async function ask(method: string, path: string, headers = {}): Promise<Omit<ApiResponse, 'body'> & { text: string }> {
  return client.exchange(method, path, { headers: { accept: '*/*', ...headers } });
}

describe('a path is one, however it is escaped', () => {
  test.each([
    ['/healthz%2Fping', 'ok'],
    ['/%6civez', 'ok'],
    ['/livez%2fping', 'ok'],
    ['/%61pi', '"kind":"APIVersions"'],
    ['/api%2Fv1', '"groupVersion":"v1"'],
    ['/%61pis/apps', '"name":"apps"'],
    ['/apis%2Fapps/v1', '"groupVersion":"apps/v1"'],
    ['/%61pis/', '"kind":"APIGroupList"'],
    ['/version%2F', '"major": "1"'],
    ['/metrics%2Fslis', 'kubernetes_healthcheck'],
    ['/openapi%2Fv2', '"swagger":"2.0"'],
    ['/openapi%2Fv3', '"paths":'],
    ['/debug%2Fpprof/', '/debug/pprof/'],
    ['/debug/%66lags/', '/debug/flags/'],
    ['/debug/%61pi_priority_and_fairness/dump_queues', 'PriorityLevelName'],
  ])('%s', async (path, contained) => {
    const { code, text } = await ask('GET', path);
    expect(code).toBe(200);
    expect(text).toContain(contained);
  });
});

const page = [404, 'text/plain; charset=utf-8', '404 page not found\n'];
const status404 = [404, 'application/json', expect.stringContaining('"reason":"NotFound"')];
const status405 = [405, 'application/json', expect.stringContaining('"reason":"MethodNotAllowed"')];

describe('what is not there', () => {
  test.each([
    ['GET', '/version/nope', status404],
    ['POST', '/version/a/b', status404],
    ['DELETE', '/version/', status405],
    ['GET', '/.well-known/openid-configuration/x', status404],
    ['POST', '/.well-known/openid-configuration/', status405],
    ['GET', '/.well-known/', page],
    ['GET', '/openid/v1/jwks/x', status404],
    ['HEAD', '/openid/v1/jwks/', [405, 'application/json', '']],
    ['GET', '/openid/v1/nope', page],
    ['GET', '/apis//apps', page],
    ['POST', '/apis//apps/', page],
    ['GET', '/apis//apps/v1', page],
    ['GET', '/apis//apps/v1/deployments', page],
    ['GET', '/apis///', page],
    ['GET', '//api/v1/namespaces', page],
    ['GET', '//version', page],
    ['GET', '/healthz/', page],
    ['GET', '/healthz//ping', page],
    ['GET', '/healthz;x', page],
    ['GET', '/debug', page],
    ['GET', '/debug/pprof/cmdline', [404, 'text/plain; charset=utf-8', 'Unknown profile\n']],
  ])('%s %s', async (method, path, expected) => {
    const { code, headers, text } = await ask(method, path);
    expect([code, headers['content-type'], text]).toEqual(expected);
  });
});

test('documents about the issuer of tokens are at their paths with a slash at the end as well', async () => {
  for (const [path, type] of [
    ['/.well-known/openid-configuration', 'application/json'],
    ['/openid/v1/jwks', 'application/jwk-set+json'],
  ] as const) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const [plain, slashed] = [await ask('GET', path), await ask('GET', `${path}/`)];
    expect([slashed.code, slashed.headers['content-type'], slashed.text]).toEqual([200, type, plain.text]);
  }
});

test('only those who read are told in words where profiles are', async () => {
  const found = async (method: string): Promise<unknown[]> => {
    const { code, headers, text } = await ask(method, '/debug/pprof');
    return [code, headers['location'], headers['content-type'], text];
  };
  const location = '/debug/pprof/';
  expect(await found('GET')).toEqual([
    302,
    location,
    'text/html; charset=utf-8',
    `<a href="${location}">Found</a>.\n\n`,
  ]);
  expect(await found('HEAD')).toEqual([302, location, 'text/html; charset=utf-8', '']);
  expect(await found('POST')).toEqual([302, location, undefined, '']);
  expect(await found('DELETE')).toEqual([302, location, undefined, '']);
});

test('metrics tell when the process began', async () => {
  const began = String(Math.floor(performance.timeOrigin / 1_000));
  for (const path of ['/metrics', '/metrics/slis']) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect((await ask('GET', path)).headers['process-start-time-unix']).toBe(began);
  }
});

test.each(['/metrics', '/metrics/slis'])('%s begins anew when it is deleted', async (path) => {
  await Promise.all(['/readyz', '/api/v1/namespaces'].map((counted) => ask('GET', counted)));
  const total = path === '/metrics' ? 'apiserver_request_total' : 'kubernetes_healthchecks_total';
  const shown = async (): Promise<readonly string[]> =>
    (await ask('GET', path)).text.split('\n').filter((line) => line.startsWith(`${total}{`));
  const before = await shown();
  expect(before.length).toBeGreaterThan(0);
  const { code, headers, text } = await ask('DELETE', path);
  expect([code, headers['content-type'], text]).toEqual([200, 'text/plain; charset=utf-8', 'metrics reset\n']);
  expect((await shown()).length).toBeLessThan(before.length);
});

describe('ranges of OpenAPI documents', () => {
  test.each(['/openapi/v2', '/openapi/v3', '/openapi/v3/apis/apps/v1'])('%s', async (path) => {
    const whole = await ask('GET', path);
    const size = Buffer.byteLength(whole.text);
    expect([whole.code, whole.headers['accept-ranges']]).toEqual([200, 'bytes']);
    const range = async (value: string, others = {}): Promise<unknown[]> => {
      const { code, headers, text } = await ask('GET', path, { range: value, ...others });
      return [code, headers['content-range'], text];
    };
    expect(await range('bytes=0-3')).toEqual([206, `bytes 0-3/${size}`, whole.text.slice(0, 4)]);
    expect(await range('bytes=-2')).toEqual([206, `bytes ${size - 2}-${size - 1}/${size}`, whole.text.slice(-2)]);
    expect(await range(`bytes=${size}-`)).toEqual([416, `bytes */${size}`, 'invalid range: failed to overlap\n']);
    expect(await range('lines=1-2')).toEqual([416, undefined, 'invalid range\n']);
    expect(await range('bytes=3-1')).toEqual([416, undefined, 'invalid range\n']);
    expect(await range('bytes=0-3', { 'accept-encoding': 'gzip' })).toEqual([
      206,
      `bytes 0-3/${size}`,
      '{"' + whole.text.slice(2, 4),
    ]);
    const { etag } = whole.headers;
    if (typeof etag === 'string') expect((await range('bytes=0-3', { 'if-range': etag }))[0]).toBe(206);
    expect((await range('bytes=0-3', { 'if-range': '"another"' }))[0]).toBe(200);
  });
});
