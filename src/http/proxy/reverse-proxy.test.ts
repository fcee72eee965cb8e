import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import {
  type ClientHttp2Session,
  connect as connectHttp2,
  constants,
  createSecureServer,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import { request } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { systemClock } from '../../api/time/clock.ts';
import { openCertificateStore } from '../../authentication/pki/certificate-store.ts';
import { Upstream } from '../../outgoing/upstream.ts';
import type { Exchange } from '../transport/exchange.ts';
import { Listener } from '../transport/listener.ts';
import { ProxyError, type ProxyTarget } from './proxy-target.ts';
import { proxyRequest } from './reverse-proxy.ts';

let folder: string;
let authority: string;
let serverTls: { readonly cert: string; readonly key: string };
let listener: Listener;
let server: Server;
let port: number;
let upstreamPort: number;
let session: ClientHttp2Session;
let answerWith: (request: IncomingMessage, response: ServerResponse) => void;
let change: Partial<ProxyTarget> = {};
let ended = 0;
/** How long a request waits before it is passed on. */
let delayMs = 0;
/** How long an answer may take. */
let timeoutMs: number | undefined;
const upstream = new Upstream();

async function handle(exchange: Exchange): Promise<void> {
  const target: ProxyTarget = {
    upstream,
    secure: false,
    host: '127.0.0.1',
    port: upstreamPort,
    path: exchange.path.slice('/proxy'.length),
    query: exchange.query,
    front: {
      scheme: '',
      host: '',
      prefix: '/proxy',
    },
    ...change,
  };
  if (delayMs > 0) await sleep(delayMs);
  try {
    await proxyRequest(exchange, target, {
      commonHeaders: { 'audit-id': 'id' },

      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    });
  } catch (error) {
    if (!(error instanceof ProxyError)) throw error;
    exchange.respond(error.status, {}, error.message);
  } finally {
    ended += 1;
  }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'binnacle-proxy-'));
  const serverNames = { dnsNames: ['localhost'], ipAddresses: [] };
  const certificates = await openCertificateStore({ folder, serverNames, clock: systemClock });
  authority = certificates.authority;
  serverTls = { cert: certificates.server.certificate, key: certificates.server.key };
  listener = new Listener({ ...serverTls, allowHTTP1: true }, (exchange) => void handle(exchange), {
    takesUpgrades: () => true,
  });
  port = await listener.listen('127.0.0.1', 0);
  server = createServer((incoming, response) => answerWith(incoming, response));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  upstreamPort = (server.address() as AddressInfo).port;
  session = connectHttp2(`https://localhost:${port}`, { ca: authority });
});

afterAll(async () => {
  session.destroy();
  upstream[Symbol.dispose]();
  server.closeAllConnections();
  server.close();
  await listener.close(0);
  await rm(folder, { recursive: true });
});

interface Heard {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly trailers: NodeJS.Dict<string>;
  readonly body: string;
}

interface SentRequest {
  readonly method?: string;
  readonly headers?: NodeJS.Dict<string>;
  readonly body?: string;
}

function ask(path: string, { method = 'GET', headers = {}, body }: SentRequest = {}): Promise<Heard> {
  const { promise, resolve, reject } = Promise.withResolvers<Heard>();
  const sent = request({
    host: 'localhost',
    port,
    path,
    method,
    ca: authority,
    headers,
    agent: false,
  });
  sent.once('response', (answer) => {
    text(answer).then(
      (heard) =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, trailers: answer.trailers, body: heard }),
      reject,
    );
  });
  sent.once('error', reject);
  sent.end(body);
  return promise;
}

/** Over HTTP/2. */
async function askOver2(headers: NodeJS.Dict<string>, body?: string): Promise<Heard> {
  const stream = session.request(headers, { endStream: body === undefined });
  const answer = Promise.withResolvers<NodeJS.Dict<string | string[]>>();
  let trailers: NodeJS.Dict<string> = {};
  stream.once('response', (received) => answer.resolve(received as NodeJS.Dict<string | string[]>));
  stream.once('trailers', (received) => (trailers = received as NodeJS.Dict<string>));
  stream.once('error', answer.reject);
  if (body !== undefined) stream.end(body);
  const received = await answer.promise;
  const heard = await text(stream);
  return { status: Number(received[':status']), headers: received, trailers, body: heard };
}

