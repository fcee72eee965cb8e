import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ports that Linux (from 32,768) and others (from 49,152) give to outgoing connections: a process that is
 * killed and started again finds its port free.
 */
const range = { first: 10_000, end: 32_768 };

/** Each worker of a test run has ports of its own. */
const slices = 16;
const sliceSize = Math.floor((range.end - range.first) / slices);
const sliceStart = range.first + (Number(process.env['VITEST_POOL_ID'] ?? 0) % slices) * sliceSize;

/** Another run at the same time begins elsewhere. */
let next = Math.floor(Math.random() * sliceSize);

/** Sockets that keep the ports which this process has returned. */
const claims: Socket[] = [];

/** A loopback port on which nobody listens; no other call, of any process that goes on, has returned it. */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < sliceSize; tried++) {
    const port = sliceStart + (next++ % sliceSize);
    if ((await claim(port)) && (await isFree(port))) return port;
  }
  throw new Error(`every port from ${sliceStart} to ${sliceStart + sliceSize - 1} is in use`);
}

/**
 * Takes a port for as long as this process goes on, before anybody listens on it: as a port of UDP, which tests do not
 * use otherwise. False: it is taken.
 */
export async function claim(port: number): Promise<boolean> {
  const socket = createSocket('udp4').unref();
  const { promise, resolve } = Promise.withResolvers<boolean>();
  socket.once('error', () => resolve(false));
  socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => resolve(true));
  const claimed = await promise;
  if (claimed) claims.push(socket);
  else socket.close();
  return claimed;
}

export async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const { promise, resolve } = Promise.withResolvers<boolean>();
  server.once('error', () => resolve(false));
  server.listen(port, '127.0.0.1', () => resolve(true));
  const free = await promise;
  if (!free) return false;
  server.close();
  await once(server, 'close');
  return true;
}
