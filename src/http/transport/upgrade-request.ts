import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** An HTTP/1.1 request to upgrade the connection to another protocol, such as WebSocket. */
export interface UpgradeRequest {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  /** Bytes that the client already sent after the request. */
  readonly head: Buffer;
}

type Head = Pick<IncomingMessage, 'method' | 'headers'>;

/** Whether a request asks for another protocol (RFC 9110 section 7.8). */
export function asksForUpgrade({ headers }: Head): boolean {
  const connection = (headers.connection ?? '').toLowerCase().split(',');
  return headers.upgrade !== undefined && connection.some((option) => option.trim() === 'upgrade');
}

/** Whether a request asks for a WebSocket (RFC 6455 section 4.1). */
export function asksForWebSocket(request: Head): boolean {
  return request.method === 'GET' && request.headers.upgrade?.toLowerCase() === 'websocket' && asksForUpgrade(request);
}