test('a body that ended without a byte before the request is passed on is none', async () => {
  const framings: (string | undefined)[] = [];
  answerWith = (incoming, response) => {
    framings.push(incoming.headers['transfer-encoding']);
    text(incoming).then(() => response.end('done'), response.destroy);
  };
  for (delayMs of [50, 0]) expect(await askOver2({ ':path': '/proxy/a' }, '')).toMatchObject({ body: 'done' });
  expect(framings).toEqual([undefined, undefined]);
});

test('method, path, query and body pass as they are, and headers without those of the connection', async () => {
  let seen: { readonly [part: string]: unknown } = {};
  answerWith = (incoming, response) => {
    text(incoming).then((body) => {
      const { method, url, headers } = incoming;
      seen = { method, url, headers, body };
      response.writeHead(201, { 'x-own': ['1', '2'], 'keep-alive': 'timeout=1', 'access-control-allow-origin': '*' });
      response.end('done');
    }, response.destroy);
  };
  const headers = {
    'x-forwarded-for': '192.0.2.1',
    authorization: 'Bearer secret',
    'x-remote-user': 'root',
    'impersonate-user': 'root',
    connection: 'x-hop',
    'x-hop': '1',
    te: 'trailers',
    accept: 'text/plain',
  };
  const heard = await ask('/proxy/a%2Fb//c?x=%20&y', { method: 'PATCH', headers, body: 'a body' });
  expect(heard).toMatchObject({ status: 201, body: 'done', headers: { 'x-own': '1, 2', 'audit-id': 'id' } });
  expect(heard.headers).not.toHaveProperty('access-control-allow-origin');
  expect(seen).toEqual({
    method: 'PATCH',
    url: '/a%2Fb//c?x=%20&y',
    body: 'a body',
    headers: {
      host: `localhost:${port}`,
      accept: 'text/plain',
      te: 'trailers',
      'content-length': '6',
      'x-forwarded-for': '192.0.2.1, 127.0.0.1',
      'x-forwarded-uri': '/proxy/a%2Fb/c',
    },
  });
});

test('over HTTP/2, with a body of unknown length, cookies and trailers', async () => {
  let seen: { readonly [part: string]: unknown } = {};
  answerWith = (incoming, response) => {
    text(incoming).then((body) => {
      seen = { body, cookie: incoming.headers.cookie, host: incoming.headers.host };
      response.writeHead(200, { trailer: 'x-sum' });
      response.write('part');
      response.addTrailers({ 'x-sum': '7' });
      response.end();
    }, response.destroy);
  };
  const heard = await askOver2({ ':method': 'POST', ':path': '/proxy/x', cookie: 'a=1; b=2' }, 'body');
  expect(heard).toMatchObject({ status: 200, body: 'part', trailers: { 'x-sum': '7' } });
  expect(seen).toEqual({ body: 'body', cookie: 'a=1; b=2', host: `localhost:${port}` });
  const over1 = await ask('/proxy/x', { method: 'POST', body: 'x' });
  expect(over1.trailers).toEqual({ 'x-sum': '7' });
});

