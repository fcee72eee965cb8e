import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Http1Response, KeptConnection, type Request } from './kept-connection.ts';
import { type ServerTarget, startServerTarget } from './server-target.ts';
import { soak } from './soak.ts';

/** Requests on one connection. */
const count = 300;
const configMaps = '/api/v1/namespaces/default/configmaps';
const gzip = { 'Accept-Encoding': 'gzip' };
const json = { 'Content-Type': 'application/json' };

let server: ServerTarget;

beforeAll(async () => {
  server = await startServerTarget();
  using connection = await KeptConnection.open(server.admin);
  // Lists above what a connection buffers.
  for (let index = 0; index < 200; index += 1) {
    const object = { metadata: { name: `kept-${index}` }, data: { text: 'x'.repeat(2_000) } };
    const body = JSON.stringify(object);
    expect((await connection.ask({ method: 'POST', path: configMaps, headers: json, body })).status).toBe(201);
  }
});

afterAll(() => server[Symbol.asyncDispose]());

/** All that the server lists at its root, and the OpenAPI documents of some groups. */
async function allPaths(): Promise<readonly string[]> {
  using connection = await KeptConnection.open(server.admin);
  const { paths } = JSON.parse((await connection.ask({ path: '/' })).body.toString()) as { readonly paths: string[] };
  const documents = ['api/v1', 'apis/apps/v1', 'apis/batch/v1'].map((name) => `/openapi/v3/${name}`);
  return ['/', ...new Set([...paths, ...documents])];
}

/** Sends each request as soon as the answer before is whole. */
async function askInTurn(
  requests: readonly Request[],
  times = count,
  target = server.admin,
): Promise<readonly Http1Response[]> {
  using connection = await KeptConnection.open(target);
  const last: Http1Response[] = [];
  for (let round = 0; round < times; round += 1) {
    for (const [index, request] of requests.entries()) last[index] = await connection.ask(request);
  }
  return last;
}

test('every path that is no resource answers hundreds of requests on one connection', async () => {
  const paths = await allPaths();
  expect(paths.length).toBeGreaterThan(50);
  const left = [...paths];
  const work = async (): Promise<void> => {
    for (let path = left.shift(); path !== undefined; path = left.shift()) {
      const [answer] = await askInTurn([{ path }]);
      expect(`${path} ${answer?.status}`).toBe(`${path} 200`);
    }
  };
  await Promise.all([work(), work(), work()]);
}, 600_000);

test('and all of them in turn, with and without gzip', async () => {
  const paths = await allPaths();
  const requests = paths.flatMap((path) => [{ path }, { path, headers: gzip }]);
  const answers = await askInTurn(requests, 5);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
}, 600_000);

describe('many requests on one connection', () => {
  const rows: readonly (readonly [name: string, Request, status: number, times?: number])[] = [
    ['lists', { path: configMaps }, 200],
    ['lists in gzip', { path: configMaps, headers: gzip }, 200, 100],
    ['tables', { path: configMaps, headers: { Accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' } }, 200, 100],
    ['lists in protobuf', { path: configMaps, headers: { Accept: 'application/vnd.kubernetes.protobuf' } }, 200],
    ['objects', { path: `${configMaps}/kept-1` }, 200],
    ['missing objects', { path: `${configMaps}/missing` }, 404],
    ['media types that do not exist', { path: configMaps, headers: { Accept: 'a/b' } }, 406],
    ['impersonation of nobody', { path: configMaps, headers: { 'Impersonate-Group': 'x' } }, 400],
    ['HEAD', { method: 'HEAD', path: '/openapi/v2' }, 200],
    ['HEAD of lists', { method: 'HEAD', path: configMaps }, 405],
    ['methods that do not exist', { method: 'PUT', path: '/version', body: '{}' }, 405],
    ['bodies that nobody reads', { method: 'POST', path: '/nothing', body: 'x'.repeat(300_000) }, 404, 100],
    ['bodies of GET', { path: '/metrics', body: 'x'.repeat(100_000) }, 200, 100],
    ['bodies that are too large', { method: 'POST', path: configMaps, headers: json, body: bytes(4 << 20) }, 413, 5],
    [
      'bodies that are expected',
      {
        method: 'POST',
        path: `${configMaps}?dryRun=All`,
        body: '{"metadata":{"name":"e"}}',
        headers: { ...json, Expect: '100-continue' },
      },
      201,
    ],
    ['HTTP/1.0', { path: '/metrics', version: '1.0', headers: { Connection: 'keep-alive' } }, 200, 100],
    ['watches that end', { path: `${configMaps}?watch=1&timeoutSeconds=1&resourceVersion=0` }, 200, 4],
  ];
  test.for(rows)('%s', async ([, request, status, times = count]) => {
    // The page takes longer than most requests.
    const [answer] = await askInTurn([request, request, request, { path: '/metrics' }], Math.ceil(times / 3));
    expect(answer?.status).toBe(status);
  });
});

function bytes(size: number): Buffer {
  return Buffer.alloc(size, 'x');
}

test('those who are refused keep their connections', async () => {
  const requests = [
    { path: configMaps },
    { path: '/version' },
    { path: configMaps, headers: { Authorization: 'Bearer x' } },
  ];
  const answers = await askInTurn(requests, count, server.nobody);
  expect(answers.map(({ status }) => status)).toEqual([401, 200, 401]);
});

test('several requests at once, large and small, over and over', async () => {
  using connection = await KeptConnection.open(server.admin);
  const some = ['/metrics', '/version', configMaps, '/healthz', '/openapi/v3/api/v1', '/api'].map((path) => ({ path }));
  for (let round = 0; round < 60; round += 1) {
    const answers = await connection.askAll(some.slice(round % some.length));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  }
});

test('a connection ends with the answer to a request that says so', async () => {
  const path = '/metrics';
  for (const request of [
    { path, headers: { Connection: 'close' } },
    { path, version: '1.0' as const },
  ]) {
    using connection = await KeptConnection.open(server.admin);
    expect((await connection.ask(request)).status).toBe(200);
    await expect.poll(() => connection.ended).toBe(true);
  }
});

test('random sequences over both protocols are answered in time and whole', async () => {
  const report = await soak(server.admin, { seconds: 10, seed: Date.now() % 1_000_000, leastAnswers: 200 });
  console.log(report.summary);
  expect(report.faults).toEqual([]);
  expect(report.answers).toBeGreaterThanOrEqual(200);
});
