import { isIP, type Socket } from 'node:net';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';

/** Those of the reference. */
const dialTimeoutMs = 30_000;
const handshakeTimeoutMs = 10_000;

export interface Place {
  /** Without brackets. */
  readonly host: string;
  readonly port: number;
}

export function placeKey({ host, port }: Place): string {
  return `${host}:${port}`;
}

/** Connects with TLS, offering HTTP/2 before HTTP/1.1. */
export function dialTls({ host, port }: Place, tls: ConnectionOptions): Promise<TLSSocket> {
  const { promise, resolve, reject } = Promise.withResolvers<TLSSocket>();
  const socket = connect({ servername: serverNameOf(host), ...tls, host, port, ALPNProtocols: ['h2', 'http/1.1'] });
  limitConnecting(socket);
  socket.once('error', reject);
  socket.once('close', () => reject(new Error('EOF')));
  socket.once('secureConnect', () => resolve(socket));
  return promise;
}

/** SNI does not allow IP addresses. */
export function serverNameOf(host: string): string {
  return isIP(host) === 0 ? host : '';
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
