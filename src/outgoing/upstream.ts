import type { AgentOptions } from 'node:https';
import type { TLSSocket } from 'node:tls';
import type { Connection, EgressWay } from '../api/contracts/egress.ts';
import { once } from '../api/collections/kept-by.ts';
import { dial, type DialSettings, type Endpoint, placeKey } from './dial.ts';
import { Http1Connections } from './http1/connections.ts';
import type { Http1Request } from './http1/request.ts';
import type { Http2Connections } from './http2/connections.ts';
import { preparedTls } from './prepared-tls.ts';
import { initialStreams, type SentRequest, type UpstreamCall } from './upstream-request.ts';

export interface UpstreamOptions {
  /** False: only HTTP/1.1. One connection over HTTP/2 would lead to one of the servers behind an address. */
  readonly http2?: boolean;
  /** How connections are opened. */
  readonly egress?: EgressWay;
}

/**
 * Connections to other servers with one set of TLS settings (trusted CAs, client certificate, `servername`), kept open.
 * With TLS each new connection negotiates HTTP/2 or HTTP/1.1.
 */
export class Upstream implements Disposable {
  readonly #settings: () => DialSettings;
  readonly #offersHttp2: boolean;
  readonly #dialing = new Map<string, Dialing>();
  /** Servers that are known not to speak HTTP/2. */
  readonly #onlyHttp1 = new Set<string>();
  readonly #http1 = new Http1Connections();
  #http2: Http2Connections | undefined;

  constructor(tls: AgentOptions = {}, { http2 = true, egress }: UpstreamOptions = {}) {
    this.#settings = once(() => ({
      tls: preparedTls(tls),
      authorities: tls.ca,
      sessions: new Map<string, Buffer>(),
      egress,
    }));
    this.#offersHttp2 = http2;
  }

  /**
   * Sends the head of a request; undefined if there is no connection for it. The caller writes its body and ends it.
   */
  send(call: UpstreamCall): SentRequest | undefined {
    return this.#http2?.send(call) ?? this.#http1.send(call);
  }

  /** Opens a connection, on which others may be faster to send. Rejects if it cannot be opened. */
  async open(place: Endpoint): Promise<void> {
    const key = placeKey(place);
    if (!place.secure || !this.#offersHttp2 || this.#onlyHttp1.has(key)) return this.#dial(place);
    // Most servers take many requests on one connection.
    const known = this.#dialing.get(key);
    const dialing = known !== undefined && known.calls < initialStreams ? known : this.#dialShared(key, place);
    dialing.calls += 1;
    await dialing.opened;
  }

  /** A request over HTTP/1.1 and a connection of its own, since it may leave HTTP. */
  async sendAlone(call: UpstreamCall): Promise<Http1Request> {
    return this.#http1.sendAlone(call, await dial(call, ['http/1.1'], this.#settings()));
  }

  /** Closes idle connections; requests continue. */
  close(): void {
    this.#http1.close();
    this.#http2?.close();
  }

  /** Ends all requests and the connections that they became. */
  [Symbol.dispose](): void {
    this.#http1[Symbol.dispose]();
    this.#http2?.[Symbol.dispose]();
  }

  #dialShared(key: string, place: Endpoint): Dialing {
    const opened = this.#dial(place).finally(() => {
      if (this.#dialing.get(key) === dialing) this.#dialing.delete(key);
    });
    const dialing: Dialing = { opened, calls: 0 };
    this.#dialing.set(key, dialing);
    return dialing;
  }

  async #dial(place: Endpoint): Promise<void> {
    const isOffered = place.secure && this.#offersHttp2;
    const socket = await dial(place, isOffered ? ['h2', 'http/1.1'] : ['http/1.1'], this.#settings());
    const key = placeKey(place);
    if (speaksHttp2(socket)) {
      this.#onlyHttp1.delete(key);
      // Node's client takes memory, and most servers are not asked.
      const { Http2Connections } = await import('./http2/connections.ts');
      this.#http2 ??= new Http2Connections();
      this.#http2.add(place, socket);
    } else {
      if (this.#onlyHttp1.size >= maxRemembered) this.#onlyHttp1.clear();
      if (isOffered) this.#onlyHttp1.add(key);
      this.#http1.add(place, socket);
    }
  }
}

/** How many servers' protocols are remembered; asking again costs little. */
const maxRemembered = 1_000;

interface Dialing {
  readonly opened: Promise<void>;
  /** That wait for it. */
  calls: number;
}

function speaksHttp2(socket: Connection): socket is TLSSocket {
  return 'alpnProtocol' in socket && socket.alpnProtocol === 'h2';
}
