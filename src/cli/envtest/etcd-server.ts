import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { certDirParameter, type EtcdPlace, placePath } from './place.ts';
import type { EtcdArguments } from './etcd-arguments.ts';

/** The release of etcd whose answers these are. */
export const etcdVersion = '3.7.3';

interface Page {
  readonly type: string;
  readonly body: string;
}

const ok: Page = { type: 'text/plain; charset=utf-8', body: 'ok\n' };

const pages: Readonly<Record<string, Page>> = {
  '/health': { type: 'application/json', body: '{"health":"true","reason":""}' },
  '/livez': ok,
  '/readyz': ok,
  '/version': {
    type: 'application/json',
    body: JSON.stringify({ etcdserver: etcdVersion, etcdcluster: '3.7.0', storage: '3.7.0' }),
  },
};

export interface EtcdServerOptions extends EtcdArguments {
  /** Called once, when somebody speaks another protocol. */
  readonly onOtherProtocol: () => void;
}

/** Answers what tests ask of an etcd before they start kube-apiserver, which learns here where its store is. */
export class EtcdServer {
  readonly #options: EtcdServerOptions;
  readonly #servers: readonly Server[];
  readonly #tenants = new Set<ServerResponse>();
  /** Where tenants, present and past, have their certificates. */
  readonly certDirs = new Set<string>();
  #otherProtocol = false;

  constructor(options: EtcdServerOptions) {
    this.#options = options;
    this.#servers = options.clientUrls.map(() => this.#server());
  }

  /** Resolves when it listens everywhere. */
  async listen(): Promise<void> {
    mkdirSync(this.#options.dataDir, { recursive: true, mode: 0o700 });
    await Promise.all(
      this.#servers.map(async (server, index) => {
        const { hostname, port } = this.#options.clientUrls[index] ?? {};
        // As Go, which prefers IPv4.
        const host = hostname === 'localhost' ? '127.0.0.1' : hostname?.replaceAll(/[[\]]/g, '');
        server.listen({ host, port: Number(port) });
        await once(server, 'listening');
      }),
    );
  }

  /** Lets nobody else in, and resolves when all servers of the store have ended. */
  async vacated(): Promise<void> {
    for (const server of this.#servers) server.close();
    await Promise.all([...this.#tenants].map((tenant) => once(tenant, 'close')));
  }

  #server(): Server {
    const server = createServer((request, response) => this.#answer(request, response));
    server.on('clientError', (_error, socket) => {
      // First, since a client that finds its connection closed may end us.
      if (!this.#otherProtocol) this.#options.onOtherProtocol();
      this.#otherProtocol = true;
      socket.destroy();
    });
    return server;
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://etcd');
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { allow: 'GET' }).end('Method Not Allowed\n');
      return;
    }
    if (pathname === placePath) {
      this.#letIn(searchParams.get(certDirParameter), response);
      return;
    }
    const page = Object.hasOwn(pages, pathname) ? pages[pathname] : undefined;
    if (page === undefined) response.writeHead(404).end('404 page not found\n');
    else response.writeHead(200, { 'content-type': page.type }).end(page.body);
  }

  #letIn(certDir: string | null, tenant: ServerResponse): void {
    if (certDir !== null) this.certDirs.add(certDir);
    this.#tenants.add(tenant);
    tenant.once('close', () => this.#tenants.delete(tenant));
    const { dataDir, syncs } = this.#options;
    tenant.writeHead(200, { 'content-type': 'application/json' });
    tenant.write(`${JSON.stringify({ dataDir, syncs } satisfies EtcdPlace)}\n`);
  }
}
