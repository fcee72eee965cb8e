import {
  createSecureServer,
  type Http2SecureServer,
  type SecureServerOptions,
  type ServerHttp2Session,
} from 'node:http2';
import { createServer, type ListenOptions, type Server, Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { timerMsUntil } from '../../api/time/deadline.ts';
import { endsInSlices } from './ends-in-slices.ts';
import type { Exchange } from './exchange.ts';
import { Http1Server, type TakesUpgrades } from './http1-server.ts';
import { Http2Server } from './http2-server.ts';
import { connectionLimits, headersTimeoutMs, idleTimeoutMs as defaultIdleTimeoutMs } from './transport-limits.ts';
import type { Shedding } from './share-of.ts';

const keepAliveMs = 180_000;
/** When the listener closes, clients that have just connected may still send a request. */
const firstRequestMs = 5_000;
/** As in the reference. */
export const defaultMaxStreams = 100;

export interface ListenerOptions {
  readonly idleTimeoutMs?: number;
  /** Absent: no path does. */
  readonly takesUpgrades?: TakesUpgrades;
  /** Called with the number of connections when it changes. */
  readonly connectionsChanged?: ((open: number) => void) | undefined;
  /** Called for connections whose TLS handshake fails. */
  readonly handshakeFailed?: () => void;
}

/** A TLS listener for HTTP/2 and HTTP/1.1. `handle` must not throw. */
export class Listener {
  readonly #server: Http2SecureServer;
  readonly #http1: Http1Server;
  readonly #http2: Http2Server;
  /** With the time since when they are open. */
  readonly #sockets = new Map<Socket, number>();
  readonly #connectionsChanged: ListenerOptions['connectionsChanged'];
  #closed = false;

  /** `tls` holds certificates and limits; client certificates are requested, and verified by the pipeline. */
  constructor(
    tls: SecureServerOptions,
    handle: (exchange: Exchange) => void,
    {
      idleTimeoutMs = defaultIdleTimeoutMs,
      takesUpgrades = () => false,
      handshakeFailed,
      connectionsChanged,
    }: ListenerOptions = {},
  ) {
    const dispatch = (exchange: Exchange): void => {
      if (exchange.path !== '*' || exchange.method !== 'OPTIONS') return handle(exchange);
      exchange.respond(200, {}, '');
      exchange.release?.();
    };
    const { maxConcurrentStreams: maxStreams = defaultMaxStreams, ...settings } = {
      ...connectionLimits.settings,
      ...tls.settings,
    };
    this.#server = createSecureServer({ ...tls, ...connectionLimits, settings });
    this.#http1 = new Http1Server(this.#server, dispatch, takesUpgrades);
    this.#http2 = new Http2Server(this.#server, dispatch, { settings, maxStreams, idleTimeoutMs });
    this.#connectionsChanged = connectionsChanged;
    this.#track();
    this.#server.on('tlsClientError', (_error, socket) => {
      socket.destroy();
      handshakeFailed?.();
    });
  }

  /** Connections that are open. */
  get connections(): number {
    return this.#sockets.size;
  }

  /** Tells the clients of a share of the connections to come again: what runs on them ends as ever. */
  shed(shedding: Shedding): void {
    this.#http1.shed(shedding);
    this.#http2.shed(shedding);
  }

  /** Sets certificates and CAs for new connections. */
  renew(tls: SecureServerOptions): void {
    this.#server.setSecureContext(tls);
  }

  /** Listens; resolves to the port. With `sharesPort`, others of the same user may do so as well. */
  listen(address: string, port: number, sharesPort = false): Promise<number> {
    return listen(this.#server, { host: address, port, reusePort: sharesPort });
  }

  /**
   * Stops accepting connections, sends GOAWAY and resolves when all exchanges have ended. Those that have not after
   * `graceMs` are cut off, when `beforeCut` has resolved, which may end them.
   */
  async close(graceMs: number, beforeCut: () => Promise<void> = async () => undefined): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#closed = true;
    this.#server.close(() => resolve());
    this.#http1.close();
    this.#http2.close();
    const cut = (): void => void beforeCut().finally(() => this.#destroyAll());
    const timer = setTimeout(cut, graceMs);
    for (const [socket, openMs] of this.#sockets) this.#closeIdle(socket, openMs);
    await promise;
    clearTimeout(timer);
  }

  /** Closes everything at once; resolves when no connection is left. Not to be called while one is being read. */
  async destroy(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#closed = true;
    this.#destroyAll();
    await closed;
  }

  #closeIdle(socket: Socket, openMs: number): void {
    if (this.#isBusy(socket)) return;
    if (this.#http1.isUsed(socket)) socket.destroy();
    else {
      const timer = setTimeout(
        () => {
          if (!this.#isBusy(socket)) socket.destroy();
        },
        timerMsUntil(openMs + firstRequestMs),
      );
      socket.once('close', () => clearTimeout(timer));
    }
  }

  #isBusy(socket: Socket): boolean {
    // HTTP/2 connections end with their sessions, which end with their streams.
    return this.#http1.isBusy(socket) || isHttp2(socket);
  }

  #track(): void {
    this.#server.on('secureConnection', (socket: TLSSocket) => {
      if (socket.alpnProtocol !== 'h2') this.#http1.accept(socket);
      this.#sockets.set(socket, performance.now());
      this.#connectionsChanged?.(this.#sockets.size);
      if (this.#closed) this.#closeIdle(socket, performance.now());
      endsInSlices(socket);
      socket.setNoDelay(true);
      // Clients that vanish must not hold their watches forever.
      socket.setKeepAlive(true, keepAliveMs);
      socket.on('close', () => {
        this.#sockets.delete(socket);
        this.#connectionsChanged?.(this.#sockets.size);
      });
    });
    // Node calls this for sessions too, which have their own timer above.
    this.#server.setTimeout(headersTimeoutMs, (idle?: Socket | ServerHttp2Session) => {
      if (!(idle instanceof Socket)) return;
      // Clients that stop reading are cut off too.
      if (!this.#isBusy(idle) || idle.writableLength > 0) idle.destroy();
    });
  }

  #destroyAll(): void {
    this.#http2.destroy();
    for (const socket of this.#sockets.keys()) socket.destroy();
  }
}

/** Rejects if somebody listens on the port, even if he shares it. */
export async function checkUnused(address: string, port: number): Promise<void> {
  const probe = createServer();
  await listen(probe, { host: address, port });
  await new Promise((resolve) => probe.close(resolve));
}

/** Resolves to the port. */
function listen(server: Server, options: ListenOptions & { readonly port: number }): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  server.once('error', reject);
  server.listen(options, () => {
    server.off('error', reject);
    const bound = server.address();
    resolve(typeof bound === 'object' && bound !== null ? bound.port : options.port);
  });
  return promise;
}

/** A session hides its socket, so a socket cannot be matched to it. */
function isHttp2(socket: Socket): boolean {
  return socket instanceof TLSSocket && socket.alpnProtocol === 'h2';
}
