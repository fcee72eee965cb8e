import type { ClientRequest } from 'node:http';
import type { AgentOptions } from 'node:https';
import { dialTls, placeKey } from './dial.ts';
import type { Http1Connections } from './http1-connections.ts';
import type { Http2Connections } from './http2-connections.ts';
import { preparedTls } from './prepared-tls.ts';
import { Http1Request } from './http1-request.ts';
import { initialStreams, type SentRequest, type UpstreamCall } from './upstream-request.ts';

export interface UpstreamOptions {
  /** False: only HTTP/1.1. One connection over HTTP/2 would lead to one of the servers behind an address. */
  readonly http2?: boolean;
}

/**
 * Connections to other servers with one set of TLS settings (trusted CAs, client certificate, `servername`), kept open.
 * With TLS each new connection negotiates HTTP/2 or HTTP/1.1.
 */
export class Upstream implements Disposable {
  readonly #tls: AgentOptions;
  readonly #http2: boolean;
  readonly #dialing = new Map<string, Dialing>();
  #protocols: Protocols | undefined;

  constructor(tls: AgentOptions = {}, { http2 = true }: UpstreamOptions = {}) {
    this.#tls = tls;
    this.#http2 = http2;
  }

  /** Opens a connection if there is none for this call; undefined if there is. Rejects if it cannot be opened. */
  open(call: UpstreamCall): Promise<void> | undefined {
    if (this.#protocols === undefined) return this.#load().then(() => this.open(call));
    const { http1, http2 } = this.#protocols;
    if (!call.secure || !this.#http2 || http2.hasRoom(call) || http1.has(call)) return undefined;
    const key = placeKey(call);
    const known = this.#dialing.get(key);
    const dialing = known !== undefined && known.calls < initialStreams ? known : this.#dial(call, this.#protocols);
    dialing.calls += 1;
    return dialing.opened;
  }

  /** Sends the head of a request, over a connection that `open` found; the caller writes its body and ends it. */
  send(call: UpstreamCall): SentRequest {
    if (this.#protocols === undefined) throw new Error('no connection was opened');
    const { http1, http2 } = this.#protocols;
    return http2.send(call) ?? new Http1Request(http1.send(call));
  }

  /** A request over HTTP/1.1 and a connection of its own, since it may leave HTTP. */
  async sendAlone(call: UpstreamCall): Promise<ClientRequest> {
    const { http1 } = await this.#load();
    return http1.sendAlone(call);
  }

  /** Closes idle connections; requests continue. */
  close(): void {
    this.#protocols?.http1.close();
    this.#protocols?.http2.close();
  }

  /** Ends all requests and the connections that they became. */
  [Symbol.dispose](): void {
    this.#protocols?.http1[Symbol.dispose]();
    this.#protocols?.http2[Symbol.dispose]();
  }

  /** Node's HTTP clients are imported for the first request: they take 8 MiB. */
  async #load(): Promise<Protocols> {
    const [{ Http1Connections }, { Http2Connections }] = await Promise.all([
      import('./http1-connections.ts'),
      import('./http2-connections.ts'),
    ]);
    if (this.#protocols !== undefined) return this.#protocols;
    const tls = preparedTls(this.#tls);
    this.#protocols = { tls, http1: new Http1Connections(tls), http2: new Http2Connections() };
    return this.#protocols;
  }

  #dial(call: UpstreamCall, { tls, http1, http2 }: Protocols): Dialing {
    const key = placeKey(call);
    const opened = dialTls(call, tls)
      .then((socket) => (socket.alpnProtocol === 'h2' ? http2.add(call, socket) : http1.add(call, socket)))
      .finally(() => {
        if (this.#dialing.get(key) === dialing) this.#dialing.delete(key);
      });
    const dialing: Dialing = { opened, calls: 0 };
    this.#dialing.set(key, dialing);
    return dialing;
  }
}

interface Dialing {
  readonly opened: Promise<void>;
  /** That wait for it. */
  calls: number;
}

interface Protocols {
  readonly tls: AgentOptions;
  readonly http1: Http1Connections;
  readonly http2: Http2Connections;
}
