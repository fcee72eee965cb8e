import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  createSecureServer,
  type Http2SecureServer,
  type SecureServerOptions,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import { Socket } from 'node:net';
import type { Exchange } from './exchange.ts';
import { isHeld } from './held-sessions.ts';
import { Http1Exchange } from './http1-exchange.ts';
import { Http2Exchange } from './http2-exchange.ts';
import { asksForWebSocket, type UpgradeRequest } from './upgrade-request.ts';

// Requests without a body are many and small, watches send much: a client's window may be large from the start.
const initialWindowBytes = 1 << 20;
/** What one connection may hold, in megabytes: thousands of watches share one. */
const sessionMemoryMegabytes = 256;
const headersTimeoutMs = 32_000;
const keepAliveMs = 180_000;
const defaultIdleTimeoutMs = 180_000;

// Who asks for another protocol is answered as if he had not. Node's HTTP/1.1 server takes the option, its declared type here does not.
const http1Options = { shouldUpgradeCallback: asksForWebSocket } as SecureServerOptions['http1Options'] & {};

/** A TLS listener for HTTP/2 and HTTP/1.1. `handle` must not throw. */
export class Listener {
  readonly #server: Http2SecureServer;
  readonly #idleTimeoutMs: number;
  readonly #sessions = new Set<ServerHttp2Session>();
  readonly #sockets = new Set<Socket>();

  /** `tls` holds certificates and limits; client certificates are asked for and judged by the pipeline. */
  constructor(tls: SecureServerOptions, handle: (exchange: Exchange) => void, idleTimeoutMs = defaultIdleTimeoutMs) {
    this.#idleTimeoutMs = idleTimeoutMs;
    this.#server = createSecureServer({
      ...tls,
      settings: { ...tls.settings, initialWindowSize: initialWindowBytes },
      maxSessionMemory: sessionMemoryMegabytes,
      http1Options,
    });
    this.#server.on('stream', (stream, headers) => {
      // The stream reports what the exchange learns anyhow by its closing.
      stream.on('error', () => undefined);
      // A server's streams are ServerHttp2Stream; the event is declared with their base.
      handle(new Http2Exchange(stream as ServerHttp2Stream, headers));
    });
    this.#acceptHttp1(handle);
    this.#track();
  }

  /** Listens; answers the port. */
  listen(address: string, port: number): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    this.#server.once('error', reject);
    this.#server.listen({ host: address, port }, () => {
      this.#server.off('error', reject);
      const bound = this.#server.address();
      resolve(typeof bound === 'object' && bound !== null ? bound.port : port);
    });
    return promise;
  }

  /** Takes no new connection, tells clients to go away and resolves when all exchanges have ended or `graceMs` is over. */
  async close(graceMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server.close(() => resolve());
    for (const session of this.#sessions) session.close();
    const timer = setTimeout(() => this.#destroyAll(), graceMs);
    for (const socket of this.#sockets) if (!this.#isBusy(socket)) socket.destroy();
    await promise;
    clearTimeout(timer);
  }

  #acceptHttp1(handle: (exchange: Exchange) => void): void {
    // Listening to 'request' would make node build its compatibility objects for HTTP/2 streams as well: this hook does that.
    this.#server.removeAllListeners('newListener');
    const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
      this.#busy.add(request.socket);
      response.once('close', () => this.#busy.delete(request.socket));
      handle(new Http1Exchange(request, response));
    };
    // The emitter is node's HTTP/1.1 server code here, whatever the declared types say.
    this.#server.on('request', onRequest as never);
    this.#server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
      this.#busy.add(socket);
      socket.once('close', () => this.#busy.delete(socket));
      socket.on('error', () => socket.destroy());
      upgrade({ request, socket, head }, handle).catch(() => socket.destroy());
    });
  }

  readonly #busy = new Set<Socket>();

  #isBusy(socket: Socket): boolean {
    return this.#busy.has(socket) || [...this.#sessions].some((session) => session.socket === socket);
  }

  #track(): void {
    this.#server.on('session', (session) => {
      this.#sessions.add(session);
      session.setTimeout(this.#idleTimeoutMs);
      session.on('timeout', () => {
        if (isHeld(session)) session.setTimeout(this.#idleTimeoutMs);
        else session.close();
      });
      session.on('error', () => session.destroy());
      session.on('close', () => this.#sessions.delete(session));
    });
    this.#server.on('secureConnection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.setNoDelay(true);
      // Clients that vanish without a word must not hold their watches for ever.
      socket.setKeepAlive(true, keepAliveMs);
      socket.on('close', () => this.#sockets.delete(socket));
    });
    this.#server.on('tlsClientError', (_error, socket) => socket.destroy());
    // Node calls this for sessions as well, which have their own timer above.
    this.#server.setTimeout(headersTimeoutMs, (idle?: Socket | ServerHttp2Session) => {
      if (idle instanceof Socket && !this.#isBusy(idle)) idle.destroy();
    });
  }

  #destroyAll(): void {
    for (const session of this.#sessions) session.destroy();
    for (const socket of this.#sockets) socket.destroy();
  }
}

/** Loaded for the first client that asks: with the code comes node's own HTTP client, which takes 8 MiB. */
async function upgrade(request: UpgradeRequest, handle: (exchange: Exchange) => void): Promise<void> {
  const { WebSocketExchange } = await import('./websocket-exchange.ts');
  if (!request.socket.destroyed) handle(new WebSocketExchange(request));
}
