import { mkdtemp, rm } from 'node:fs/promises';
import {
  constants,
  createSecureServer,
  type Http2SecureServer,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { rootCertificates } from 'node:tls';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { systemClock } from '../../api/time/clock.ts';
import { openCertificateStore } from '../../authentication/pki/certificate-store.ts';
import { OutgoingRequest } from '../../outgoing/outgoing-request.ts';
import { Upstream } from '../../outgoing/upstream.ts';
import type { UpstreamResponse, UpstreamCall } from '../../outgoing/upstream-request.ts';

type Serve = (request: {
  readonly version: string;
  readonly path: string;
  readonly stream: NodeJS.WritableStream;
}) => void;

let folder: string;
let tls: { readonly key: string; readonly cert: string };
let authority: string;
let http1: Server;
let http2: Http2SecureServer;
let upstream: Upstream;
let serve: Serve;
const sessions: ServerHttp2Session[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'binnacle-upstream-'));
  const serverNames = { dnsNames: ['localhost'], ipAddresses: [] };
  const certificates = await openCertificateStore({ folder, serverNames, clock: systemClock });
  authority = certificates.authority;
  tls = { key: certificates.server.key, cert: certificates.server.certificate };
  http1 = createServer(tls, (incoming, stream) =>
    serve({ version: incoming.httpVersion, path: incoming.url ?? '', stream }),
  );
  http2 = createSecureServer({ ...tls, settings: { maxConcurrentStreams: 2 } }, (incoming, response) =>
    serve({ version: incoming.httpVersion, path: incoming.url, stream: response }),
  );
  http2.on('session', (session) => sessions.push(session));
  for (const server of [http1, http2]) await new Promise<void>((done) => void server.listen(0, 'localhost', done));
});

beforeEach(() => {
  sessions.length = 0;
  upstream?.[Symbol.dispose]();
  upstream = new Upstream({ ca: authority });
  serve = ({ version, stream }) => void stream.end(version);
});

afterAll(async () => {
  upstream[Symbol.dispose]();
  http1.closeAllConnections();
  for (const server of [http1, http2]) server.close();
  await rm(folder, { recursive: true });
});

function callTo(server: Server | Http2SecureServer, target = '/'): UpstreamCall {
  const { port } = server.address() as AddressInfo;
  return {
    method: 'GET',
    secure: true,
    host: 'localhost',
    port,
    target,
    authority: `localhost:${port}`,
    headers: ['x-a', '1'],
    body: 'none',
  };
}

async function begin(call: UpstreamCall): Promise<UpstreamResponse> {
  for (let sent = upstream.send(call); ; sent = upstream.send(call)) {
    if (sent !== undefined) return sent.response;
    await upstream.open(call);
  }
}

async function get(call: UpstreamCall): Promise<string> {
  const { body } = await begin(call);
  return (await buffer(body)).toString();
}

test('HTTP/2 where the server speaks it, over one connection; otherwise HTTP/1.1', async () => {
  expect(await get(callTo(http1))).toBe('1.1');
  expect(await Promise.all([get(callTo(http2)), get(callTo(http2))])).toEqual(['2.0', '2.0']);
  expect(await get(callTo(http2))).toBe('2.0');
  expect(sessions).toHaveLength(1);
});

test('another connection when one has as many streams as the server takes', async () => {
  await get(callTo(http2));
  const waiting: NodeJS.WritableStream[] = [];
  serve = ({ stream }) => void waiting.push(stream);
  const answers = Array.from({ length: 3 }, () => get(callTo(http2)));
  await vi.waitFor(() => expect(waiting).toHaveLength(3));
  expect(sessions).toHaveLength(2);
  for (const each of waiting) each.end('done');
  expect(await Promise.all(answers)).toEqual(['done', 'done', 'done']);
});

test('uploads that are given up take nothing from later requests over HTTP/2', async () => {
  await get(callTo(http2));
  const body = Buffer.alloc(4 << 20, 'a');
  const call: UpstreamCall = { ...callTo(http2), method: 'POST', body };
  for (let round = 0; round < 10; round += 1) {
    const came = Promise.withResolvers<void>();
    serve = () => came.resolve();
    const sent = upstream.send(call);
    const failed = expect(sent?.response).rejects.toThrow('given up');
    await came.promise;
    sent?.leave(new Error('given up'));
    await failed;
  }
  serve = ({ version, stream }) => void stream.end(version);
  expect(await get(callTo(http2))).toBe('2.0');
  expect(sessions).toHaveLength(1);
});

describe.each([
  ['HTTP/1.1', () => http1],
  ['HTTP/2', () => http2],
])('over %s', (_protocol, server) => {
  test('requests complete after a close', async () => {
    const waiting = Promise.withResolvers<NodeJS.WritableStream>();
    serve = ({ stream }) => waiting.resolve(stream);
    const answer = get(callTo(server()));
    const stream = await waiting.promise;
    upstream.close();
    stream.end('later');
    expect(await answer).toBe('later');
  });

  test('requests end when it is disposed of', async () => {
    const waiting = Promise.withResolvers<void>();
    serve = () => waiting.resolve();
    const answer = get(callTo(server()));
    const failed = expect(answer).rejects.toThrow('EOF');
    await waiting.promise;
    upstream[Symbol.dispose]();
    await failed;
  });
});

