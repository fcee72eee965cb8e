import type { TLSSocket } from 'node:tls';

/** What a server does to those who ask it. */
export interface Misdeed {
  readonly protocol: 'http/1.1' | 'h2';
  serve(socket: TLSSocket): void;
}

/** Writes for as long as the other side lets it. */
export function endlessly(socket: TLSSocket, chunk: string | Buffer): void {
  const more = (): void => {
    while (!socket.destroyed && socket.write(chunk));
    if (!socket.destroyed) socket.once('drain', more);
  };
  more();
}
