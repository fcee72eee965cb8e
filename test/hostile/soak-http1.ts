import { setTimeout as sleep } from 'node:timers/promises';
import { type Http1Response, KeptConnection } from './kept-connection.ts';
import type { Random } from '../robustness/random.ts';
import type { Target } from './raw-client.ts';
import type { SoakUser } from './soak.ts';
import { anyRequest, checkResponse, type SoakRequest } from './soak-steps.ts';

const handshake =
  'GET /api/v1/namespaces?watch=1&timeoutSeconds=1 HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\nOrigin: http://x\r\n\r\n';

/** One client over HTTP/1.1: it keeps its connection until it gives up a request. */
export class Http1User implements SoakUser {
  readonly #target: Target;
  readonly #random: Random;
  #connection: KeptConnection | undefined;

  constructor(target: Target, random: Random) {
    this.#target = target;
    this.#random = random;
  }

  async step(): Promise<string> {
    const dice = this.#random.fraction();
    const connection = await this.#open();
    const request = anyRequest(this.#random);
    if (dice < 0.05) return this.#giveUp(connection, request);
    if (dice < 0.06) return this.#webSocket(connection);
    if (dice < 0.15) return this.#several(connection);
    if (dice < 0.2) return this.#slowly(connection, request);
    await check(request, await connection.ask(request));
    return `${request.name} over HTTP/1.1`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#connection?.[Symbol.dispose]();
  }

  async #open(): Promise<KeptConnection> {
    if (this.#connection === undefined || this.#connection.ended) {
      this.#connection = await KeptConnection.open(this.#target);
    }
    return this.#connection;
  }

  async #giveUp(connection: KeptConnection, request: SoakRequest): Promise<string> {
    const answer = connection.ask(request).catch(() => undefined);
    await sleep(this.#random.integer(0, 20));
    connection[Symbol.dispose]();
    await answer;
    return 'given up over HTTP/1.1';
  }

  /** The connection serves no more requests, so it is the last of it. */
  async #webSocket(connection: KeptConnection): Promise<string> {
    const closed = new Promise<void>((resolve) => connection.socket.once('close', () => resolve()));
    connection.socket.removeAllListeners('data').resume();
    connection.socket.write(handshake);
    const late = sleep(60_000, 'late', { ref: false });
    if ((await Promise.race([closed, late])) === 'late') throw new Error('a watch over WebSocket does not end');
    return 'watch over WebSocket';
  }

  async #several(connection: KeptConnection): Promise<string> {
    const count = this.#random.integer(2, 8);
    const requests = Array.from({ length: count }, () => anyRequest(this.#random)).filter(
      ({ name }) => name !== 'too large',
    );
    const answers = await connection.askAll(requests);
    for (const [index, request] of requests.entries()) {
      const answer = answers[index];
      if (answer !== undefined) await check(request, answer);
    }
    return 'watch or others at once over HTTP/1.1';
  }

  async #slowly(connection: KeptConnection, request: SoakRequest): Promise<string> {
    const answer = connection.ask(request);
    for (let pause = 0; pause < 5; pause += 1) {
      connection.socket.pause();
      await sleep(this.#random.pick([1, 10, 100]));
      connection.socket.resume();
      await sleep(1);
    }
    await check(request, await answer);
    return 'watch or others read slowly over HTTP/1.1';
  }
}

function check(request: SoakRequest, { status, headers, body }: Http1Response): Promise<void> {
  const contentType = headers.get('content-type') ?? '';
  return checkResponse(request, { status, contentType, encoding: headers.get('content-encoding') ?? '', body });
}
