import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { type ConnectionOptions, connect } from 'node:tls';
import type { Connection, EgressWay } from '../api/contracts/egress.ts';
import type { CallAddress } from './call-address.ts';
import type { Authorities } from './certificate-problem.ts';
import { verifiedLater, verifyServer } from './server-certificate.ts';

/** The reference's timeouts. */
const dialTimeoutMs = 30_000;
const handshakeTimeoutMs = 10_000;

/** A server. */
export interface Endpoint extends CallAddress {
  /** By which its certificate is verified; absent: that of the TLS settings, or the host. */
  readonly serverName?: string;
  readonly secure: boolean;
}

export function placeKey({ host, port, serverName = '', secure }: Endpoint): string {
  return `${secure ? 's' : ''}${host}:${port}:${serverName}`;
}

/** TLS settings, and the sessions with servers that shorten later handshakes. */
export interface DialSettings {
  readonly tls: ConnectionOptions;
  readonly authorities?: Authorities;
  readonly sessions: Map<string, Buffer>;
  readonly egress?: EgressWay;
}

/** As many as node's agents keep. */
const maxSessions = 100;

/** Protocols to negotiate, in order of preference. */
export type Protocols = readonly ('h2' | 'http/1.1')[];

/** Connects, with TLS if the server is secure. */
export async function dial(place: Endpoint, protocols: Protocols, settings: DialSettings): Promise<Connection> {
  const { egress = 'direct' } = settings;
  const opened = egress === 'direct' ? undefined : await egress(place);
  if (opened !== undefined && !place.secure) return opened;
  // Whoever waits for the connection above it keeps the process alive.
  opened?.unref();
  const isOpen = opened !== undefined;
  return place.secure
    ? dialTls(place, protocols, { ...settings, opened })
    : connected(connectPlain(place.port, place.host), { isOpen });
}

interface TlsSettings extends DialSettings {
  /** The connection to the server; undefined: to be opened. */
  readonly opened: Connection | undefined;
}

async function dialTls(place: Endpoint, protocols: Protocols, settings: TlsSettings): Promise<Connection> {
  const { tls, sessions, opened, authorities } = settings;
  const { host, port } = place;
  const name = tls.servername ?? place.serverName ?? host;
  const key = placeKey(place);
  const session = sessions.get(key);
  const socket = connect({
    ...tls,
    ...verifiedLater,
    servername: isIP(name) === 0 ? name : '',
    host,
    port,
    ALPNProtocols: [...protocols],
    ...(session === undefined ? {} : { session }),
    ...(opened === undefined ? {} : { socket: opened }),
  });
  socket.on('session', (given) => {
    if (sessions.size < maxSessions || sessions.has(key)) sessions.set(key, given);
  });
  // The server may have forgotten it.
  socket.once('error', () => sessions.delete(key));
  await connected(socket, { isOpen: opened !== undefined });
  if (tls.rejectUnauthorized === false) return socket;
  try {
    await verifyServer(socket, { name, authorities });
    return socket;
  } finally {
    // A session lacks the chain that a server has sent, which OpenSSL does not need if it trusts the server.
    if (!socket.authorized || socket.destroyed) {
      socket.removeAllListeners('session');
      sessions.delete(key);
    }
  }
}

interface ConnectingOptions {
  /** The connection below TLS is open; false if absent. */
  readonly isOpen?: boolean;
}

/** Resolves when the socket is connected, with TLS if it has any. Rejects when it fails or ends before. */
export async function connected(socket: Socket, { isOpen = false }: ConnectingOptions = {}): Promise<Socket> {
  // Requests are written as a whole.
  socket.setNoDelay(true);
  limitConnecting(socket, isOpen);
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const closed = (): void => reject(new Error('EOF'));
  // Who uses the connection has listeners of its own.
  socket.on('error', () => undefined);
  socket.once('error', reject);
  socket.once('close', closed);
  socket.once('encrypted' in socket ? 'secureConnect' : 'connect', () => {
    socket.off('error', reject).off('close', closed);
    resolve(socket);
  });
  return promise;
}

/** Limits how long a connect, and a handshake, may take. */
function limitConnecting(socket: Socket, isOpen: boolean): void {
  let timer: NodeJS.Timeout | undefined;
  const settle = (): void => clearTimeout(timer);
  const opened = (): void => {
    settle();
    if (!('encrypted' in socket)) return;
    timer = setTimeout(() => socket.destroy(new Error('net/http: TLS handshake timeout')), handshakeTimeoutMs);
    socket.once('secureConnect', settle);
  };
  if (isOpen) opened();
  else {
    timer = setTimeout(() => socket.destroy(new Error('i/o timeout')), dialTimeoutMs);
    socket.once('connect', opened);
  }
  socket.once('close', settle);
}
