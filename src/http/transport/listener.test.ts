import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../api/time/clock.ts';
import { openCertificateStore } from '../../authentication/pki/certificate-store.ts';
import type { Exchange, ResponseStream } from './exchange.ts';
import { Listener } from './listener.ts';

const idleTimeoutMs = 200;
let folder: string;
let listener: Listener;
let port: number;
let ca: string;
let session: ClientHttp2Session;
/** The latest response of `/stream`. */
let answer: ResponseStream | undefined;

function handle(exchange: Exchange): void {
  if (exchange.path === '/cut') {
    exchange.start(200, {}).write('half');
    setTimeout(() => exchange.abort(), 50);
  } else if (exchange.path === '/stream') answer = exchange.start(200, {});
  else exchange.respond(200, {}, 'ok');
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'binnacle-listener-'));
  const serverNames = { dnsNames: ['localhost'], ipAddresses: [] };
  const { authority, server } = await openCertificateStore({ folder, serverNames, clock: systemClock });
  listener = new Listener({ cert: server.certificate, key: server.key }, handle, { idleTimeoutMs });
  port = await listener.listen('127.0.0.1', 0);
  ca = authority;
  session = connect(`https://localhost:${port}`, { ca });
});

afterAll(async () => {
  session.destroy();
  await listener.close(0);
  await rm(folder, { recursive: true });
});

function get(path: string): ClientHttp2Stream {
  const stream = session.request({ ':path': path });
  stream.resume();
  return stream;
}

it('a connection is not idle while a quiet watch is running', async () => {
  const watching = get('/stream');
  await once(watching, 'response');
  await sleep(3 * idleTimeoutMs);
  const other = get('/');
  await once(other, 'end');
  expect(session.closed).toBe(false);
  answer?.end();
  await once(watching, 'end');
  await once(session, 'close');
});

it('a response that is cut off does not look complete', async () => {
  const client = connect(`https://localhost:${port}`, { ca });
  const stream = client.request({ ':path': '/cut' });
  await expect(stream.toArray()).rejects.toMatchObject({ code: 'ERR_HTTP2_STREAM_ERROR' });
  expect(stream.rstCode).toBe(constants.NGHTTP2_INTERNAL_ERROR);
  client.destroy();
});
