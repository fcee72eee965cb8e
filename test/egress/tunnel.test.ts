import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Connection } from '../../src/api/contracts/egress.ts';
import { dialThrough, openTunnel } from '../../src/outgoing/egress/grpc-tunnel.ts';
import { startKonnectivity } from './konnectivity.ts';

const opened = new AsyncDisposableStack();
let path: string;
let server: Server;
let serve: (socket: Socket) => void;

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'binnacle-tunnel-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  path = join(folder, 'konnectivity.sock');
  opened.use(await startKonnectivity(path));
  server = createServer((socket) => serve(socket.on('error', () => undefined))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  opened.defer(() => new Promise<void>((resolve) => void server.close(() => resolve())));
});

beforeEach(() => {
  serve = (socket) => void socket.pipe(socket);
});

afterAll(() => opened.disposeAsync());

async function connected(): Promise<Connection> {
  const { port } = server.address() as AddressInfo;
  return dialThrough(await openTunnel(path), { host: '127.0.0.1', port });
}

/** Reads so many bytes. */
async function readBytes(connection: Connection, count: number): Promise<void> {
  let heard = 0;
  for await (const chunk of connection.iterator({ destroyOnReturn: false })) {
    heard += (chunk as Buffer).length;
    if (heard >= count) break;
  }
  expect(heard).toBe(count);
}

const largeBytes = 5 * 1024 * 1024;

test('writes of any size arrive, and empty ones are done', async () => {
  const connection = await connected();
  const written = [0, 1, 32 * 1024, 100_000, largeBytes].map(
    (size) => new Promise<void>((resolve) => void connection.write(Buffer.alloc(size), () => resolve())),
  );
  await readBytes(connection, 1 + 32 * 1024 + 100_000 + largeBytes);
  await Promise.all(written);
  connection.destroy();
});

test('the end of the other side comes after all that it has sent', async () => {
  serve = (socket) => void socket.end(Buffer.alloc(largeBytes));
  const connection = await connected();
  await readBytes(connection, largeBytes);
  connection.resume();
  await once(connection, 'end');
});

test('who does not read is not sent everything', async () => {
  const sent = Promise.withResolvers<Socket>();
  serve = (socket) => {
    socket.write(Buffer.alloc(64 * 1024 * 1024));
    sent.resolve(socket);
  };
  const connection = await connected();
  const socket = await sent.promise;
  await once(connection, 'readable');
  serve = (other) => void other.pipe(other);
  const echo = await connected();
  echo.write(Buffer.alloc(largeBytes));
  await readBytes(echo, largeBytes);
  echo.destroy();
  // While all that went both ways, nothing more has come than buffers hold.
  expect(connection.readableLength).toBeLessThan(largeBytes);
  expect(socket.writableLength).toBeGreaterThan(0);
  connection.destroy();
  socket.destroy();
});

test.each(['destroy', 'end'] as const)('the other side learns of %s', async (how) => {
  const ended = Promise.withResolvers<void>();
  serve = (socket) =>
    socket
      .on('error', () => undefined)
      .once('close', () => ended.resolve())
      .resume();
  const connection = await connected();
  connection.resume()[how]();
  await ended.promise;
  if (!connection.closed) await once(connection, 'close');
});