test('to a server that speaks HTTP/2, as gRPC needs it', async () => {
  const seen: IncomingHttpHeaders[] = [];
  const echo = createSecureServer(serverTls);
  echo.on('stream', (stream: ServerHttp2Stream, headers) => {
    seen.push(headers);
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.on('data', (chunk: Buffer) => stream.write(`<${chunk.toString()}>`));
    stream.once('end', () => stream.end());
  });
  await new Promise<void>((done) => void echo.listen(0, 'localhost', done));
  using secure = new Upstream({ ca: authority });
  change = { upstream: secure, secure: true, host: 'localhost', port: (echo.address() as AddressInfo).port };
  const headers = { ':method': 'POST', ':path': '/proxy/grpc', 'content-type': 'application/grpc', te: 'trailers' };
  const stream = session.request(headers, { endStream: false });
  const trailers = new Promise((resolve) => void stream.once('trailers', resolve));
  const next = (): Promise<string> =>
    new Promise((resolve) => void stream.once('data', (data) => resolve(String(data))));
  for (const part of ['one', 'two']) {
    const heard = next();
    stream.write(part);
    expect(await heard).toBe(`<${part}>`);
  }
  stream.end();
  expect(await trailers).toMatchObject({ 'grpc-status': '0' });
  expect(seen).toEqual([
    expect.objectContaining({ ':path': '/grpc', ':authority': `localhost:${port}`, te: 'trailers' }),
  ]);
  expect(await askOver2({ ':method': 'POST', ':path': '/proxy/once' }, 'all')).toMatchObject({
    status: 200,
    body: '<all>',
    trailers: { 'grpc-status': '0' },
  });
  change = {};
  echo.close();
});

test('answers come as they are written, before the request ends', async () => {
  answerWith = (incoming, response) => {
    response.flushHeaders();
    incoming.on('data', (chunk: Buffer) => response.write(`<${chunk.toString()}>`));
    incoming.on('end', () => response.end());
  };
  const stream = session.request({ ':method': 'POST', ':path': '/proxy/echo' }, { endStream: false });
  const next = (): Promise<string> =>
    new Promise((resolve) => void stream.once('data', (data) => resolve(String(data))));
  const first = next();
  stream.write('one');
  expect(await first).toBe('<one>');
  const second = next();
  stream.write('two');
  expect(await second).toBe('<two>');
  stream.end();
  await new Promise((resolve) => void stream.once('close', resolve));
});

test('a client that reads slowly slows the server down, and leaves it when it leaves', async () => {
  let written = 0;
  const closed = Promise.withResolvers<void>();
  answerWith = (_incoming, response) => {
    response.once('close', closed.resolve);
    const more = (): void => {
      while (written < 1 << 28) {
        written += 65_536;
        if (!response.write(Buffer.alloc(65_536))) return void response.once('drain', more);
      }
    };
    more();
  };
  const sent = request({ host: 'localhost', port, path: '/proxy/endless', ca: authority, agent: false });
  sent.on('error', () => undefined);
  const answer = await new Promise<IncomingMessage>((resolve) => void sent.once('response', resolve).end());
  answer.on('error', () => undefined);
  answer.pause();
  let before = -1;
  while (before !== written) {
    before = written;
    await sleep(100);
  }
  expect(written).toBeLessThan(32 << 20);
  const endedBefore = ended;
  sent.destroy();
  await closed.promise;
  await vi.waitFor(() => expect(ended).toBe(endedBefore + 1));
});

test('an answer that breaks off is cut off for the client as well', async () => {
  answerWith = (incoming, response) => {
    response.writeHead(200, { 'content-length': 100 });
    response.write('half');
    setTimeout(() => incoming.socket.destroy(), 50);
  };
  await expect(ask('/proxy/half')).rejects.toThrow('aborted');
  await expect(askOver2({ ':path': '/proxy/half' })).rejects.toThrow('NGHTTP2_');
});

test.each<[string, (stream: ServerHttp2Stream) => unknown]>([
  ['resets the stream', (stream) => stream.destroy(new Error('reset'))],
  ['cancels the stream', (stream) => stream.session?.destroy(undefined, constants.NGHTTP2_CANCEL)],
  ['loses the connection', (stream) => stream.session?.socket.destroy()],
])('an answer over HTTP/2 is cut off for the client when the server %s', async (_, breakOff) => {
  const broken = createSecureServer(serverTls);
  broken.on('session', (each) => each.on('error', () => undefined));
  broken.on('stream', (stream: ServerHttp2Stream) => {
    stream.on('error', () => undefined);
    stream.respond({ ':status': 200 });
    stream.write('half', () => breakOff(stream));
  });
  await new Promise<void>((done) => void broken.listen(0, 'localhost', done));
  using secure = new Upstream({ ca: authority });
  change = { upstream: secure, secure: true, host: 'localhost', port: (broken.address() as AddressInfo).port };
  await expect(ask('/proxy/half')).rejects.toThrow('aborted');
  await expect(askOver2({ ':path': '/proxy/half' })).rejects.toThrow('NGHTTP2_');
  change = {};
  broken.close();
});

