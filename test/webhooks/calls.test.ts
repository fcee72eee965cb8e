import { gzipSync } from 'node:zlib';
import { createSecureServer, type Http2SecureServer } from 'node:http2';
import { once } from 'node:events';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../src/api/time/clock.ts';
import { openCertificateStore } from '../../src/authentication/pki/certificate-store.ts';
import { type Call, HttpCaller } from '../../src/outgoing/http-call.ts';
import { Upstream } from '../../src/outgoing/upstream.ts';
import { withRequestedRetries } from '../../src/outgoing/retries.ts';

let folder: string;
let pki: Awaited<ReturnType<typeof openCertificateStore>>;
const opened = new AsyncDisposableStack();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'binnacle-calls-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const serverNames = { dnsNames: ['localhost'], ipAddresses: ['127.0.0.1'] };
  pki = await openCertificateStore({ folder, serverNames, clock: systemClock });
});

afterAll(() => opened.disposeAsync());

async function listening(server: Server | Http2SecureServer): Promise<URL> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  opened.defer(() => new Promise<void>((resolve) => void server.close(() => resolve())));
  return new URL(`https://127.0.0.1:${(server.address() as AddressInfo).port}/`);
}

function caller(options = {}): HttpCaller {
  const each = new HttpCaller(new Upstream({ ca: pki.authority }, options));
  opened.defer(() => each.close());
  return each;
}

const certificate = () => ({ key: pki.server.key, cert: pki.server.certificate });
const overHttp1 = (listener: RequestListener): Promise<URL> => listening(createServer(certificate(), listener));
const post = (url: URL, more: Partial<Call> = {}): Call => ({
  method: 'POST',
  url,
  body: '{}',
  timeoutMs: 5_000,
  maxResponseBytes: 10_000,
  ...more,
});

test('calls a server that speaks HTTP/2 over one connection, however many calls there are at a time', async () => {
  const versions: string[] = [];
  let connections = 0;
  const answer = (request: { readonly httpVersion: string }, response: { end(text: string): unknown }): void => {
    versions.push(request.httpVersion);
    setTimeout(() => response.end('done'), 20);
  };
  const server = createSecureServer({ ...certificate(), allowHTTP1: true }, answer);
  server.on('secureConnection', () => (connections += 1));
  const url = await listening(server);
  const http2 = caller({ http2: true });
  const answers = await Promise.all(Array.from({ length: 10 }, () => http2.call(post(url))));
  expect(answers.map(({ status, body }) => `${status} ${body.toString()}`)).toEqual(Array<string>(10).fill('200 done'));
  await http2.call(post(url));
  expect([connections, new Set(versions)]).toEqual([1, new Set(['2.0'])]);
  http2.close();
});

test.each([{ http2: true }, { http2: false }])(
  'calls in progress end after the caller is closed: %j',
  async (options) => {
    const { promise: called, resolve: begin } = Promise.withResolvers<void>();
    const { promise: closed, resolve: goOn } = Promise.withResolvers<void>();
    const server = createSecureServer({ ...certificate(), allowHTTP1: true }, (_request, response) => {
      begin();
      void closed.then(() => response.end('done'));
    });
    const url = await listening(server);
    const closing = caller(options);
    const answer = closing.call(post(url));
    await called;
    closing.close();
    goOn();
    expect((await answer).body.toString()).toBe('done');
  },
);

test.each([{ http2: true }, { http2: false }])(
  'calls that are still connecting end after the caller is closed: %j',
  async (options) => {
    const server = createSecureServer({ ...certificate(), allowHTTP1: true }, (_request, response) => {
      response.end('done');
    });
    const ended = new Promise<void>((resolve) => {
      server.once('secureConnection', (socket) => socket.once('close', () => resolve()));
    });
    const closing = caller(options);
    const answer = closing.call(post(await listening(server)));
    closing.close();
    expect((await answer).body.toString()).toBe('done');
    // Idle connections over HTTP/2 end by their timeout.
    if (!options.http2) await ended;
  },
);

