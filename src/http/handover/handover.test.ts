import { once } from 'node:events';
import fc from 'fast-check';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Client, type ClientRequest, type Got, type Protocol } from './testdata/client-fixture.ts';
import { ServingThread, TwoWays } from './testdata/two-ways-fixture.ts';

let ways: TwoWays;

beforeAll(async () => {
  ways = await TwoWays.start();
}, 30_000);

afterAll(async () => {
  await ways[Symbol.asyncDispose]();
});

beforeEach(() => {
  ways.thread.told.length = 0;
});

/** What must be the same both ways: all but the time. */
function comparable({ headers = {}, ...got }: Got): object {
  const { date: _date, ...rest } = headers;
  return { ...got, headers: rest };
}

async function expectSame(protocol: Protocol, outgoing: ClientRequest): Promise<Got> {
  using direct = new Client(ways.direct, protocol);
  using handed = new Client(ways.handed, protocol);
  const headers = { ...outgoing.headers, host: 'server.example' };
  const [expected, got] = await Promise.all([
    direct.ask({ ...outgoing, headers }),
    handed.ask({ ...outgoing, headers }),
  ]);
  expect(comparable(got)).toEqual(comparable(expected));
  return got;
}

const body = (...sizes: number[]): Buffer[] => sizes.map((size, at) => Buffer.alloc(size, 97 + at));
const cases: { readonly [name: string]: ClientRequest } = {
  'no body': { path: '/echo' },
  'headers, repeated and odd ones': {
    path: '/echo?x=%20y',
    headers: {
      'x-b': ['1', '2'],
      'X-A': 'ä'.normalize(),
      cookie: ['a=1', 'b=2'],
      'impersonate-user': 'me',
      __proto__x: '',
    },
  },
  HEAD: { method: 'HEAD', path: '/echo' },
  'an empty body': { method: 'POST', path: '/echo', headers: { 'content-length': '0' }, body: [] },
  'a body': { method: 'POST', path: '/echo', body: body(10) },
  'a body of known size, in chunks': {
    method: 'PUT',
    path: '/echo',
    headers: { 'content-length': '700011' },
    body: body(100_000, 1, 600_000, 10),
  },
  'a body of unknown size': { method: 'PUT', path: '/echo?wait', body: body(100_000, 1, 600_000, 10) },
  'a body that has to wait for room': { method: 'PUT', path: '/echo?wait', body: body(300_000, 300_000) },
  'a body that is declared too large': {
    method: 'PUT',
    path: '/echo?limit=10',
    headers: { 'content-length': '300000' },
    body: body(300_000),
  },
  'a body that is too large': { method: 'PUT', path: '/echo?limit=100000', body: body(90_000, 300_000) },
  'a client that expects to be asked for the body': {
    method: 'PUT',
    path: '/echo',
    headers: { expect: '100-continue', 'content-length': '10' },
    body: body(10),
  },
  'a body passed on': { method: 'POST', path: '/pass?trailers', body: body(5, 70_000, 700_000, 1) },
  'trailers without a body': { method: 'POST', path: '/pass?trailers' },
  'a response in chunks': { path: '/chunks?sizes=1,0,70000,20,300000,5' },
  'shared memory in chunks': { path: '/chunks?shared&sizes=1,70000,20,300000,5' },
  'a large response': { path: '/large?size=3000000' },
  'a large response in shared memory': { path: '/large?shared&size=3000000' },
  'a large response to HEAD': { method: 'HEAD', path: '/large?size=3000000' },
  'no response': { path: '/abort' },
  'half a response': { path: '/chunks?sizes=70000,300000&abort' },
  'a failure': { path: '/throw' },
  'a body that nobody reads': { method: 'POST', path: '/large?size=10', body: body(600_000) },
  'a body that nobody reads beside a response in chunks': {
    method: 'PATCH',
    path: '/chunks?sizes=11,200000,15',
    body: body(300_000, 300_000, 300_000),
  },
  'the end of the connection': { path: '/echo?end-connection' },
};

