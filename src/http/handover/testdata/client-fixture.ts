import { once } from 'node:events';
import { type ClientHttp2Session, connect, constants } from 'node:http2';
import type { IncomingMessage } from 'node:http';
import { Agent, request as requestHttp1 } from 'node:https';
import type { Readable, Writable } from 'node:stream';
import type { Target } from './two-ways-fixture.ts';

export type Protocol = '1.1' | '2';

export interface ClientRequest {
  readonly method?: string;
  /** With the query. */
  readonly path: string;
  readonly headers?: { readonly [name: string]: string | readonly string[] };
  /** Sent chunk by chunk. */
  readonly body?: readonly Buffer[];
  /** The client breaks off instead of ending the body. */
  readonly breaksOff?: boolean;
}

/** What a client got; undefined where it got nothing. */
export interface Got {
  readonly status?: number | undefined;
  readonly headers?: { readonly [name: string]: unknown } | undefined;
  readonly body?: string | undefined;
  readonly trailers?: { readonly [name: string]: unknown } | undefined;
  /** The response, or the connection, was cut off. */
  readonly isCut: boolean;
}

/** A client of one connection. */
export class Client implements Disposable {
  readonly #target: Target;
  readonly protocol: Protocol;
  readonly #agent: Agent;
  readonly session: ClientHttp2Session | undefined;

  constructor(target: Target, protocol: Protocol) {
    this.#target = target;
    this.protocol = protocol;
    this.#agent = new Agent({ keepAlive: true, maxSockets: 1 });
    if (protocol === '2') {
      this.session = connect(`https://127.0.0.1:${target.port}`, target.tls);
      this.session.on('error', () => undefined);
    }
  }

  async ask(asked: ClientRequest): Promise<Got> {
    const { response, sent } = this.open(asked);
    const writing = writeBody(sent, asked);
    try {
      const { status, headers, stream, trailers, isCut } = await response;
      const parts: Buffer[] = [];
      const body = (): string => Buffer.concat(parts).toString('latin1');
      try {
        for await (const part of stream) parts.push(part as Buffer);
      } catch {
        return { status, headers, body: body(), isCut: true };
      }
      return { status, headers, body: body(), trailers: trailers(), isCut: isCut() };
    } catch {
      return { isCut: true };
    } finally {
      await writing;
    }
  }

  /** Begins a request, whose body is not sent. */
  open(asked: ClientRequest): { readonly response: Promise<Response>; readonly sent: Writable & { destroy(): void } } {
    return this.session === undefined ? this.#openHttp1(asked) : openHttp2(this.session, asked);
  }

  #openHttp1({ method = 'GET', path, headers = {}, body }: ClientRequest): ReturnType<Client['open']> {
    const { port, tls } = this.#target;
    const options: object = {
      host: '127.0.0.1',
      servername: 'localhost',
      port,
      ...tls,
      agent: this.#agent,
      method,
      path,
      headers: { ...headers },
    };
    const sent = requestHttp1(options);
    if (body === undefined) sent.end();
    sent.on('error', () => undefined);
    const response = once(sent, 'response').then(([answer]: IncomingMessage[]) => ({
      status: answer!.statusCode!,
      headers: answer!.headers,
      stream: answer!,
      trailers: () => answer!.trailers,
      isCut: () => false,
    }));
    response.catch(() => undefined);
    return { response, sent };
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
    this.session?.destroy();
  }
}

interface Response {
  readonly status: number;
  readonly headers: { readonly [name: string]: unknown };
  readonly stream: Readable;
  readonly trailers: () => { readonly [name: string]: unknown };
  /** Node ends some streams that were cut off as if they were complete. */
  readonly isCut: () => boolean;
}

function openHttp2(
  session: ClientHttp2Session,
  { method = 'GET', path, headers = {}, body }: ClientRequest,
): ReturnType<Client['open']> {
  const all = { ...headers, ':method': method, ':path': path } as Parameters<ClientHttp2Session['request']>[0];
  const sent = session.request(all, { endStream: body === undefined });
  sent.on('error', () => undefined);
  let trailers: { readonly [name: string]: unknown } = {};
  sent.on('trailers', (got) => (trailers = got));
  const closed = once(sent, 'close').then(() => Promise.reject(new Error('closed')));
  closed.catch(() => undefined);
  const response = Promise.race([once(sent, 'response'), closed]).then(([got]) => {
    const { ':status': status, ...rest } = got as { readonly ':status': number; readonly [name: string]: unknown };
    return {
      status,
      headers: rest,
      stream: sent,
      trailers: () => trailers,
      isCut: () => sent.rstCode !== constants.NGHTTP2_NO_ERROR,
    };
  });
  response.catch(() => undefined);
  return { response, sent };
}

/** Waits for each chunk to be sent, not for `drain`: node's client does not emit it once the response is complete. */
async function writeBody(sent: Writable & { destroy(): void }, { body, breaksOff }: ClientRequest): Promise<void> {
  if (body === undefined) return;
  const closed = once(sent, 'close').catch(() => undefined);
  for (const chunk of body) {
    if (sent.destroyed || sent.writableEnded) return;
    const written = new Promise<void>((resolve) => sent.write(chunk, () => resolve()));
    // oxlint-disable-next-line no-await-in-loop -- chunk by chunk
    await Promise.race([written, closed]);
  }
  if (breaksOff === true) sent.destroy();
  else sent.end();
}
