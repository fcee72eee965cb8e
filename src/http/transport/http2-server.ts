import type { Http2SecureServer, ServerHttp2Session, ServerHttp2Stream, Settings } from 'node:http2';
import type { Exchange } from './exchange.ts';
import { announceStreams } from './http2-announcement.ts';
import { Http2Connection } from './http2-connection.ts';
import { Http2Exchange, isHeld } from './http2-exchange.ts';
import { shareOf, type Shedding } from './share-of.ts';

export interface Http2ServerOptions {
  /** Node's settings, without the number of streams. */
  readonly settings: Settings;
  /** Streams that a client may have open on one connection. */
  readonly maxStreams: number;
  readonly idleTimeoutMs: number;
}

/** The HTTP/2 connections of a server. */
export class Http2Server {
  readonly #handle: (exchange: Exchange) => void;
  readonly #options: Http2ServerOptions;
  /** With the time since which they are open. */
  readonly #sessions = new Map<ServerHttp2Session, number>();
  #closed = false;

  constructor(server: Http2SecureServer, handle: (exchange: Exchange) => void, options: Http2ServerOptions) {
    this.#handle = handle;
    this.#options = options;
    announceStreams(server, options.settings, options.maxStreams);
    server.on('session', (session) => this.#accept(session));
  }

  /** Running requests end. */
  close(): void {
    this.#closed = true;
    for (const session of this.#sessions.keys()) session.close();
  }

  /** A share of the connections, those that are open for longest, end with the requests that run. */
  shed(shedding: Shedding): void {
    const leaving = shareOf(this.#sessions, ([{ closed }, openedMs]) => (closed ? undefined : openedMs), shedding);
    for (const [session] of leaving) session.close();
  }

  destroy(): void {
    for (const session of this.#sessions.keys()) session.destroy();
  }

  #accept(session: ServerHttp2Session): void {
    const { idleTimeoutMs, maxStreams } = this.#options;
    this.#sessions.set(session, performance.now());
    session.setTimeout(idleTimeoutMs);
    session.on('timeout', () => {
      // Endless streams do not keep a connection open on which nothing else happens.
      if (session.closed && !isHeld(session)) session.destroy();
      else if (!isHeld(session)) session.close();
      session.setTimeout(idleTimeoutMs);
    });
    session.on('error', () => session.destroy());
    session.on('close', () => this.#sessions.delete(session));
    // What has been received with the handshake is handed to the session in the next tick, which must find it open.
    if (this.#closed) setImmediate(() => session.close());
    const connection = new Http2Connection(session, maxStreams);
    session.on('stream', (stream: ServerHttp2Stream, headers, _flags, rawHeaders: readonly string[]) => {
      // The exchange learns of stream errors through the close event.
      stream.on('error', ignore);
      if (connection.admit(stream)) this.#handle(new Http2Exchange(connection, stream, { headers, rawHeaders }));
    });
  }
}

function ignore(): void {
  // What is to be done is done when the stream closes.
}
