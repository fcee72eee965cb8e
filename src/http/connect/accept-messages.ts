import type { WebSocket } from 'ws';
import type { Exchange } from '../transport/exchange.ts';

/** The reference's limit. */
const maxMessageBytes = 32 << 20;

/** Makes a WebSocket of a connection, with one of the protocols that the client offers; undefined if it cannot be. */
export async function acceptMessages(exchange: Exchange, protocol: string | undefined): Promise<WebSocket | undefined> {
  const { WebSocketServer } = await import('ws');
  const taken = exchange.closed ? undefined : exchange.takeConnection?.();
  if (taken === undefined) return undefined;
  const { request, socket, head } = taken;
  // The library rejects names with a slash (`SPDY/3.1+portforward.k8s.io`), which are not tokens.
  delete request.headers['sec-websocket-protocol'];
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: maxMessageBytes,
    allowSynchronousEvents: false,
  });
  if (protocol !== undefined) server.on('headers', (lines) => lines.push(`Sec-WebSocket-Protocol: ${protocol}`));
  let accepted: WebSocket | undefined;
  // For an invalid handshake the library answers itself and does not call back.
  server.handleUpgrade(request, socket, head, (webSocket) => (accepted = webSocket));
  return accepted;
}
