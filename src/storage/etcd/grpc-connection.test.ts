import { once } from 'node:events';
import { constants, createServer, type Http2Server, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { deadlineIn } from '../../api/time/deadline.ts';
import { GrpcConnection, type Keepalive } from './grpc-connection.ts';
import { framed } from './grpc-messages.ts';
import { GrpcError } from './grpc-status.ts';

type Handler = (stream: ServerHttp2Stream, headers: Readonly<Record<string, unknown>>) => void;

const path = '/etcdserverpb.KV/Txn';
const message = Buffer.from('asked');
const soon = (): number => deadlineIn(10_000);

let server: Http2Server;
let sessions: ServerHttp2Session[];
let answer: Handler;
const connections: GrpcConnection[] = [];

function portOf(listening: { address(): unknown }): number {
  return (listening.address() as AddressInfo).port; // of a TCP server that listens
}

function connectionTo(port: number, keepalive?: Keepalive): GrpcConnection {
  const open = (): Socket => connect({ host: '127.0.0.1', port });
  const connection = new GrpcConnection({ origin: `http://127.0.0.1:${port}`, open }, keepalive);
  connections.push(connection);
  return connection;
}

async function connected(keepalive?: Keepalive): Promise<GrpcConnection> {
  const connection = connectionTo(portOf(server), keepalive);
  await expect.poll(() => connection.isReady).toBe(true);
  return connection;
}

async function failureOf(call: Promise<unknown>): Promise<GrpcError> {
  const error = await call.then(
    () => undefined,
    (why: unknown) => why,
  );
  if (error instanceof GrpcError) return error;
  throw new Error(`not the error of a call: ${String(error)}`);
}

/** Responds with messages and a status. */
function respond(stream: ServerHttp2Stream, messages: readonly Buffer[], trailers: Record<string, string>): void {
  stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
  stream.once('wantTrailers', () => stream.sendTrailers(trailers));
  stream.end(Buffer.concat(messages.map((each) => framed(each))));
}

beforeEach(async () => {
  sessions = [];
  server = createServer();
  server.on('session', (session) => {
    session.on('error', () => undefined);
    sessions.push(session);
  });
  server.on('stream', (stream: ServerHttp2Stream, headers) => {
    stream.on('error', () => undefined);
    answer(stream, headers);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterEach(async () => {
  for (const connection of connections.splice(0)) connection.close();
  for (const session of sessions) session.destroy();
  server.close();
  await once(server, 'close');
});

describe('a call', () => {
  test('sends a message with its deadline and metadata, and returns the one of the server', async () => {
    let received: Readonly<Record<string, unknown>> = {};
    answer = (stream, headers) => {
      received = headers;
      const body: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => body.push(chunk));
      stream.on('end', () => respond(stream, [Buffer.concat(body).subarray(5)], { 'grpc-status': '0' }));
    };
    const connection = await connected();
    const answered = await connection.unary(path, message, soon(), { headers: { traceparent: '00-a-b-01' } });
    expect(answered).toEqual(message);
    const sent = { ':method': 'POST', ':path': path, te: 'trailers', 'content-type': 'application/grpc' };
    expect(received).toMatchObject({ ...sent, 'grpc-timeout': '10S', traceparent: '00-a-b-01' });
  });

  test('fails with the status in the trailers, whose text is unescaped', async () => {
    answer = (stream) => respond(stream, [], { 'grpc-status': '11', 'grpc-message': 'etcdserver: %E2%82%AC%25' });
    const error = await failureOf((await connected()).unary(path, message, soon()));
    expect(error).toMatchObject({ code: 'OUT_OF_RANGE', details: 'etcdserver: €%', isUnsent: false });
    expect(error.message).toBe('11 OUT_OF_RANGE: etcdserver: €%');
  });

  test('fails with a status without a message of the server', async () => {
    answer = (stream) =>
      stream.respond({ ':status': 200, 'grpc-status': '14', 'grpc-message': 'no leader' }, { endStream: true });
    const error = await failureOf((await connected()).unary(path, message, soon()));
    expect(error).toMatchObject({ code: 'UNAVAILABLE', details: 'no leader', isUnsent: false });
  });

  test.each([
    [503, 'UNAVAILABLE'],
    [401, 'UNAUTHENTICATED'],
    [418, 'UNKNOWN'],
  ])('fails with the response of a proxy: %i', async (httpStatus, status) => {
    answer = (stream) => {
      stream.respond({ ':status': httpStatus });
      stream.end('no');
    };
    const error = await failureOf((await connected()).unary(path, message, soon()));
    expect(error).toMatchObject({ code: status, details: `the server responded with HTTP status ${httpStatus}` });
  });

  test('without a message fails', async () => {
    answer = (stream) => respond(stream, [], { 'grpc-status': '0' });
    expect(await failureOf((await connected()).unary(path, message, soon()))).toMatchObject({ code: 'INTERNAL' });
  });

  test.each([
    [constants.NGHTTP2_REFUSED_STREAM, 'UNAVAILABLE', true],
    [constants.NGHTTP2_CANCEL, 'CANCELLED', false],
    [constants.NGHTTP2_INTERNAL_ERROR, 'INTERNAL', false],
    [constants.NGHTTP2_ENHANCE_YOUR_CALM, 'UNAVAILABLE', false],
  ])('whose stream is reset with %i fails', async (code, status, isUnsent) => {
    answer = (stream) => stream.close(code);
    expect(await failureOf((await connected()).unary(path, message, soon()))).toMatchObject({ code: status, isUnsent });
  });

  test('whose connection is lost is in doubt, and the next one is sent over another connection', async () => {
    answer = () => sessions[0]?.socket.destroy();
    const connection = await connected();
    const error = await failureOf(connection.unary(path, message, soon()));
    expect(error).toMatchObject({ code: 'UNAVAILABLE', isUnsent: false });
    answer = (stream) => respond(stream, [message], { 'grpc-status': '0' });
    await expect.poll(() => connection.isReady).toBe(true);
    expect(await connection.unary(path, message, soon())).toEqual(message);
  });

  test('is cancelled at its deadline', async () => {
    const cancelled = Promise.withResolvers<number>();
    answer = (stream) => stream.on('close', () => cancelled.resolve(stream.rstCode));
    const connection = await connected();
    const error = await failureOf(connection.unary(path, message, deadlineIn(50)));
    expect(error).toMatchObject({ code: 'DEADLINE_EXCEEDED', isUnsent: false });
    expect(await cancelled.promise).toBe(constants.NGHTTP2_CANCEL);
    const late = await failureOf(connection.unary(path, message, deadlineIn(-1)));
    expect(late).toMatchObject({ code: 'DEADLINE_EXCEEDED', isUnsent: true });
  });

  test('fails when the connection is closed, and so does every later one', async () => {
    const begun = Promise.withResolvers<void>();
    answer = () => begun.resolve();
    const connection = await connected();
    const call = failureOf(connection.unary(path, message, soon()));
    await begun.promise;
    connection.close();
    expect(await call).toMatchObject({ code: 'CANCELLED' });
    expect(connection.isReady).toBe(false);
    expect(await failureOf(connection.unary(path, message, soon()))).toMatchObject({ isUnsent: true });
  });
});

test('a stream carries messages in both directions until it is ended', async () => {
  const ended = Promise.withResolvers<GrpcError | undefined>();
  answer = (stream) => {
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.once('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.on('data', (chunk: Buffer) => {
      if (chunk.subarray(5).toString() === 'end') stream.end();
      else stream.write(Buffer.concat([framed(chunk.subarray(5)), framed(message)]));
    });
  };
  const received: string[] = [];
  const call = (await connected()).stream(path, {
    message: (bytes) => received.push(bytes.toString()),
    ended: (error) => ended.resolve(error),
  });
  call.write(Buffer.from('one'));
  await expect.poll(() => received).toEqual(['one', 'asked']);
  call.write(Buffer.from('two'));
  await expect.poll(() => received).toEqual(['one', 'asked', 'two', 'asked']);
  call.write(Buffer.from('end'));
  expect(await ended.promise).toBeUndefined();
});

/** Responds with what has been received. */
function echo(stream: ServerHttp2Stream): void {
  const body: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => body.push(chunk));
  stream.on('end', () => respond(stream, [Buffer.concat(body).subarray(5)], { 'grpc-status': '0' }));
}

describe('a connection', () => {
  test('carries messages that are larger than its windows, in both directions', async () => {
    answer = echo;
    const connection = await connected();
    const large = [3_000_000, 65_535, 200_000].map((bytes, index) => Buffer.alloc(bytes, `${index} of several`));
    const answers = await Promise.all(large.map((each) => connection.unary(path, each, deadlineIn(60_000))));
    for (const [index, each] of large.entries()) expect(answers[index]?.equals(each)).toBe(true);
    // A window that is not given back is used up after the first few.
    for (let more = 0; more < 4; more++) {
      expect((await connection.unary(path, large[2] ?? message, deadlineIn(60_000))).length).toBe(200_000);
    }
  });

  test('opens no more streams than the server allows, and sends the other calls when some have ended', async () => {
    const open: ServerHttp2Stream[] = [];
    answer = (stream) => void open.push(stream);
    server.updateSettings({ maxConcurrentStreams: 2 });
    const connection = await connected();
    const calls = [1, 2, 3, 4].map(() => connection.unary(path, message, soon()));
    const cancelled = failureOf(connection.unary(path, message, deadlineIn(50)));
    expect(await cancelled).toMatchObject({ code: 'DEADLINE_EXCEEDED' });
    await expect.poll(() => open.length).toBe(2);
    for (const stream of open.splice(0)) respond(stream, [message], { 'grpc-status': '0' });
    await expect.poll(() => open.length).toBe(2);
    for (const stream of open.splice(0)) respond(stream, [message], { 'grpc-status': '0' });
    expect(await Promise.all(calls)).toEqual([message, message, message, message]);
    expect(open).toEqual([]);
  });

  test.each([0, 100, 4096, 65_536])('refers to earlier headers within a table of %i bytes', async (headerTableSize) => {
    const received: Record<string, unknown>[] = [];
    answer = (stream, headers) => {
      received.push({ ...headers });
      echo(stream);
    };
    server.updateSettings({ headerTableSize });
    const connection = await connected();
    const paths = [path, '/etcdserverpb.KV/Range', path, `/${'long'.repeat(2000)}`, path];
    for (const each of paths) {
      const headers = { traceparent: `00-${received.length}`, hasleader: 'true' };
      expect(await connection.unary(each, message, soon(), { headers })).toEqual(message);
    }
    expect(received.map((headers) => headers[':path'])).toEqual(paths);
    expect(received.map(({ traceparent }) => traceparent)).toEqual(paths.map((_, index) => `00-${index}`));
    for (const headers of received)
      expect(headers).toMatchObject({ te: 'trailers', hasleader: 'true', ':scheme': 'http' });
  });

  test('that the server wants to end carries its calls, and is replaced', async () => {
    const streams: ServerHttp2Stream[] = [];
    answer = (stream) => void streams.push(stream);
    const connection = await connected();
    const first = connection.unary(path, message, soon());
    await expect.poll(() => streams.length).toBe(1);
    sessions[0]?.goaway(constants.NGHTTP2_NO_ERROR, streams[0]?.id);
    await expect.poll(() => sessions.length + Number(connection.isReady)).toBe(3);
    const second = connection.unary(path, message, soon());
    await expect.poll(() => streams.length).toBe(2);
    expect(streams[1]?.session).toBe(sessions[1]);
    for (const stream of streams) respond(stream, [message], { 'grpc-status': '0' });
    expect(await Promise.all([first, second])).toEqual([message, message]);
  });

  test('to nobody fails with the error of the system, and is tried again after a pause', async () => {
    const free = createTcpServer().listen(0, '127.0.0.1');
    await once(free, 'listening');
    const port = portOf(free);
    free.close();
    await once(free, 'close');
    const connection = connectionTo(port);
    expect(connection.isReady).toBe(false);
    await expect.poll(() => connection.failure).toBe(`connect ECONNREFUSED 127.0.0.1:${port}`);
    const error = await failureOf(connection.unary(path, message, soon()));
    expect(error).toMatchObject({ details: `connect ECONNREFUSED 127.0.0.1:${port}`, isUnsent: true });
    // An attempt takes less than the pause after it.
    expect(connection.isReady).toBe(false);
    expect(connection.failures).toBe(1);
    await expect.poll(() => Number(connection.isReady) + connection.failures, { timeout: 10_000 }).toBeGreaterThan(2);
  });

  test('whose peer is silent is given up while calls wait for it, and kept while none do', async () => {
    const silent = createTcpServer();
    const sockets: Socket[] = [];
    // Passes on what comes from a server, until it is cut.
    silent.on('connection', (socket) => {
      const upstream = connect({ host: '127.0.0.1', port: portOf(server) });
      sockets.push(socket, upstream);
      for (const one of [socket, upstream]) one.on('error', () => undefined);
      socket.pipe(upstream).pipe(socket);
    });
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const connection = connectionTo(portOf(silent), { everyMs: 50, limitMs: 100 });
    await expect.poll(() => connection.isReady).toBe(true);
    answer = () => undefined;
    const [socket, upstream] = sockets;
    upstream?.unpipe(socket);
    upstream?.pause();
    await new Promise((resolve) => void setTimeout(resolve, 400));
    expect(connection.isReady).toBe(true);
    const error = await failureOf(connection.unary(path, message, soon()));
    expect(error).toMatchObject({ code: 'UNAVAILABLE', isUnsent: false });
    for (const each of sockets) each.destroy();
    silent.close();
  });
});