test('a server that is not trusted', async () => {
  using strict = new Upstream();
  await expect(strict.open(callTo(http2))).rejects.toThrow('x509: certificate signed by unknown authority');
});

test('a stream that the server resets, and one that it does not want yet', async () => {
  await get(callTo(http2));
  const session = sessions[0];
  session?.once('stream', (stream) => stream.close(constants.NGHTTP2_INTERNAL_ERROR));
  serve = () => undefined;
  await expect(get(callTo(http2))).rejects.toThrow('stream error: stream ID 3; INTERNAL_ERROR; received from peer');
  session?.once('stream', (stream) => stream.close(constants.NGHTTP2_REFUSED_STREAM));
  await expect(get(callTo(http2))).rejects.toMatchObject({ code: 'UNANSWERED' });
});

test('a connection that is lost may have been closed before the request was sent over it', async () => {
  await get(callTo(http2));
  sessions[0]?.once('stream', () => sessions[0]?.destroy());
  serve = () => undefined;
  await expect(get(callTo(http2))).rejects.toMatchObject({ code: 'UNANSWERED' });
  serve = ({ stream }) => void stream.end('again');
  expect(await get(callTo(http2))).toBe('again');
});

test('a request over a kept connection that breaks is sent again if it may be', async () => {
  let calls = 0;
  const breaking = createServer(tls, (incoming, response) => {
    calls += 1;
    if (calls % 2 === 1) response.end(incoming.method);
    else incoming.socket.destroy();
  });
  await new Promise<void>((done) => void breaking.listen(0, 'localhost', done));
  const sent = async (method: string, body?: string): Promise<string> => {
    const sized = ['content-length', String(body?.length ?? 0)];
    const call: UpstreamCall = {
      ...callTo(breaking),
      method,
      headers: sized,
      body: body === undefined ? 'none' : Buffer.from(body),
    };
    const { body: answer } = await new OutgoingRequest({ upstream, call }).response();
    return (await buffer(answer)).toString();
  };
  expect(await sent('GET')).toBe('GET');
  expect(await sent('GET')).toBe('GET');
  await expect(sent('POST', 'a body')).rejects.toMatchObject({ code: 'UNANSWERED', isUnseen: false });
  expect(calls).toBe(4);
  breaking.close();
});

test('a stream that the server leaves open after its body is closed', async () => {
  const closed = Promise.withResolvers<number>();
  serve = () => undefined;
  http2.once('stream', (stream: ServerHttp2Stream) => {
    stream.respond({ ':status': 200, 'content-length': 2 });
    stream.write('hi');
    stream.once('close', () => closed.resolve(stream.rstCode));
  });
  const call = callTo(http2);
  const sent = new OutgoingRequest({ upstream, call });
  const { body } = await sent.response();
  await vi.waitFor(() => expect(body.readableLength).toBe(2));
  body.read();
  sent.finish();
  expect(await closed.promise).toBe(constants.NGHTTP2_CANCEL);
});

test('a body over HTTP/1.1 that comes with the head is there at once, unless someone reads it', async () => {
  serve = ({ stream }) => void stream.end('all of it');
  const answer = await begin(callTo(http1));
  expect(answer.whole()?.toString()).toBe('all of it');
  expect((await buffer(answer.body)).toString()).toBe('all of it');
  expect(answer.whole()).toBeUndefined();
});

test('a body that nobody has begun to read waits at the server', async () => {
  const sizeBytes = 32 * 1024 * 1024;
  const served = Promise.withResolvers<ServerResponse>();
  serve = ({ stream }) => {
    stream.end(Buffer.alloc(sizeBytes));
    served.resolve(stream as ServerResponse); // of HTTP/1.1
  };
  const answer = await begin(callTo(http1));
  expect(answer.whole()).toBeUndefined();
  const response = await served.promise;
  for (let round = 0; round < 1_000; round += 1) await setImmediate();
  expect(response.writableFinished).toBe(false);
  expect(await buffer(answer.body)).toHaveLength(sizeBytes);
});

test('a body that breaks off before anyone reads it', async () => {
  serve = ({ stream }) => {
    const response = stream as ServerResponse; // of HTTP/1.1
    response.writeHead(200, { 'content-length': 8 });
    response.write('half', () => response.destroy());
  };
  const answer = await begin(callTo(http1));
  await vi.waitFor(() => expect(answer.failure()).toBeDefined());
  expect(answer.whole()).toBeUndefined();
  await expect(buffer(answer.body)).rejects.toThrow('unexpected EOF');
});

test('authorities are read once, not for each connection', async () => {
  using many = new Upstream({ ca: [authority, ...rootCertificates] });
  const call = callTo(http1);
  const connectMs = async (): Promise<number> => {
    const before = process.threadCpuUsage();
    await (
      await many.sendAlone(call)
    ).response;
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  };
  const firstMs = await connectMs();
  const laterMs = [await connectMs(), await connectMs(), await connectMs()];
  expect(Math.min(...laterMs)).toBeLessThan(firstMs / 2);
});
