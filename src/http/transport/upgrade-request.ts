import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** A connection whose HTTP/1.1 request asks to go on as a WebSocket. */
export interface UpgradeRequest {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  /** What the client has sent already after the request. */
  readonly head: Buffer;
}

/** Whether a request asks for a WebSocket (RFC 6455 section 4.1). */
export function asksForWebSocket({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): boolean {
  const connection = (headers.connection ?? '').toLowerCase().split(',');
  return (
    method === 'GET' &&
    headers.upgrade?.toLowerCase() === 'websocket' &&
    connection.some((option) => option.trim() === 'upgrade')
  );
}