test('calls a server that does not over HTTP/1.1, with the connection that has found that out', async () => {
  let connections = 0;
  const server = createServer({ ...certificate(), ALPNProtocols: ['http/1.1'] }, (request, response) => {
    response.end(request.httpVersion);
  });
  server.on('secureConnection', () => (connections += 1));
  const url = await listening(server);
  const http2 = caller({ http2: true });
  for (let calls = 0; calls < 3; calls += 1) expect((await http2.call(post(url))).body.toString()).toBe('1.1');
  expect(connections).toBe(1);
});

test('a session that the server has closed is replaced', async () => {
  const server = createSecureServer(certificate(), (_, response) => {
    response.end('done');
    response.stream.session?.close();
  });
  const url = await listening(server);
  const http2 = caller({ http2: true });
  for (let calls = 0; calls < 3; calls += 1) expect((await http2.call(post(url))).status).toBe(200);
});

test('a stream over HTTP/2 that is silent, refused or too large fails alone', async () => {
  const server = createSecureServer(certificate(), ({ url }, response) => {
    if (url === '/reset') response.stream.close(2);
    if (url === '/large') response.end('x'.repeat(20_000));
    if (url === '/fine') response.end('fine');
  });
  const url = await listening(server);
  const http2 = caller({ http2: true });
  const at = (path: string) => http2.call(post(new URL(path, url), { timeoutMs: 300 }));
  const results = await Promise.allSettled(['/silent', '/reset', '/large', '/fine'].map(at));
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected', 'fulfilled']);
  await expect(at('/silent')).rejects.toThrow(`Post "${url.href}silent": context deadline exceeded`);
  expect((await at('/fine')).body.toString()).toBe('fine');
  http2.close();
});

test('a server that never completes the handshake fails the call in time', async () => {
  const server = createTcpServer(() => undefined).listen(0, '127.0.0.1');
  await once(server, 'listening');
  opened.defer(() => void server.close());
  const url = new URL(`https://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  for (const http2 of [false, true]) {
    const call = caller({ http2 }).call(post(url, { timeoutMs: 100 }));
    await expect(call).rejects.toThrow('context deadline exceeded');
  }
});

test('compressed responses are read, within the limit of the decompressed size', async () => {
  const url = await overHttp1((request, response) => {
    const text = request.url === '/large' ? 'x'.repeat(1_000_000) : 'text';
    response.setHeader('content-encoding', 'gzip').end(gzipSync(text));
  });
  expect((await caller().call(post(url))).body.toString()).toBe('text');
  await expect(caller().call(post(new URL('/large', url)))).rejects.toThrow('the response is too large');
});

test('a response that leaves HTTP has no body', async () => {
  const url = await overHttp1(({ socket }) => {
    socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n');
  });
  expect(await caller().call(post(url))).toMatchObject({ status: 101, body: Buffer.alloc(0) });
});

test.each([
  ['https://[::1', 'failed to parse Location header "https://[::1": invalid URL'],
  ['https://127.0.0.1:99999/', 'failed to parse Location header "https://127.0.0.1:99999/": invalid URL'],
  ['ftp://127.0.0.1/x', 'Post "ftp://127.0.0.1/x": unsupported protocol scheme "ftp"'],
])('a redirection to %s fails the call', async (location, message) => {
  const url = await overHttp1((_, response) => void response.writeHead(307, { location }).end());
  await expect(caller().follow(post(url))).rejects.toThrow(message);
});

test('a server that asks for it is called again, ten times at most', async () => {
  const busy = (_: IncomingMessage, response: ServerResponse): void => {
    calls += 1;
    response.writeHead(429, { 'retry-after': '0' }).end();
  };
  let calls = 0;
  const call = post(await overHttp1(busy));
  const client = caller();
  expect(await withRequestedRetries(call, (each) => client.call(each))).toMatchObject({ status: 429 });
  expect(calls).toBe(11);
});
