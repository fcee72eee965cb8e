import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';

/** A client over HTTP/1.1 with one connection, which it keeps for as long as the server does. */
export class Http1Client implements Disposable {
  readonly #url: string;
  readonly #agent: Agent;
  readonly #ports = new Set<number>();
  /** Responses that end their connection. */
  closed = 0;

  constructor(url: string, tls: { readonly ca: Buffer; readonly cert: Buffer; readonly key: Buffer }) {
    this.#url = url;
    this.#agent = new Agent({ ...tls, keepAlive: true, maxSockets: 1 });
  }

  /** How many there have been. */
  get connections(): number {
    return this.#ports.size;
  }

  /** The status of the response. */
  async get(path: string): Promise<number | undefined> {
    const sent = request(`${this.#url}${path}`, { agent: this.#agent });
    sent.end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    this.#ports.add(response.socket.localPort ?? 0);
    if (response.headers.connection === 'close') this.closed += 1;
    response.resume();
    await once(response, 'end');
    return response.statusCode;
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}
