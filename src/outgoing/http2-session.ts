import type { ClientHttp2Session } from 'node:http2';
import type { ConnectionOptions, TLSSocket } from 'node:tls';
import { dialTls, type Place } from './dial.ts';
import type { Exchange, TransportRequest } from './exchange.ts';

/** Those of the reference. */
const idleTimeoutMs = 90_000;
const pingTimeoutMs = 15_000;

/** What came of an attempt to negotiate HTTP/2: a session, or a connection for HTTP/1.1. */
export type Negotiated = { readonly session: ClientHttp2Session } | { readonly socket: TLSSocket };

/** Connects to a server that may speak HTTP/2. Rejects if it cannot be reached, or not in time. */
export async function negotiateHttp2(place: Place, tls: ConnectionOptions): Promise<Negotiated> {
  const { connect } = await import('node:http2');
  const socket = await dialTls(place, tls);
  if (socket.alpnProtocol !== 'h2') return { socket };
  const session = connect(`https://${place.host}:${place.port}`, { createConnection: () => socket });
  // Its streams report errors.
  session.on('error', () => undefined);
  session.setTimeout(idleTimeoutMs);
  session.unref();
  return { session };
}

/** Resolves when the head of the response has come. */
export async function exchangeOverHttp2(session: ClientHttp2Session, request: TransportRequest): Promise<Exchange> {
  const { method, path, body, signal } = request;
  const { host, ...headers } = request.headers;
  const { promise, resolve, reject } = Promise.withResolvers<Exchange>();
  const stream = session.request(
    { ':method': method, ':path': path, ':authority': host?.toString() ?? '', ...headers },
    { endStream: false },
  );
  const abort = (): void => {
    stream.destroy(signal.reason as Error); // aborted with an Error
    endUnlessAlive(session);
  };
  signal.addEventListener('abort', abort, { once: true });
  let failure: Error | undefined;
  stream.once('response', (answered) => {
    const header = (name: string): string | undefined => answered[name]?.toString();
    resolve({ status: Number(answered[':status']), header, body: stream, failure: () => failure });
  });
  stream.on('error', (error) => {
    failure = error;
    reject(error);
  });
  stream.once('close', () => {
    signal.removeEventListener('abort', abort);
    reject(new Error('EOF'));
  });
  stream.end(body);
  return await promise;
}

/** A server that no longer answers may be gone, with the connection half open. */
function endUnlessAlive(session: ClientHttp2Session): void {
  if (session.destroyed || session.closed) return;
  const timer = setTimeout(() => session.destroy(), pingTimeoutMs);
  timer.unref();
  session.ping(() => clearTimeout(timer));
}
