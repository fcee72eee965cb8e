import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/**
 * The answer to a request after which the connection speaks no HTTP any more: node has left it. Load it for the first such
 * request: with `ServerResponse` comes node's own HTTP client, which takes 8 MiB.
 */
export function lastResponse(request: IncomingMessage, socket: Duplex): ServerResponse {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  // The listener is a TLS server: what it hands out is a socket.
  response.assignSocket(socket as IncomingMessage['socket']);
  response.once('finish', () => socket.end());
  return response;
}