describe.each(['1.1', '2'] as const)('over HTTP/%s, an exchange that is handed over is the same', (protocol) => {
  test.each(Object.entries(cases))('%s', async (_name, outgoing) => {
    const { isCut } = await expectSame(protocol, outgoing);
    expect(isCut).toBe(outgoing.path.includes('abort'));
  });

  test('client certificates, none as well', async () => {
    const certified = JSON.parse((await expectSame(protocol, { path: '/echo' })).body!) as { readonly peer: string[] };
    expect(certified.peer.length).toBeGreaterThan(0);
    const { ca } = ways.handed.tls;
    using nobody = new Client({ ...ways.handed, tls: { ca } }, protocol);
    const got = await nobody.ask({ path: '/echo' });
    expect(JSON.parse(got.body!)).toMatchObject({ peer: null });
  });

  test('random requests', async () => {
    using direct = new Client(ways.direct, protocol);
    using handed = new Client(ways.handed, protocol);
    await fc.assert(
      fc.asyncProperty(requests, async (outgoing) => {
        const headers = { ...outgoing.headers, host: 'server.example' };
        const all = { ...outgoing, headers };
        expect(comparable(await handed.ask(all))).toEqual(comparable(await direct.ask(all)));
      }),
      { numRuns: 25 },
    );
  });
});

const size = fc.oneof(fc.nat(20), fc.integer({ min: 60_000, max: 70_000 }), fc.nat(300_000));
const token = fc.stringMatching(/^[a-z][a-z-]{0,8}$/).map((name) => `x-${name}`);
const value = fc.stringMatching(/^[!-~]([ -~]{0,12}[!-~])?$/);
const requests: fc.Arbitrary<ClientRequest> = fc
  .record({
    method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'),
    path: fc.oneof(
      fc.constantFrom('/echo', '/echo?limit=70000', '/echo?status=409', '/pass', '/pass?trailers', '/throw'),
      fc.array(size, { minLength: 1, maxLength: 4 }).map((sizes) => `/chunks?sizes=${sizes.join(',')}`),
      fc.tuple(size, fc.constantFrom('', '&shared')).map(([bytes, shared]) => `/large?size=${bytes}${shared}`),
      fc.webQueryParameters().map((query) => `/echo?${query.replaceAll(/limit|remaining|status|wait/g, '_')}`),
    ),
    headers: fc.dictionary(token, fc.oneof(value, fc.array(value, { minLength: 1, maxLength: 3 })), { maxKeys: 4 }),
    sizes: fc.option(fc.array(size, { maxLength: 5 })),
  })
  .map(({ sizes, method, path, headers }): ClientRequest => {
    if (sizes === null || method === 'HEAD' || method === 'OPTIONS') return { method, path, headers };
    // Without its length, node's client sends the body of these methods as if it were the next request.
    const length = String(sizes.reduce((sum, each) => sum + each, 0));
    const framing = method === 'GET' || method === 'DELETE' ? { 'content-length': length } : {};
    return { method, path, headers: { ...headers, ...framing }, body: body(...sizes) };
  });

