import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../api/time/clock.ts';
import { openCertificateStore } from '../../authentication/pki/certificate-store.ts';
import type { Exchange } from './exchange.ts';
import { Listener } from './listener.ts';

/** More than fits into the buffers of a connection. */
const large = Buffer.alloc(32 << 20, 'a');

let folder: string;
let listener: Listener;
let tls: { readonly ca: Buffer | string; readonly port: number; readonly host: string };
/** Called for `/told`, which is not answered by itself. */
let deliver: (exchange: Exchange) => void;

function handle(exchange: Exchange): void {
  if (exchange.path === '/told') deliver(exchange);
  else exchange.respond(200, {}, exchange.path === '/large' ? large : 'small');
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'binnacle-http1-'));
  const serverNames = { dnsNames: ['localhost'], ipAddresses: ['127.0.0.1'] };
  const { authority, server } = await openCertificateStore({ folder, serverNames, clock: systemClock });
  listener = new Listener({ cert: server.certificate, key: server.key, allowHTTP1: true }, handle);
  tls = { ca: authority, port: await listener.listen('127.0.0.1', 0), host: '127.0.0.1' };
});

afterAll(async () => {
  await listener.close(0);
  await rm(folder, { recursive: true });
});

/** Once another connection has been answered, the server has read what was sent before on any. */
async function readByServer(): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    const [answer] = (await once(get({ ...tls, agent: false }), 'response')) as [IncomingMessage];
    await text(answer);
  }
}

/** Counts responses by their first lines; bodies do not contain any. */
class Client implements Disposable {
  readonly #socket: TLSSocket;
  #answers = 0;
  #waiting: { readonly answers: number; readonly resolve: () => void } | undefined;

  constructor(socket: TLSSocket) {
    this.#socket = socket;
    socket.on('error', () => undefined);
    socket.setEncoding('latin1').on('data', (part: string) => {
      this.#answers += part.split('HTTP/1.1 200').length - 1;
      if (this.#waiting !== undefined && this.#answers >= this.#waiting.answers) this.#waiting.resolve();
    });
  }

  static async open(): Promise<Client> {
    const socket = connect({ ...tls, ALPNProtocols: ['http/1.1'] });
    await once(socket, 'secureConnect');
    return new Client(socket);
  }

  send(...paths: readonly string[]): void {
    this.#socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''));
  }

  write(bytes: string): void {
    this.#socket.write(bytes);
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  /** Resolves once that many have begun since the start. */
  answered(answers: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting = { answers, resolve };
    if (this.#answers >= answers) resolve();
    return promise;
  }

  [Symbol.dispose](): void {
    this.#socket.destroy();
  }
}

it('requests that arrive before the last response has been read, and those after them, are answered', async () => {
  using client = await Client.open();
  for (let answers = 0; answers < 12; answers += 4) {
    client.pause();
    client.send('/large');
    await readByServer();
    client.send('/');
    await readByServer();
    client.send('/', '/');
    client.resume();
    await client.answered(answers + 4);
  }
});

it('a request that arrives with the end of a body that is not being read, and the next, are answered', async () => {
  using client = await Client.open();
  const came = Promise.withResolvers<Exchange>();
  deliver = came.resolve;
  // Node stops reading beyond 64 KiB: the last piece is more than that, and has the next request with it.
  const [most, rest] = ['a'.repeat(60_000), 'a'.repeat(10_000)];
  client.write(`POST /told HTTP/1.1\r\nHost: x\r\nContent-Length: ${most.length + rest.length}\r\n\r\n`);
  const exchange = await came.promise;
  client.write(most);
  await readByServer();
  client.write(`${rest}GET / HTTP/1.1\r\nHost: x\r\n\r\n`);
  await readByServer();
  const share = { take: () => undefined };
  const body = await exchange.readBody({ limitBytes: large.length, remainingMs: 60_000, share });
  expect(body.length).toBe(most.length + rest.length);
  exchange.respond(200, {}, 'read');
  await client.answered(2);
  client.send('/');
  await client.answered(3);
});
