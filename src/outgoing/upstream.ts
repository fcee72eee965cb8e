import type { Agent as PlainAgent, ClientRequest, ClientRequestArgs } from 'node:http';
import type { Agent, AgentOptions } from 'node:https';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { hostAuthorities } from './host-authorities.ts';

/** Times to connect; those of the reference. */
const dialTimeoutMs = 30_000;
const handshakeTimeoutMs = 10_000;
/** Idle connections that are kept, and for how long. */
const maxIdlePerHost = 25;
const idleTimeoutMs = 90_000;

export interface UpstreamRequest {
  readonly method: string;
  readonly secure: boolean;
  /** Without brackets. */
  readonly host: string;
  readonly port: number;
  /** Percent-encoded path and query. */
  readonly target: string;
  /** Names and values, sent as they are, with `Host` among them. */
  readonly headers: readonly string[];
  /** The connection is this request's own, since it may leave HTTP. */
  readonly ownConnection?: boolean;
}

/**
 * Connections to other servers with one set of TLS settings (trusted CAs, client certificate, `servername`), over
 * HTTP/1.1 and kept open. Unlike HttpCaller, which takes whole answers, this is for bodies that are passed on.
 */
export class Upstream implements Disposable {
  readonly #tls: AgentOptions;
  readonly #open = new Set<{ destroy(): unknown }>();
  #secure: Agent | undefined;
  #plain: PlainAgent | undefined;

  constructor(tls: AgentOptions = {}) {
    this.#tls = tls;
  }

  /** A request whose head has been sent; the caller writes its body and ends it. Node's HTTP client takes 8 MiB. */
  async request(call: UpstreamRequest): Promise<ClientRequest> {
    const sent = call.secure ? await this.#overTls(call) : await this.#overTcp(call);
    limitConnecting(sent);
    this.#open.add(sent);
    sent.once('close', () => this.#open.delete(sent));
    if (call.ownConnection === true) sent.once('upgrade', (_answer, socket) => this.#follow(socket));
    return sent;
  }

  /** Closes idle connections; requests continue. */
  close(): void {
    this.#secure?.destroy();
    this.#plain?.destroy();
    [this.#secure, this.#plain] = [undefined, undefined];
  }

  /** Ends all requests and the connections that they became. */
  [Symbol.dispose](): void {
    for (const sent of this.#open) sent.destroy();
    this.close();
  }

  /** A connection that is no longer HTTP. */
  #follow(socket: Duplex): void {
    this.#open.add(socket);
    socket.once('close', () => this.#open.delete(socket));
  }

  async #overTls(call: UpstreamRequest): Promise<ClientRequest> {
    const { Agent, request } = await import('node:https');
    const tls = { ...this.#tls, ca: this.#tls.ca ?? hostAuthorities() };
    const agent =
      call.ownConnection === true ? new Agent(tls) : (this.#secure ??= new Agent({ ...tls, ...keptConnections }));
    // SNI does not allow IP addresses.
    const { servername = isIP(call.host) === 0 ? call.host : '' } = this.#tls;
    return request({ ...optionsOf(call), agent, servername });
  }

  async #overTcp(call: UpstreamRequest): Promise<ClientRequest> {
    const { Agent: PlainAgent, request } = await import('node:http');
    const agent = call.ownConnection === true ? new PlainAgent() : (this.#plain ??= new PlainAgent(keptConnections));
    return request({ ...optionsOf(call), agent });
  }
}

const keptConnections = { keepAlive: true, maxFreeSockets: maxIdlePerHost, timeout: idleTimeoutMs };

function optionsOf({ method, host, port, target, headers }: UpstreamRequest): ClientRequestArgs {
  return { method, host, port, path: target, headers, setDefaultHeaders: false };
}

function limitConnecting(sent: ClientRequest): void {
  sent.once('socket', (socket) => {
    if (!socket.connecting) return;
    let timer = setTimeout(() => sent.destroy(new Error('i/o timeout')), dialTimeoutMs);
    const settle = (): void => clearTimeout(timer);
    socket.once('connect', () => {
      settle();
      if (!('encrypted' in socket)) return;
      timer = setTimeout(() => sent.destroy(new Error('net/http: TLS handshake timeout')), handshakeTimeoutMs);
      // Checked to be a TLS socket.
      (socket as TLSSocket).once('secureConnect', settle);
    });
    socket.once('close', settle);
  });
}
