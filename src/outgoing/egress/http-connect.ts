import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { joinHostPort } from '../../api/text/host-port.ts';
import type { CallAddress } from '../call-address.ts';
import { dialWords } from '../call-words.ts';
import { connected } from '../dial.ts';
import { bodyLengthOf, HeadCollector, type Http1Head, readHead, withoutBroken } from '../http1/head.ts';
import { preparedTls } from '../prepared-tls.ts';
import { verifiedLater, verifyServer } from '../server-certificate.ts';
import type { ProxySteps } from './egress-metrics.ts';

/** A proxy that is asked for connections by CONNECT (RFC 9110, section 9.3.6). */
export interface HttpProxy {
  /** As errors show it. */
  readonly name: string;
  /** Where it listens: a path, or an address. */
  readonly place: string | CallAddress;
  /** Undefined: without TLS. */
  readonly tls?: ProxyCredentials;
}

/** PEM. */
export interface ProxyCredentials {
  /** Undefined: those of the host. */
  readonly authorities: string | undefined;
  readonly certificate: string;
  readonly key: string;
  /** That its certificate must have; empty: its host. */
  readonly serverName: string;
}

/** How long a proxy may take to answer. The reference would wait as long as the caller. */
const responseTimeoutMs = 30_000;
/** The size limit of the head of an answer. */
const maxHeadBytes = 1 << 20;

/** Connections through an HTTP proxy. */
export function httpConnect(proxy: HttpProxy): ProxySteps<Socket> {
  const open = opener(proxy);
  return { connect: () => opened(open(), proxy), proxy: (socket, address) => through(socket, proxy, address) };
}

function opener({ place, tls }: HttpProxy): () => Promise<Socket> {
  if (typeof place === 'string') return () => connected(connectPlain({ path: place }));
  if (tls === undefined) return () => connected(connectPlain(place.port, place.host));
  const { authorities, certificate, key, serverName } = tls;
  const prepared = preparedTls({ ...(authorities === undefined ? {} : { ca: authorities }), cert: certificate, key });
  const name = serverName === '' ? place.host : serverName;
  // SNI has no addresses.
  const settings = { ...prepared, ...verifiedLater, ...place, servername: isIP(name) === 0 ? name : '' };
  return async () => {
    const socket = connectTls(settings);
    await connected(socket);
    await verifyServer(socket, { name, authorities });
    return socket;
  };
}

/** Rejects with an Error in Go's words. */
async function opened(opening: Promise<Socket>, { place }: HttpProxy): Promise<Socket> {
  return opening.catch((error: Error) => {
    throw new Error(dialWords(error, place), { cause: error });
  });
}

/** Asks for a connection to an address; the connection to the proxy then becomes that. */
async function through(socket: Socket, { name }: HttpProxy, to: CallAddress): Promise<Socket> {
  const address = joinHostPort(to);
  try {
    socket.write(`CONNECT ${address} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
    const { head, restBytes } = await readResponse(socket).catch((error: Error) => {
      const why = withoutBroken(error.message);
      throw new Error(`reading HTTP response from CONNECT to ${address} via proxy ${name} failed: ${why}`);
    });
    const { status, reason } = head;
    if (status !== 200) {
      const line = reason === '' ? String(status) : `${status} ${reason}`;
      throw new Error(`proxy error from ${name} while dialing ${address}, code ${status}: ${line}`);
    }
    // The server behind the proxy speaks only when it is spoken to.
    if (restBytes > 0) {
      throw new Error(`unexpected ${restBytes} bytes of buffered data from CONNECT proxy ${JSON.stringify(name)}`);
    }
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

interface ProxyResponse {
  readonly head: Http1Head;
  /** The size of what has come after the head. */
  readonly restBytes: number;
}

/** Reads the head of an answer, and nothing that comes later. Rejects with an Error in Go's words. */
async function readResponse(socket: Socket): Promise<ProxyResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<ProxyResponse>();
  const collector = new HeadCollector();
  let sizeBytes = 0;
  const read = (): void => {
    try {
      for (let chunk = readChunk(socket); chunk !== null; chunk = readChunk(socket)) {
        const kept = chunk.subarray(0, maxHeadBytes - sizeBytes);
        sizeBytes += kept.length;
        const rest = collector.add(kept);
        if (rest === undefined && sizeBytes === maxHeadBytes) throw new Error('unexpected EOF');
        if (rest === undefined) continue;
        const head = readHead(collector.take());
        bodyLengthOf(head, 'GET');
        resolve({ head, restBytes: rest.length });
        return;
      }
    } catch (error) {
      reject(error as Error); // of the readers
    }
  };
  const ended = (): void => reject(new Error('unexpected EOF'));
  const failed = ({ message, ...error }: Error): void =>
    reject(new Error('code' in error && error.code === 'ECONNRESET' ? 'read: connection reset by peer' : message));
  const timer = setTimeout(() => reject(new Error('i/o timeout')), responseTimeoutMs);
  const listeners = { readable: read, end: ended, error: failed, close: ended } as const;
  for (const [event, listener] of Object.entries(listeners)) socket.on(event, listener);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    for (const [event, listener] of Object.entries(listeners)) socket.off(event, listener);
  }
}

/** Sockets without an encoding return buffers only. */
function readChunk(socket: Socket): Buffer | null {
  return socket.read() as Buffer | null;
}