test('an answer over HTTP/2 that takes too long is cut off', async () => {
  const slow = createSecureServer(serverTls);
  slow.on('stream', (stream: ServerHttp2Stream) => {
    stream.on('error', () => undefined);
    stream.respond({ ':status': 200 });
    stream.write('half');
  });
  await new Promise<void>((done) => void slow.listen(0, 'localhost', done));
  using secure = new Upstream({ ca: authority });
  change = { upstream: secure, secure: true, host: 'localhost', port: (slow.address() as AddressInfo).port };
  timeoutMs = 300;
  await expect(ask('/proxy/half')).rejects.toThrow('aborted');
  timeoutMs = undefined;
  change = {};
  slow.close();
});

test('a client that breaks off its body breaks off the request', async () => {
  const closed = Promise.withResolvers<void>();
  const came = Promise.withResolvers<void>();
  answerWith = (incoming) => {
    incoming.once('data', () => came.resolve());
    incoming.on('error', () => undefined);
    incoming.once('close', closed.resolve);
  };
  const sent = request({ host: 'localhost', port, path: '/proxy/x', method: 'POST', ca: authority, agent: false });
  sent.on('error', () => undefined);
  sent.write('part');
  await came.promise;
  sent.destroy();
  await closed.promise;
});

test('an answer before the end of the body reaches the client', async () => {
  answerWith = (_incoming, response) => {
    response.writeHead(413, { connection: 'close' });
    response.end('too much');
  };
  const heard = await askOver2({ ':method': 'POST', ':path': '/proxy/x' }, 'x'.repeat(1 << 20));
  expect(heard).toMatchObject({ status: 413, body: 'too much' });
});

test('connections are used again, and a request over one that has just closed is sent again', async () => {
  const sockets = new Set<Socket>();
  answerWith = (incoming, response) => {
    sockets.add(incoming.socket);
    response.end('ok');
  };
  for (const _ of [1, 2, 3]) await ask('/proxy/x');
  expect(sockets.size).toBe(1);
  answerWith = (incoming, response) => {
    if (sockets.has(incoming.socket)) incoming.socket.destroy();
    else response.end('again');
  };
  expect((await ask('/proxy/x')).body).toBe('again');
});

test('GET of the bare path is sent to its folder', async () => {
  const { status, headers } = await ask('/proxy?a=b');
  expect({ status, location: headers.location }).toEqual({ status: 301, location: '/proxy/?a=b' });
});

test('links and redirects are written for the client', async () => {
  answerWith = (_incoming, response) => {
    response.writeHead(302, { location: '/login' });
    response.end();
  };
  expect((await ask('/proxy/x')).headers.location).toBe('/proxy/login');
  const page = '<a href="/a">';
  answerWith = (incoming, response) => {
    const isZipped = incoming.url === '/zipped';
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      ...(isZipped ? { 'content-encoding': 'gzip' } : {}),
    });
    response.end(isZipped ? gzipSync(page) : page);
  };
  expect((await ask('/proxy/page')).body).toBe('<a href="/proxy/a">');
  const zipped = Promise.withResolvers<Buffer>();
  const sent = request({ host: 'localhost', port, path: '/proxy/zipped', ca: authority, agent: false });
  sent.once('response', (answer) => {
    const chunks: Buffer[] = [];
    answer.on('data', (chunk: Buffer) => chunks.push(chunk));
    answer.once('end', () => zipped.resolve(gunzipSync(Buffer.concat(chunks))));
  });
  sent.end();
  expect((await zipped.promise).toString()).toBe('<a href="/proxy/a">');
});

