import { type ClientRequest, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { configDefaults } from '../../src/server/config.ts';
import { ApiClient } from '../api-client.ts';
import { startTestServer, type TestServer } from '../server-fixture.ts';
import { shownByPprof } from './pprof.ts';

// Profiles as kube-apiserver serves them: behind the permission for their paths, and at a socket without one.

let server: TestServer;
let client: ApiClient;
let socketPath: string;

beforeAll(async () => {
  socketPath = join(tmpdir(), `binnacle-profiles-${process.pid}.sock`);
  server = await startTestServer({}, {}, { config: { profiling: { enabled: true, socketPath } } });
  client = await ApiClient.connect(server);
});

afterAll(async () => {
  client[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

interface SocketResponse {
  readonly code: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: Buffer;
}

async function atSocket(path: string): Promise<SocketResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<SocketResponse>();
  const call = request({ socketPath, path }, (response) => {
    const { statusCode: code = 0, headers } = response;
    buffer(response).then((body) => resolve({ code, headers, body }), reject);
  });
  call.on('error', reject).end();
  return await promise;
}

/** What is seen of it in profiles: where it has been inlined before they began, its caller. */
const busyFunction = /busyUntil|whileBusy/;

/** Something to be seen in profiles. */
function busyUntil(endMs: number): number {
  let sum = 0;
  while (performance.now() < endMs) sum += Math.sqrt(sum + 1);
  return sum;
}

async function whileBusy<T>(answer: Promise<T>): Promise<T> {
  let ended = false;
  void answer.finally(() => (ended = true));
  while (!ended) {
    busyUntil(performance.now() + 20);
    // oxlint-disable-next-line no-await-in-loop -- the server runs in this process
    await new Promise((resolve) => setImmediate(resolve));
  }
  return await answer;
}

describe('a CPU profile', () => {
  test('names what was computed, on each thread', async () => {
    const { code, headers, body } = await whileBusy(atSocket('/debug/pprof/profile?seconds=1'));
    expect(code).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment; filename="profile"',
      'x-content-type-options': 'nosniff',
    });
    const texts = gunzipSync(body).toString('latin1');
    expect(texts).toMatch(busyFunction);
    for (const text of ['profiles.test.ts', 'nanoseconds', 'thread', 'main']) expect(texts).toContain(text);
    const shown = await shownByPprof(server, body, '-top', '-sample_index=cpu');
    if (shown === undefined) return;
    expect(shown).toMatch(/^Type: cpu$/m);
    expect(shown).toMatch(busyFunction);
    expect(await shownByPprof(server, body, '-tags')).toContain('main');
  });

  test('is taken by one client at a time', async () => {
    const path = '/debug/pprof/profile?seconds=1';
    const answers = await Promise.all([path, path].map((each) => client.exchange('GET', each, {})));
    const [first, second] = answers.toSorted((a, b) => a.code - b.code);
    expect([first?.code, second?.code]).toEqual([200, 500]);
    expect(second?.headers).toMatchObject({ 'x-go-pprof': '1', 'content-type': 'text/plain; charset=utf-8' });
    expect(second?.text).toBe('Could not enable CPU profiling: cpu profiling already in use\n');
  });

  test('ends when its client leaves', async () => {
    const begin = (): ClientRequest => {
      const sent = request({ socketPath, path: '/debug/pprof/profile?seconds=3600' }).on('error', () => undefined);
      // Refused: the other one was first.
      sent.on('response', (refused) => refused.resume().once('end', () => (leaving = begin())));
      return sent.end();
    };
    let leaving = begin();
    await expect.poll(async () => (await client.exchange('GET', '/debug/pprof/profile?seconds=1', {})).code).toBe(500);
    leaving.destroy();
    await expect.poll(async () => (await client.exchange('GET', '/debug/pprof/profile?seconds=1', {})).code).toBe(200);
  });
});

const kept: object[][] = [];

function allocate(): void {
  kept.push(Array.from({ length: 50_000 }, (_, index) => ({ index })));
}

describe('a heap profile', () => {
  test.each([
    ['heap', 'inuse_space', 'heap-delta'],
    ['allocs', 'alloc_space', 'allocs-delta'],
  ])('%s has sizes by stack', async (name, type, file) => {
    const answer = atSocket(`/debug/pprof/${name}?seconds=1&gc=1`);
    const timer = setInterval(allocate, 100);
    const { code, headers, body } = await answer;
    clearInterval(timer);
    expect([code, headers['content-disposition']]).toEqual([200, `attachment; filename="${file}"`]);
    const shown = await shownByPprof(server, body, '-top', `-sample_index=${type}`);
    const texts = gunzipSync(body).toString('latin1');
    for (const text of ['allocate', type, 'bytes']) expect(texts).toContain(text);
    expect(texts.includes('(allocated before)')).toBe(name === 'heap');
    if (shown === undefined) return;
    expect(shown).toMatch(new RegExp(`^Type: ${type}$`, 'm'));
    expect(shown).toMatch(/^\s*\S+\s+\S+%\s+\S+%\s+\S+\s+\S+%\s+allocate.*$/m);
  });
});

describe('answers as those of kube-apiserver', () => {
  test.each([
    ['/debug/pprof/nope', 404, 'Unknown profile\n'],
    ['/debug/pprof/nope/x', 404, 'Unknown profile\n'],
    ['/debug/pprof/heap?seconds=x', 400, 'invalid value for "seconds" - must be a positive integer\n'],
    ['/debug/pprof/heap?seconds=-1', 400, 'invalid value for "seconds" - must be a positive integer\n'],
    ['/debug/pprof/heap?seconds=1&debug=1', 400, 'seconds and debug params are incompatible\n'],
    ['/debug/pprof/symbol', 200, 'num_symbols: 1\n'],
    ['/debug/pprof/symbol?0x1+0x2', 200, 'num_symbols: 1\n'],
  ])('%s', async (path, code, text) => {
    const answer = await client.exchange('GET', path, {});
    expect([answer.code, answer.text]).toEqual([code, text]);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
    });
    expect(answer.headers['x-go-pprof']).toBe(code === 200 ? undefined : '1');
    const unasked = await atSocket(path);
    expect([unasked.code, unasked.body.toString()]).toEqual([code, text]);
  });

  test('the folder without a slash', async () => {
    const { code, headers, text } = await client.exchange('GET', '/debug/pprof', {});
    expect([code, headers['location'], text]).toEqual([302, '/debug/pprof/', '<a href="/debug/pprof/">Found</a>.\n\n']);
    expect((await atSocket('/debug/pprof')).headers['location']).toBe('/debug/pprof/');
  });

  test('they need no seats', async () => {
    const { headers } = await client.exchange('GET', '/debug/pprof/', {});
    expect(headers).not.toHaveProperty('x-kubernetes-pf-flowschema-uid');
  });

  test('the socket has nothing else', async () => {
    for (const path of ['/', '/metrics', '/debug', '/debug/pproff']) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const { code, body } = await atSocket(path);
      expect([path, code, body.toString()]).toEqual([path, 404, '404 page not found\n']);
    }
  });
});

