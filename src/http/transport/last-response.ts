import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/**
 * The response to a request after which the connection is no longer HTTP, and detached from node's parser. Import it
 * lazily: `ServerResponse` brings in node's HTTP client, which takes 8 MiB.
 */
export function lastResponse(request: IncomingMessage, socket: Duplex): ServerResponse {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  // The listener is a TLS server, so this is a socket.
  response.assignSocket(socket as IncomingMessage['socket']);
  response.once('finish', () => socket.end());
  return response;
}
