import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { TLSSocket } from 'node:tls';
import { serveExec } from './exec-session.ts';
import type { PodWorker } from './pod-worker.ts';

export interface ServerCredentials {
  readonly cert: string;
  readonly key: string;
  /** The authority whose clients are let in. */
  readonly clientAuthority: string;
}

/** Where the API server reaches a kubelet. */
export const kubeletPort = 10_250;

type FindPod = (namespace: string, name: string) => PodWorker | undefined;

/** Serves logs and `exec` of the pods that are found. */
export async function startKubeletServer(
  address: string,
  { cert, key, clientAuthority }: ServerCredentials,
  findPod: FindPod,
): Promise<AsyncDisposable> {
  const tls = { cert, key, ca: clientAuthority, requestCert: true, rejectUnauthorized: false };
  const server = createServer(tls, (request, response) => {
    if (!isAuthorized(request)) return void response.writeHead(401).end('Unauthorized');
    answer(request, response, findPod).catch(() => response.destroy());
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    if (!isAuthorized(request)) return refuse(socket, '401 Unauthorized', 'Unauthorized');
    upgrade(request, socket, head, findPod);
  });
  server.listen(kubeletPort, address);
  await once(server, 'listening');
  return {
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}

function isAuthorized({ socket }: IncomingMessage): boolean {
  return (socket as TLSSocket).authorized; // a connection of an HTTPS server
}

interface Target {
  readonly action: string;
  readonly worker: PodWorker | undefined;
  readonly container: string;
  readonly query: URLSearchParams;
}

/** `/containerLogs/NAMESPACE/POD/CONTAINER` and `/exec/...` */
function targetOf({ url = '/' }: IncomingMessage, findPod: FindPod): Target {
  const { pathname, searchParams } = new URL(url, 'https://kubelet');
  const [, action = '', namespace = '', name = '', container = ''] = pathname.split('/').map(decodeURIComponent);
  return { action, worker: findPod(namespace, name), container, query: searchParams };
}

async function answer(request: IncomingMessage, response: ServerResponse, findPod: FindPod): Promise<void> {
  const { action, worker, container: name, query } = targetOf(request, findPod);
  if (action === 'healthz') return void response.end('ok');
  if (action !== 'containerLogs') return void response.writeHead(404).end('404 page not found\n');
  if (worker?.hasContainer(name) !== true) return void response.writeHead(404).end(`there is no container ${name}`);
  response.writeHead(200, { 'content-type': 'text/plain' });
  const number = (key: string): number | undefined => (query.has(key) ? Number(query.get(key)) : undefined);
  const sinceSeconds = number('sinceSeconds');
  const sinceTime = query.get('sinceTime');
  const log = worker.container(name)?.log.text({
    follow: query.get('follow') === 'true',
    timestamps: query.get('timestamps') === 'true',
    tailLines: number('tailLines') ?? Infinity,
    sinceMs: sinceSeconds === undefined ? Date.parse(sinceTime ?? '1970-01-01') : Date.now() - sinceSeconds * 1000,
  });
  // A container that is only said to run writes nothing.
  if (log === undefined) return void response.end();
  await pipeline(limited(log, number('limitBytes') ?? Infinity), response);
}

async function* limited(parts: AsyncIterable<string>, limitBytes: number): AsyncGenerator<Buffer> {
  let left = limitBytes;
  for await (const part of parts) {
    const bytes = Buffer.from(part).subarray(0, left);
    left -= bytes.length;
    yield bytes;
    if (left <= 0) return;
  }
}

function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, findPod: FindPod): void {
  const { action, worker, container: name } = targetOf(request, findPod);
  const container = worker?.container(name);
  if (action !== 'exec') return refuse(socket, '501 Not Implemented', `${action} is not supported`);
  if (container?.isRunning !== true) return refuse(socket, '404 Not Found', `container not found ("${name}")`);
  serveExec(request, socket, head, (command, stdin) => container.exec(command, stdin));
}

function refuse(socket: Duplex, status: string, message: string): void {
  const length = Buffer.byteLength(message);
  socket.end(`HTTP/1.1 ${status}\r\nContent-Type: text/plain\r\nContent-Length: ${length}\r\n\r\n${message}`);
}
