import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { type ClientHttp2Session, connect } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { freePort, ServerProcess } from '../durability/server-process.ts';
import { adminTls } from '../server-fixture.ts';
import { play, Prober, RawConnection, statusesOf, type Target } from './raw-client.ts';

// A process of its own: what stops the server must not stop the test.
let folder: string;
let server: ServerProcess;
let admin: Target;
let nobody: Target;
let session: ClientHttp2Session;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'binnacle-transport-'));
  const port = await freePort();
  server = await ServerProcess.start(folder, port);
  const tls = await adminTls(join(folder, 'admin.kubeconfig'));
  admin = { url: `https://127.0.0.1:${port}`, tls };
  nobody = { url: admin.url, tls: { ca: tls.ca } };
  session = connect(admin.url, admin.tls);
});

afterAll(async () => {
  session.destroy();
  await server.kill();
  await rm(folder, { recursive: true, force: true });
});

async function ask(headers: { readonly [name: string]: string }, body?: string): Promise<number> {
  const stream = session.request(headers);
  stream.on('error', () => undefined);
  stream.end(body);
  stream.resume();
  const [answer] = (await Promise.race([once(stream, 'response'), once(stream, 'close')])) as [
    { ':status'?: number } | undefined,
  ];
  if (!stream.closed) await once(stream, 'close');
  return answer?.[':status'] ?? 0;
}

