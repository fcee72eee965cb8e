import { isIP, type Socket } from 'node:net';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import type { CallAddress } from './call-address.ts';

/** Those of the reference. */
const dialTimeoutMs = 30_000;
const handshakeTimeoutMs = 10_000;

/** A server. */
export interface Place extends CallAddress {
  /** By which its certificate is verified; absent: that of the TLS settings, or the host. */
  readonly serverName?: string;
}

export function placeKey({ host, port, serverName = '' }: Place): string {
  return `${host}:${port}:${serverName}`;
}

/** Connects with TLS, offering HTTP/2 before HTTP/1.1. */
export function dialTls(place: Place, tls: ConnectionOptions): Promise<TLSSocket> {
  const { promise, resolve, reject } = Promise.withResolvers<TLSSocket>();
  const { host, port } = place;
  const servername = verifiedName(place, tls);
  const socket = connect({ ...tls, servername, host, port, ALPNProtocols: ['h2', 'http/1.1'] });
  limitConnecting(socket);
  socket.once('error', reject);
  socket.once('close', () => reject(new Error('EOF')));
  socket.once('secureConnect', () => resolve(socket));
  return promise;
}

/** SNI does not allow IP addresses. */
export function verifiedName({ host, serverName }: Place, { servername }: ConnectionOptions): string {
  const name = servername ?? serverName ?? host;
  return isIP(name) === 0 ? name : '';
}

/** Limits how long a connect, and a handshake, may take. */
export function limitConnecting(socket: Socket): void {
  if (!socket.connecting) return;
  let timer = setTimeout(() => socket.destroy(new Error('i/o timeout')), dialTimeoutMs);
  const settle = (): void => clearTimeout(timer);
  socket.once('connect', () => {
    settle();
    if (!('encrypted' in socket)) return;
    timer = setTimeout(() => socket.destroy(new Error('net/http: TLS handshake timeout')), handshakeTimeoutMs);
    // Checked to be a TLS socket.
    (socket as TLSSocket).once('secureConnect', settle);
  });
  socket.once('close', settle);
}