test('profiles that only Go has are refused with the reason', async () => {
  for (const name of ['block', 'goroutine', 'mutex', 'threadcreate', 'trace']) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const { code, text, headers } = await client.exchange('GET', `/debug/pprof/${name}`, {});
    expect([name, code, headers['x-go-pprof']]).toEqual([name, 501, '1']);
    expect(text).toMatch(/^This profile is not available: .+\n$/);
  }
});

test('the command line of the process is told at the socket only', async () => {
  const { code, body } = await atSocket('/debug/pprof/cmdline');
  expect([code, body.toString()]).toEqual([200, [process.execPath, ...process.argv.slice(1)].join('\0')]);
  const answer = await client.exchange('GET', '/debug/pprof/cmdline', {});
  expect([answer.code, answer.text]).toEqual([404, 'Unknown profile\n']);
});

test('the index leads to the profiles', async () => {
  const { code, headers, text } = await client.exchange('GET', '/debug/pprof/', {});
  expect([code, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  for (const name of ['allocs', 'heap', 'profile']) expect(text).toContain(`<a href='${name}?debug=1'>`);
});

test('who may not get the path gets nothing', async () => {
  const authorization = { ...configDefaults.authorization, modes: ['RBAC'] } as const;
  await using other = await startTestServer({}, { inMemory: true }, { config: { authorization } });
  using asking = await ApiClient.connect(other);
  const answer = await asking.send('GET', '/debug/pprof/heap', { headers: { 'impersonate-user': 'somebody' } });
  expect([answer.code, answer.body['message']]).toEqual([
    403,
    'forbidden: User "somebody" cannot get path "/debug/pprof/heap"',
  ]);
});

test('nothing is served where profiles are turned off', async () => {
  const config = { profiling: { enabled: false, socketPath: undefined } };
  await using other = await startTestServer({}, { inMemory: true }, { config });
  using asking = await ApiClient.connect(other);
  for (const path of ['/debug/pprof', '/debug/pprof/', '/debug/pprof/heap']) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const { code, text } = await asking.exchange('GET', path, {});
    expect([path, code, text]).toEqual([path, 404, '404 page not found\n']);
  }
});