async function residentMegabytes(): Promise<number> {
  const status = await readFile(`/proc/${server.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

/** So many bytes that one who looks at them again and again is seen to. */
const sizeBytes = 60_000;
/** Longer than a request of this size may hold the server, and shorter than any that is not linear would. */
const patienceMs = 500;

const fillers: readonly string[] = [
  ' ', ',', ';', '=', '"', '/', '*', '.', '1', '0', 'a', '-', '%', '%41', '\\"', '(', '!', '&', '+', 'a,', 'a;', 'a=', ', ', '; ',
  'a/b,', 'a/b;q=0.1,', 'gzip ', 'gzip;', 'q=0.0', 'a=b;', 'a in (b),', '!a,', '1s', 'Bearer ', 'é',
]; // prettier-ignore

const headers: readonly (readonly [name: string, before: string, after: string])[] = [
  ['accept', '', ''],
  ['accept', 'application/json', 'x'],
  ['accept', 'application/json;q=', 'x'],
  ['accept', 'application/json;as=', ';g=meta.k8s.io'],
  ['accept-encoding', '', 'x'],
  ['accept-encoding', 'gzip', ';q=x'],
  ['accept-encoding', 'gzip;q=0.', 'x'],
  ['content-type', 'application/json', 'x'],
  ['content-type', 'application/json;', '='],
  ['content-type', 'application/json; a="', ''],
  ['user-agent', '', '/x'],
  ['if-none-match', '"', '"'],
  ['authorization', 'Basic ', 'x'],
  ['audit-id', '', 'x'],
  ['sec-websocket-protocol', '', 'x'],
  ['x-anything', '', 'x'],
];

describe('a header of 60 KB costs what it is long', () => {
  const paths = ['/readyz', '/openapi/v2', '/api/v1/namespaces', '/metrics'];

  it.each(headers)('%s: %s...%s', async (name, before, after) => {
    await using prober = new Prober(nobody);
    for (const [index, filler] of fillers.entries()) {
      const value = `${before}${filler.repeat(sizeBytes / filler.length)}${after}`;
      await ask({ ':path': paths[index % paths.length] ?? '', [name]: value });
    }
    expect(prober.worstMs).toBeLessThan(patienceMs);
  });
});

describe('so does a query of 60 KB', () => {
  const parameters = [
    'labelSelector', 'fieldSelector', 'continue', 'limit', 'resourceVersion', 'resourceVersionMatch', 'timeout', 'timeoutSeconds',
    'watch', 'pretty', 'dryRun', 'fieldManager', 'fieldValidation', 'gracePeriodSeconds', 'propagationPolicy', 'verbose', 'exclude', '',
  ]; // prettier-ignore

  it.each(parameters)('%s', async (name) => {
    await using prober = new Prober(nobody);
    for (const filler of fillers) {
      const value = encodeURI(filler).repeat(sizeBytes / encodeURI(filler).length);
      const target = `/api/v1/namespaces/default/configmaps?${name === '' ? value : `${name}=${value}`}`;
      await ask({ ':path': target });
      await ask({ ':path': target, ':method': 'DELETE' });
      await ask({ ':path': target.replace('/api/v1/namespaces/default/configmaps', '/readyz') });
    }
    expect(prober.worstMs).toBeLessThan(patienceMs);
  });

  it.each(['/', '/a', '/%41', '/..', '/namespaces', '%', 'é'])('and a path of %s', async (part) => {
    await using prober = new Prober(nobody);
    for (const start of ['', '/', '/api/v1', '/apis/apps/v1', '/openapi/v3', '/healthz']) {
      await ask({ ':path': `/${start}${encodeURI(part).repeat(sizeBytes / encodeURI(part).length)}` });
    }
    expect(prober.worstMs).toBeLessThan(patienceMs);
  });
});

describe('the head of a request', () => {
  const request = (lines: string): string => `GET /version HTTP/1.1\r\nHost: x\r\n${lines}\r\n`;

  it.each([
    ['60 KB in one header', request(`A: ${'a'.repeat(60_000)}\r\n`), 200],
    ['more than 64 KiB', request(`A: ${'a'.repeat(70_000)}\r\n`), 431],
    ['900 headers', request('A: b\r\n'.repeat(900)), 200],
    ['more than 1,000', request('A: b\r\n'.repeat(1_001)), 431],
    ['a target of 60 KB', request('').replace('version', `version?${'a'.repeat(60_000)}`), 200],
    ['one of more than 64 KiB', request('').replace('version', `version?${'a'.repeat(70_000)}`), 431],
  ])('over HTTP/1.1: %s', async (_, sent, status) => {
    expect((await play(admin, sent)).statuses).toEqual([status]);
  });

  it('over HTTP/2 the stream is refused, and no other', async () => {
    expect(await ask({ ':path': '/version', a: 'a'.repeat(60_000) })).toBe(200);
    expect(await ask({ ':path': '/version', a: 'a'.repeat(70_000) })).toBe(0);
    const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`a${index}`, 'b']));
    expect(await ask({ ':path': '/version', ...many(900) })).toBe(200);
    expect(await ask({ ':path': '/version', ...many(1_100) })).toBe(0);
    expect(await ask({ ':path': '/version' })).toBe(200);
  });
});

test('what clients make up makes no series of metrics, and takes no memory', async () => {
  const series = async (): Promise<number> => {
    const { text } = await play(admin, 'GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 2_000);
    return text.split('\n').filter((line) => line.startsWith('apiserver_')).length;
  };
  const madeUp = (index: number): readonly [method: string, path: string][] => [
    ['GET', `/readyz?dryRun=${index}${'x'.repeat(20_000)}`],
    ['GET', `/api/v1/namespaces/default/pods/a/made-up-${index}`],
    ['GET', `/apis/made-up-${index}.io/v1/things`],
    ['GET', `/api/v1/made-up-${index}`],
    ['GET', `/api/v${index}/pods`],
    ['GET', `/made-up-${index}`],
    ['PATCH', `/api/v1/pods/a/b/c${index}`],
    [`MADE-UP-${index}`, '/readyz'],
    [`MADE-UP-${index}`, '/api/v1/pods'],
  ];
  const round = async (from: number): Promise<void> => {
    for (let index = from; index < from + 400; index += 1) {
      await Promise.all(
        madeUp(index).map(([method, path]) =>
          ask({ ':method': method, ':path': path, accept: `application/json;a=${index}${'x'.repeat(1_000)}` }),
        ),
      );
    }
  };
  await round(0);
  const [seriesBefore, memoryBefore] = [await series(), await residentMegabytes()];
  await round(400);
  expect(await series()).toBe(seriesBefore);
  expect((await residentMegabytes()) - memoryBefore).toBeLessThan(100);
});

describe('bodies', () => {
  const post =
    'POST /api/v1/namespaces/default/configmaps?timeout=1s HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';

  it('one that does not come has the deadline of its request', async () => {
    const slow = await play(admin, `${post}Content-Length: 100\r\n\r\n{"a"`, 1_500);
    expect(slow.statuses).toEqual([504]);
    expect(slow.text).toContain('"reason":"Timeout"');
  });

  it('one that is too large is refused, and read no further than needed', async () => {
    using connection = await RawConnection.open(admin, 'http/1.1');
    connection.send(`${post}Transfer-Encoding: chunked\r\n\r\n`);
    const chunk = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(0x100000, 'a'), Buffer.from('\r\n')]);
    for (let sent = 0; sent < 64 && !connection.ended; sent += 1) {
      connection.send(chunk);
      await sleep(10);
    }
    await connection.until(() => connection.ended);
    expect(connection.ended).toBe(true);
    expect(statusesOf(connection.received.toString('latin1'))).toEqual([413]);
  });

  it('over HTTP/2 as well', async () => {
    const path = '/api/v1/namespaces/default/configmaps?timeout=1s';
    const stream = session.request({ ':method': 'POST', ':path': path, 'content-type': 'application/json' });
    stream.on('error', () => undefined);
    stream.write('{"a"');
    const [answer] = (await once(stream, 'response')) as [{ ':status'?: number }];
    expect(answer[':status']).toBe(504);
    stream.destroy();
    const big = session.request({ ':method': 'POST', ':path': path, 'content-type': 'application/json' });
    big.on('error', () => undefined);
    big.end(Buffer.alloc(4 << 20, 'a'));
    big.resume();
    const [refusal] = (await once(big, 'response')) as [{ ':status'?: number }];
    expect(refusal[':status']).toBe(413);
  });
});
