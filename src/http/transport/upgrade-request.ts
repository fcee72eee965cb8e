import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** An HTTP/1.1 request to upgrade the connection to a WebSocket. */
export interface UpgradeRequest {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  /** Bytes that the client already sent after the request. */
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
