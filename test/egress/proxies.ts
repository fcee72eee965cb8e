import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** An address that only proxies know: it is this machine's. */
export const farAddress = '10.99.88.77';

/** A proxy of a test on this machine. */
export interface Proxy extends AsyncDisposable {
  /** The TCP port; 0 with a socket. */
  readonly port: number;
  /** Addresses that connections were asked to. */
  readonly targets: string[];
  /** Common names of the certificates that clients have shown. */
  readonly clients: Set<string>;
}

export interface ProxyAddress {
  /** The path of a socket; absent: a TCP port. */
  readonly path?: string;
  /** Absent: without TLS. */
  readonly tls?: { readonly cert: string; readonly key: string; readonly ca: string };
}

/** Connects to whatever address it is asked for, by HTTP CONNECT. Clients need certificates of `ca`. */
export async function startProxy({ path, tls }: ProxyAddress): Promise<Proxy> {
  const targets: string[] = [];
  const clients = new Set<string>();
  const server: Server =
    tls === undefined ? createHttpServer() : createHttpsServer({ ...tls, requestCert: true, rejectUnauthorized: true });
  const open = new Set<Duplex>();
  server.on('connect', (request: IncomingMessage, client: Duplex) => {
    const { url = '', socket } = request;
    targets.push(url);
    if ('getPeerCertificate' in socket) clients.add((socket as PeerSocket).getPeerCertificate().subject.CN);
    const { hostname, port } = new URL(`http://${url}`);
    const behind = connect(Number(port), hostname === farAddress ? '127.0.0.1' : hostname, () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      joined(client, behind);
    });
    behind.once('error', () => client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'));
    open.add(client);
  });
  server.listen(path === undefined ? { port: 0, host: '127.0.0.1' } : { path });
  await once(server, 'listening');
  return {
    port: path === undefined ? (server.address() as AddressInfo).port : 0,
    targets,
    clients,
    async [Symbol.asyncDispose]() {
      for (const each of open) each.destroy();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}

interface PeerSocket {
  getPeerCertificate(): { readonly subject: { readonly CN: string } };
}

function joined(one: Duplex, other: Duplex): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.pipe(to);
    from.on('error', () => to.destroy());
    from.once('close', () => to.destroy());
  }
}

/** What a bad proxy does, by the first label of the host that it is asked for. */
export const misdeeds: { readonly [name: string]: string } = {
  refusing: 'HTTP/1.1 503 Service Unavailable\r\n\r\n',
  terse: 'HTTP/1.1 407\r\n\r\n',
  moving: 'HTTP/1.1 302 Found\r\nLocation: https://other.example/\r\nContent-Length: 5\r\n\r\nhello',
  created: 'HTTP/1.1 201 Created\r\n\r\n',
  informing: 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\n',
  closing: '',
  half: 'HTTP/1.1 200 OK\r\nA: b',
  chatting: 'hello there\r\n\r\n',
  muttering: 'hello\r\n\r\n',
  miscounting: 'HTTP/1.1 2000 OK\r\n\r\n',
  misnaming: 'HTTP/1.1 200 OK\r\nno colon\r\n\r\n',
  mismeasuring: 'HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n',
  eager: 'HTTP/1.1 200 OK\r\n\r\nsurprise',
  verbose: `HTTP/1.1 200 OK\r\nA: ${'a'.repeat(2 * 1024 * 1024)}\r\n\r\n`,
};

/** A proxy at a socket that answers as above, or not at all. */
export async function startBadProxy(path: string): Promise<AsyncDisposable> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('data', (chunk) => {
      const [, name = ''] = /^CONNECT (\w+)/.exec(chunk.toString()) ?? [];
      const answer = misdeeds[name];
      if (answer !== undefined) socket.end(answer);
    });
  });
  server.listen(path);
  await once(server, 'listening');
  return {
    async [Symbol.asyncDispose]() {
      for (const each of open) each.destroy();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}

/** The JSON of an EgressSelectorConfiguration. */
export function egressFile(connections: { readonly [network: string]: object }): string {
  const egressSelections = Object.entries(connections).map(([name, connection]) => ({ name, connection }));
  const header = { apiVersion: 'apiserver.k8s.io/v1beta1', kind: 'EgressSelectorConfiguration' };
  return JSON.stringify({ ...header, egressSelections });
}

export const throughSocket = (udsName: string, proxyProtocol = 'HTTPConnect'): object => ({
  proxyProtocol,
  transport: { uds: { udsName } },
});
