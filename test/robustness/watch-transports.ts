import { on, once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { WebSocket } from 'ws';
import { linesOf, type WatchEvent } from '../api-client.ts';
import { adminTls } from '../server-fixture.ts';
import type { Connection, Endpoint } from './connection.ts';

export interface OpenedWatch {
  /** The process that serves it. */
  readonly server: string;
  /** Rejects when the watch breaks. */
  readonly events: AsyncIterable<WatchEvent>;
}

/** Opens a watch; rejects if the server is currently unreachable. */
type Transport = (connection: Connection, path: string, leave: AbortSignal) => Promise<OpenedWatch>;

export const transports = {
  async http2(connection, path, leave) {
    const { client, server } = await connection.get();
    return { server, events: client.watch(path, leave) };
  },

  async http1({ endpoint }, path, signal) {
    const server = endpoint.incarnation;
    const tls = await adminTls(endpoint.kubeconfigPath);
    // No agent: a connection of its own, never one to an earlier process.
    const request = httpsRequest(`${endpoint.url}${path}`, { ...tls, agent: false, signal }).end();
    // The argument of the `response` event.
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    request.on('error', () => undefined);
    return { server: unchanged(endpoint, server), events: parsed(linesOf(response)) };
  },

  async websocket({ endpoint }, path, signal) {
    const server = endpoint.incarnation;
    const url = endpoint.url.replace('https', 'wss') + path;
    const socket = new WebSocket(url, { ...(await adminTls(endpoint.kubeconfigPath)), origin: endpoint.url });
    signal.addEventListener('abort', () => socket.terminate(), { once: true });
    const messages = on(socket, 'message', { close: ['close'] });
    try {
      await once(socket, 'open');
      return { server: unchanged(endpoint, server), events: parsed(textsOf(socket, messages)) };
    } catch (error) {
      socket.on('error', () => undefined);
      socket.terminate();
      throw error;
    }
  },
} as const satisfies Readonly<Record<string, Transport>>;

export type TransportName = keyof typeof transports;

function unchanged(endpoint: Endpoint, server: string): string {
  if (server !== endpoint.incarnation) throw new Error('the server was started meanwhile');
  return server;
}

async function* textsOf(socket: WebSocket, messages: AsyncIterable<unknown[]>): AsyncGenerator<string> {
  try {
    for await (const [data] of messages) yield String(data);
  } finally {
    socket.on('error', () => undefined);
    socket.terminate();
  }
}

/** One event per string. */
async function* parsed(texts: AsyncIterable<string>): AsyncGenerator<WatchEvent> {
  for await (const text of texts) yield JSON.parse(text) as WatchEvent;
}