describe.each(['1.1', '2'] as const)('over HTTP/%s', (protocol) => {
  test('the serving thread learns that a client is gone', async () => {
    using client = new Client(ways.handed, protocol);
    const silent = client.open({ path: '/silent' });
    await ways.thread.tells('begun');
    silent.sent.destroy();
    await ways.thread.tells('closed true');
    expect(ways.thread.told).not.toContain('started');
  });

  test('the serving thread learns that a client broke off its body', async () => {
    using client = new Client(ways.handed, protocol);
    const outgoing = { method: 'POST', headers: { 'content-length': '200000' }, body: body(100_000), breaksOff: true };
    expect(await client.ask({ ...outgoing, path: '/echo' })).toMatchObject({ isCut: true });
    await expect.poll(() => ways.thread.sender.size).toBe(0);
  });

  test('a response that has begun arrives at once', async () => {
    using client = new Client(ways.handed, protocol);
    const { response } = client.open({ path: '/quiet?size=1' });
    const { stream } = await response;
    const [first] = (await once(stream, 'data')) as [Buffer];
    expect(first.toString()).toBe('x');
    expect(ways.thread.told).toContain('started');
  });

  test('a client that reads nothing stops the writer, which goes on when it reads', async () => {
    using client = new Client(ways.handed, protocol);
    const { response } = client.open({ path: '/fill?size=20000000&end' });
    const { stream } = await response;
    await ways.thread.tells(/^full/);
    await sleep(50);
    expect(ways.thread.told).not.toContain('drained');
    let sizeBytes = 0;
    for await (const chunk of stream) sizeBytes += (chunk as Buffer).length;
    expect(ways.thread.told).toContain('drained');
    expect(ways.thread.told).toContain(`full ${sizeBytes}`);
  });

  test('a client that reads nothing for long is cut off', async () => {
    using client = new Client(ways.handed, protocol);
    const { response } = client.open({ path: '/fill?size=100000000&stall=100' });
    await response;
    await ways.thread.tells('closed true');
  });

  test('a body that takes too long is refused', async () => {
    using client = new Client(ways.handed, protocol);
    const { response, sent } = client.open({ method: 'POST', path: '/echo?remaining=1', body: [] });
    sent.write('x');
    expect((await response).status).toBe(504);
  });

  test('bytes sent are counted where they are written', async () => {
    using client = new Client(ways.handed, protocol);
    await client.ask({ path: '/chunks?sizes=10,100000' });
    expect(ways.thread.told).toContain('sent 100010');
  });

  test('nothing is kept of exchanges that have ended', async () => {
    using client = new Client(ways.handed, protocol);
    for (let n = 0; n < 20; n++) expect(await client.ask({ path: '/echo' })).toMatchObject({ status: 200 });
    await expect.poll(() => ways.thread.sender.size).toBe(0);
  });
});

test('the server ends a connection with a GOAWAY', async () => {
  using client = new Client(ways.handed, '2');
  const ended = once(client.session!, 'goaway');
  expect(await client.ask({ path: '/echo?end-connection' })).toMatchObject({ status: 200 });
  await ended;
});

describe.each(['throw', 'fill the heap'] as const)('when the serving thread ends: %s', (how) => {
  test.each(['1.1', '2'] as const)('over HTTP/%s', async (protocol) => {
    await using own = await TwoWays.start({ resourceLimits: { maxOldGenerationSizeMb: 32 } });
    using client = new Client(own.handed, protocol);
    using other = new Client(own.handed, protocol);
    using late = new Client(own.handed, protocol);
    const begun = client.ask({ path: '/quiet' });
    const unanswered = other.ask({ path: '/silent' });
    await expect.poll(() => own.thread.told.filter((what) => what === 'begun').length).toBe(2);
    own.thread.worker.postMessage(how);
    const failed = { status: 500, headers: { 'content-type': 'application/json' } };
    const lost = await unanswered;
    expect(lost).toMatchObject(failed);
    expect(JSON.parse(lost.body!)).toMatchObject({ kind: 'Status', code: 500, reason: 'InternalError' });
    expect(await begun).toMatchObject({ status: 200, body: 'x', isCut: true });
    expect(await late.ask({ path: '/echo', method: 'POST', body: body(100_000) })).toMatchObject(failed);
    expect(own.thread.sender.size).toBe(0);
  });
});

test('when the accepting thread ends, the serving one sees its exchanges closed', async () => {
  await using thread = new ServingThread();
  const port = thread.connect();
  const accepting = new Worker(new URL('./testdata/accepting-thread.ts', import.meta.url), {
    workerData: { port, tls: ways.tls },
    transferList: [port],
  });
  const [listening] = (await once(accepting, 'message')) as [number];
  using client = new Client({ ...ways.handed, port: listening }, '2');
  client.open({ path: '/silent' });
  client.open({ path: '/quiet' });
  client.open({ path: '/fill?size=1000' });
  await expect.poll(() => thread.told.filter((what) => what === 'begun').length).toBe(3);
  await accepting.terminate();
  await expect.poll(() => thread.told.filter((what) => what === 'closed true').length).toBe(3);
});
