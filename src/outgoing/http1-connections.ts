import { Agent as PlainAgent, type ClientRequest, type ClientRequestArgs, request as plainRequest } from 'node:http';
import { Agent, type AgentOptions, request, type RequestOptions } from 'node:https';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { limitConnecting, type Place, placeKey, verifiedName } from './dial.ts';
import { retireAgent } from './retire-agent.ts';
import { maxHeadBytes, type UpstreamCall } from './upstream-request.ts';

/** Idle connections that are kept, and for how long. */
const maxIdlePerHost = 25;
const idleTimeoutMs = 90_000;
const kept = { keepAlive: true, maxFreeSockets: maxIdlePerHost, timeout: idleTimeoutMs };

/** Connections over HTTP/1.1, with the same TLS settings for all servers. */
export class Http1Connections implements Disposable {
  readonly #tls: AgentOptions;
  readonly #plain = new PlainAgent(kept);
  readonly #secure: SecureAgent;
  /** Requests with connections of their own, and what became of these. */
  readonly #alone = new Set<{ destroy(): unknown }>();

  constructor(tls: AgentOptions) {
    this.#tls = tls;
    this.#secure = new SecureAgent({ ...tls, ...kept });
  }

  /** Whether a connection to this server is open. */
  has(place: Place): boolean {
    return this.#secure.has(this.#keyOf(place));
  }

  /** Takes over a connection that has just been opened. */
  add(place: Place, socket: TLSSocket): void {
    this.#secure.add(this.#keyOf(place), socket);
  }

  #keyOf({ host, port, ...place }: Place): string {
    return placeKey({ host, port, serverName: verifiedName({ host, port, ...place }, this.#tls) });
  }

  send(call: UpstreamCall): ClientRequest {
    return this.#sendTo(call, call.secure ? this.#secure : this.#plain);
  }

  /** Over a connection of its own, since it may leave HTTP. */
  sendAlone(call: UpstreamCall): ClientRequest {
    const sent = this.#sendTo(call, call.secure ? new Agent(this.#tls) : new PlainAgent());
    this.#follow(sent);
    sent.once('upgrade', (_answer, socket) => this.#follow(socket));
    return sent;
  }

  /** Closes idle connections; requests continue. */
  close(): void {
    retireAgent(this.#plain);
    retireAgent(this.#secure);
  }

  /** Ends all requests and the connections that they became. */
  [Symbol.dispose](): void {
    for (const agent of [this.#plain, this.#secure]) agent.destroy();
    for (const each of this.#alone) each.destroy();
  }

  #sendTo(call: UpstreamCall, agent: PlainAgent): ClientRequest {
    const { method, host, port, target, authority, headers, body, secure } = call;
    const framing = body === 'streamed' ? ['Transfer-Encoding', 'chunked'] : [];
    const options: ClientRequestArgs = {
      ...{ method, host, port, path: target, agent, setDefaultHeaders: false, maxHeaderSize: maxHeadBytes },
      headers: ['Host', authority, ...headers, ...framing],
    };
    const servername = verifiedName(call, this.#tls);
    const sent = secure ? request({ ...options, servername }) : plainRequest(options);
    sent.once('socket', limitConnecting);
    return sent;
  }

  #follow(each: ClientRequest | Duplex): void {
    this.#alone.add(each);
    each.once('close', () => this.#alone.delete(each));
  }
}

/** Keeps connections by address alone, since their TLS settings are the same. */
class SecureAgent extends Agent {
  /** Opened, and not yet used. */
  readonly #opened = new Map<string, TLSSocket[]>();

  override getName({ host = '', port = 0, servername = '' }: RequestOptions = {}): string {
    return placeKey({ host: String(host), port: Number(port), serverName: servername });
  }

  override createConnection(...[options, callback]: Parameters<Agent['createConnection']>): Duplex | null | undefined {
    return this.#opened.get(this.getName(options))?.pop() ?? super.createConnection(options, callback);
  }

  has(key: string): boolean {
    return key in this.freeSockets || key in this.sockets || this.#opened.has(key);
  }

  add(key: string, socket: TLSSocket): void {
    const opened = this.#opened.get(key) ?? [];
    opened.push(socket);
    this.#opened.set(key, opened);
    socket.setTimeout(idleTimeoutMs, () => (opened.includes(socket) ? socket.destroy() : undefined));
    const forget = (): void => {
      const index = opened.indexOf(socket);
      if (index !== -1) opened.splice(index, 1);
      if (opened.length === 0) this.#opened.delete(key);
    };
    socket.once('close', forget);
  }

  override destroy(): void {
    for (const opened of this.#opened.values()) for (const socket of opened) socket.destroy();
    super.destroy();
  }
}
