import { type ClientHttp2Session, connect } from 'node:http2';
import { connect as connectTcp, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import {
  ask, endHeaders, endStream, frame, framesIn, frameTypes, get, literal, preface, Prober, RawConnection, requestHeaders,
} from './raw-client.ts'; // prettier-ignore
import { type ServerTarget, startServerTarget } from './server-target.ts';

/** A busy machine may take this long for immediate work. */
const patienceMs = 2_000;
/** Far above anything bounded. */
const roomMegabytes = 150;

let server: ServerTarget;
let prober: Prober;
let memoryBefore = 0;

beforeAll(async () => {
  server = await startServerTarget();
  const session = connect(server.admin.url, server.admin.tls);
  for (const path of ['/readyz', '/api/v1/namespaces']) await ask(session, { ':path': path });
  session.destroy();
});

afterAll(() => server[Symbol.asyncDispose]());

beforeEach(async () => {
  memoryBefore = await server.residentMegabytes();
  prober = new Prober(server.nobody);
});

/** Other clients were served throughout. */
afterEach(async () => {
  const { answers } = prober;
  await expect.poll(() => prober.answers, { timeout: 5_000 }).toBeGreaterThan(answers);
  await prober[Symbol.asyncDispose]();
  expect(prober.worstMs).toBeLessThan(patienceMs);
  expect((await server.residentMegabytes()) - memoryBefore).toBeLessThan(roomMegabytes);
});

const count = 10_000;

function times(make: (index: number) => Uint8Array): Buffer {
  return Buffer.concat(Array.from({ length: count }, (_, index) => make(index)));
}

const opened = frame({ type: frameTypes.headers, flags: endStream, stream: 1, payload: requestHeaders('/readyz') });

describe('a connection is closed that sends ten thousand', () => {
  it.each([
    [
      'streams that are opened and reset',
      times((index) => {
        const reset = frame({ type: frameTypes.reset, stream: 2 * index + 1, payload: Buffer.from([0, 0, 0, 8]) });
        return Buffer.concat([get(2 * index + 1, '/api/v1/namespaces'), reset]);
      }),
    ],
    ['streams at once', times((index) => get(2 * index + 1, '/api/v1/namespaces?watch=1'))],
    [
      'continuations of headers',
      Buffer.concat([
        opened,
        times(() => frame({ type: frameTypes.continuation, stream: 1, payload: literal('a', 'b'.repeat(1_000)) })),
      ]),
    ],
    ['empty continuations', Buffer.concat([opened, times(() => frame({ type: frameTypes.continuation, stream: 1 }))])],
    ['settings', times(() => frame({ type: frameTypes.settings, payload: Buffer.from([0, 4, 0, 0, 255, 255]) }))],
    [
      'empty frames of a body',
      Buffer.concat([
        frame({ type: frameTypes.headers, flags: endHeaders, stream: 1, payload: requestHeaders('/readyz', 'POST') }),
        times(() => frame({ type: frameTypes.data, stream: 1 })),
      ]),
    ],
    [
      'headers in capitals',
      times((index) => {
        const payload = Buffer.concat([requestHeaders('/readyz'), literal('Capital', 'x')]);
        return frame({ type: frameTypes.headers, flags: endHeaders | endStream, stream: 2 * index + 1, payload });
      }),
    ],
  ])('%s', async (_, flood) => {
    using connection = await RawConnection.open(server.admin, 'h2');
    connection.send(preface());
    connection.send(flood);
    await connection.until(() => connection.ended);
    expect(connection.ended).toBe(true);
  });
});

test('and one that requests responses without reading them', async () => {
  using connection = await RawConnection.open(server.admin, 'h2', { reads: false });
  connection.send(preface());
  const closed = Promise.withResolvers<void>();
  connection.socket.once('close', () => closed.resolve());
  const pings = times(() => frame({ type: frameTypes.ping, payload: Buffer.alloc(8) }));
  for (let sent = 0; sent < 20 && !connection.socket.destroyed; sent += 1) {
    connection.send(pings);
    await sleep(50);
  }
  connection.socket.resume();
  await closed.promise;
});

test('headers that are short on the wire and large in memory are refused', async () => {
  using connection = await RawConnection.open(server.admin, 'h2');
  connection.send(preface());
  const send = (stream: number, more: Uint8Array): void =>
    connection.send(
      frame({
        type: frameTypes.headers,
        flags: endHeaders | endStream,
        stream,
        payload: Buffer.concat([requestHeaders('/readyz'), more]),
      }),
    );
  send(1, literal('a', 'b'.repeat(3_900), { indexed: true }));
  // The last entry of the dynamic table, ten thousand times: 39 MB.
  for (let stream = 3; stream < 200; stream += 2) send(stream, Buffer.alloc(10_000, 0xbe));
  const refused = () => framesIn(connection.received).filter(({ type }) => type === frameTypes.reset).length;
  await connection.until(() => refused() === 99);
  expect(refused()).toBe(99);
});

describe('many idle connections', () => {
  it('a thousand without a handshake', async () => {
    const { hostname, port } = new URL(server.nobody.url);
    const sockets: Socket[] = [];
    for (let index = 0; index < 1_000; index += 1) {
      const socket = connectTcp(Number(port), hostname).on('error', () => undefined);
      sockets.push(socket);
      socket.write('\x16\x03\x01');
    }
    await sleep(500);
    for (const socket of sockets) socket.destroy();
  });

  it('two hundred with half of a request', async () => {
    const connections: RawConnection[] = [];
    for (let index = 0; index < 200; index += 1) {
      const connection = await RawConnection.open(server.nobody, index % 2 === 0 ? 'http/1.1' : 'h2');
      connections.push(connection);
      connection.send(index % 2 === 0 ? 'GET /readyz HTTP/1.1\r\nHost: x\r\nA: ' : Buffer.concat([preface(), opened]));
    }
    for (let drop = 0; drop < 5; drop += 1) {
      for (const [index, connection] of connections.entries()) if (index % 2 === 0) connection.send('a');
      await sleep(50);
    }
    for (const connection of connections) connection[Symbol.dispose]();
  });
});

test('large responses for clients with a closed window', async () => {
  const connections: RawConnection[] = [];
  for (let index = 0; index < 5; index += 1) {
    const connection = await RawConnection.open(server.admin, 'h2');
    connections.push(connection);
    // SETTINGS_INITIAL_WINDOW_SIZE 0
    connection.send(preface(Buffer.from([0, 4, 0, 0, 0, 0])));
    for (let stream = 1; stream < 100; stream += 2) connection.send(get(stream, '/openapi/v3/api/v1'));
  }
  await sleep(2_000);
  for (const connection of connections) connection[Symbol.dispose]();
});

test('five hundred unread watches during a thousand writes', async () => {
  const path = '/api/v1/namespaces/default/configmaps';
  const watching: ClientHttp2Session[] = [];
  for (let index = 0; index < 5; index += 1) {
    const session = connect(server.admin.url, server.admin.tls);
    watching.push(session);
    for (let watch = 0; watch < 100; watch += 1) {
      session.request({ ':path': `${path}?watch=1` }).on('error', () => undefined);
    }
  }
  const session = connect(server.admin.url, server.admin.tls);
  const write = (name: string): Promise<number> =>
    ask(session, { ':method': 'POST', ':path': path, 'content-type': 'application/json' }, objectOf(name));
  for (let round = 0; round < 20; round += 1) {
    const codes = await Promise.all(Array.from({ length: 50 }, (_, index) => write(`unread-${round}-${index}`)));
    expect(new Set(codes)).toEqual(new Set([201]));
  }
  for (const each of [...watching, session]) each.destroy();
});

function objectOf(name: string): string {
  return JSON.stringify({ metadata: { name }, data: { text: 'x'.repeat(1_000) } });
}