test('a server that cannot be reached', async () => {
  change = { port: 1 };
  const { status, body } = await ask('/proxy/x');
  change = {};
  expect({ status, body }).toEqual({
    status: 503,
    body: 'error trying to reach service: dial tcp 127.0.0.1:1: connect: connection refused',
  });
});

test('any protocol passes byte for byte once the server has agreed', async () => {
  server.on('upgrade', (incoming: IncomingMessage, socket: Socket) => {
    if (incoming.headers.upgrade !== 'SPDY/3.1') return;
    socket.on('error', () => undefined);
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: SPDY/3.1\r\nConnection: Upgrade\r\nX-Way: ${incoming.method} ${incoming.url}\r\n\r\nhello `,
    );
    socket.on('data', (data: Buffer) => socket.write(data));
  });
  const sent = request({
    host: 'localhost',
    port,
    path: '/proxy/exec?a=b',
    method: 'POST',
    ca: authority,
    agent: false,
    headers: {
      connection: 'Upgrade',
      upgrade: 'SPDY/3.1',
      'x-stream-protocol-version': 'v4.channel.k8s.io',
    },
  });
  const upgraded = Promise.withResolvers<{
    readonly answer: IncomingMessage;
    readonly socket: Socket;
    readonly head: Buffer;
  }>();
  sent.once('upgrade', (answer, socket, head) => upgraded.resolve({ answer, socket: socket as Socket, head }));
  sent.end();
  const { answer, socket, head } = await upgraded.promise;
  expect(answer.headers).toEqual({ upgrade: 'SPDY/3.1', connection: 'Upgrade', 'x-way': 'POST /exec?a=b' });
  let heard = head.toString();
  socket.on('data', (data: Buffer) => (heard += data.toString()));
  socket.write('world');
  await vi.waitFor(() => expect(heard).toBe('hello world'));
  const before = ended;
  socket.destroy();
  await vi.waitFor(() => expect(ended).toBe(before + 1));
});

test('WebSockets pass, and so do refusals', async () => {
  const sockets = new WebSocketServer({ noServer: true });
  server.removeAllListeners('upgrade');
  server.on('upgrade', (incoming: IncomingMessage, socket: Socket, head: Buffer) => {
    if (incoming.url === '/denied') {
      socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 6\r\n\r\ndenied');
    } else if (incoming.url === '/odd') socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
    else
      sockets.handleUpgrade(incoming, socket, head, (client) =>
        client.on('message', (data: Buffer) => client.send(`got ${data.toString()}`)),
      );
  });
  const client = new WebSocket(`wss://localhost:${port}/proxy/socket`, { ca: authority });
  await new Promise((resolve) => void client.once('open', resolve));
  const message = new Promise((resolve) => void client.once('message', (data: Buffer) => resolve(data.toString())));
  client.send('it');
  expect(await message).toBe('got it');
  client.close();
  await new Promise((resolve) => void client.once('close', resolve));
  const headers = { connection: 'Upgrade', upgrade: 'websocket' };
  expect(await ask('/proxy/denied', { headers })).toMatchObject({ status: 403, body: 'denied' });
  expect(await ask('/proxy/odd', { headers })).toMatchObject({
    status: 500,
    body: 'invalid upgrade response: status code 200',
  });
  change = { port: 1 };
  const refused = await ask('/proxy/x', { headers });
  change = {};
  expect(refused).toMatchObject({
    status: 500,
    body: 'error dialing backend: dial tcp 127.0.0.1:1: connect: connection refused',
  });
});

test('a request for another protocol where none is granted is a request', async () => {
  change = { upgradeOnly: true };
  const heard = await ask('/proxy/x');
  change = {};
  expect(heard).toMatchObject({ status: 400, body: 'Upgrade request required' });
});
