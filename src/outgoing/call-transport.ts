import type { Agent as PlainAgent, ClientRequest, RequestOptions } from 'node:http';
import type { ClientHttp2Session } from 'node:http2';
import type { Agent, AgentOptions } from 'node:https';
import { Readable } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { once } from '../api/kept-by.ts';
import type { Exchange, TransportRequest } from './exchange.ts';
import { exchangeOverHttp2, negotiateHttp2 } from './http2-session.ts';
import { preparedTls } from './prepared-tls.ts';
import { retireAgent } from './retire-agent.ts';

/** Beyond this, headers of responses are refused. Node's default is too small for some servers. */
const maxHeaderBytes = 1024 * 1024;

export interface TransportOptions {
  readonly tls: AgentOptions;
  /** Negotiates HTTP/2, with all requests on one connection; other servers are called over HTTP/1.1. */
  readonly http2: boolean;
}

/** Sends requests over connections that are kept. Node's HTTP clients are imported for the first: they take 8 MiB. */
export class CallTransport {
  readonly #tls: () => AgentOptions;
  readonly #http2: boolean;
  readonly #sessions = new Map<string, Promise<ClientHttp2Session | undefined>>();
  /** Connections of servers that turned out not to speak HTTP/2. */
  readonly #connected: TLSSocket[] = [];
  #secure: Agent | undefined;
  #plain: PlainAgent | undefined;

  constructor({ tls, http2 }: TransportOptions) {
    this.#tls = once(() => preparedTls(tls));
    this.#http2 = http2;
  }

  /** Resolves when the head of the response has come. */
  async send(request: TransportRequest): Promise<Exchange> {
    const session = this.#http2 && request.secure ? await this.#session(request) : undefined;
    return session === undefined ? await this.#overHttp1(request) : await exchangeOverHttp2(session, request);
  }

  /** Closes idle connections; exchanges in progress continue. */
  close(): void {
    for (const agent of [this.#secure, this.#plain]) if (agent !== undefined) retireAgent(agent);
    for (const socket of this.#connected.splice(0)) socket.destroy();
    for (const session of this.#sessions.values()) void session.then((each) => each?.close()).catch(() => undefined);
    this.#sessions.clear();
  }

  /** Undefined for servers that do not speak HTTP/2. */
  async #session({ host, port, serverName, signal }: TransportRequest): Promise<ClientHttp2Session | undefined> {
    const key = `${host}:${port}`;
    const known = this.#sessions.get(key);
    if (known !== undefined) return await unlessAborted(known, signal);
    const kept = negotiateHttp2({ host, port }, { ...this.#tls(), servername: serverName }).then((negotiated) => {
      if ('socket' in negotiated) {
        this.#connected.push(negotiated.socket);
        return undefined;
      }
      const { session } = negotiated;
      for (const event of ['close', 'goaway', 'timeout']) session.once(event, () => this.#forget(key, kept));
      session.once('timeout', () => session.close());
      return session;
    });
    this.#sessions.set(key, kept);
    kept.catch(() => this.#forget(key, kept));
    return await unlessAborted(kept, signal);
  }

  #forget(key: string, session: Promise<unknown>): void {
    if (this.#sessions.get(key) === session) this.#sessions.delete(key);
  }

  async #overHttp1(request: TransportRequest): Promise<Exchange> {
    const { secure, method, host, port, path, headers, serverName: servername, body, signal } = request;
    const options = { method, host, port, path, headers, signal, maxHeaderSize: maxHeaderBytes };
    return await exchangeOf(await (secure ? this.#overTls({ ...options, servername }) : this.#overTcp(options)), body);
  }

  async #overTls(options: RequestOptions & { readonly servername: string }): Promise<ClientRequest> {
    const { Agent, request } = await import('node:https');
    this.#secure ??= this.#withConnected(new Agent({ keepAlive: true, ...this.#tls() }));
    return request({ ...options, agent: this.#secure });
  }

  async #overTcp(options: RequestOptions): Promise<ClientRequest> {
    const { Agent: PlainAgent, request } = await import('node:http');
    this.#plain ??= new PlainAgent({ keepAlive: true });
    return request({ ...options, agent: this.#plain });
  }

  /** The connections that were opened for HTTP/2 are used first. */
  #withConnected(agent: Agent): Agent {
    const create = agent.createConnection.bind(agent);
    agent.createConnection = (...args) => this.#connected.pop() ?? create(...args);
    return agent;
  }
}

async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason as Error); // aborted with an Error
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** Of a request over HTTP/1.1. */
async function exchangeOf(sent: ClientRequest, body: string | undefined): Promise<Exchange> {
  const { promise, resolve, reject } = Promise.withResolvers<Exchange>();
  let failure: Error | undefined;
  sent.once('response', (response) => {
    const { statusCode: status = 0, headers } = response;
    resolve({ status, header: (name) => headers[name]?.toString(), body: response, failure: () => failure });
  });
  // A server that leaves HTTP has no body to send.
  sent.once('upgrade', ({ statusCode: status = 0, headers }, socket) => {
    socket.destroy();
    resolve({ status, header: (name) => headers[name]?.toString(), body: Readable.from([]), failure: () => undefined });
  });
  sent.on('error', (error) => {
    failure = error;
    reject(error);
  });
  sent.once('close', () => reject(new Error('EOF')));
  sent.end(body);
  return await promise;
}
