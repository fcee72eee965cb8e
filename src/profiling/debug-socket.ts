import { text } from 'node:stream/consumers';
import { rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type PageResponse, type PageRequest, profilePage } from './pages.ts';
import { profilesFolder } from './profiles-folder.ts';

/** A request at the socket. */
export interface SocketRequest extends PageRequest {
  readonly body: () => Promise<string>;
}

/** Serves the path, without asking who wants to know. Undefined: there is no such page. */
export type DebugPage = (request: SocketRequest) => Promise<PageResponse> | undefined;

/** The command line may contain what not everybody who takes profiles is to know, so only the socket tells it. */
export const commandLinePage: DebugPage = ({ path }) =>
  path === `${profilesFolder}cmdline` ? Promise.resolve(commandLine()) : undefined;

function commandLine(): PageResponse {
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' };
  return { status: 200, headers, body: [process.execPath, ...process.argv.slice(1)].join('\0') };
}

export const profilePages: DebugPage = (request) =>
  /^\/debug\/pprof(?:\/|$)/.test(request.path) ? profilePage(request) : undefined;

/** Serves pages at a Unix socket, to those whom the file system lets connect, until it is disposed of. */
export async function openSocket(path: string, pages: readonly DebugPage[]): Promise<AsyncDisposable> {
  // What a server that was killed has left.
  await rm(path, { force: true });
  const server = createServer((request, response) => {
    serve(request, response, pages).catch((error: unknown) =>
      response.destroy(error instanceof Error ? error : undefined),
    );
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(path, resolve);
  await promise;
  return {
    async [Symbol.asyncDispose]() {
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      server.closeAllConnections();
      await closed.promise;
    },
  };
}

async function serve(incoming: IncomingMessage, response: ServerResponse, pages: readonly DebugPage[]): Promise<void> {
  const { url = '/', method = 'GET' } = incoming;
  const [path = '/', query = ''] = url.split(/\?(.*)/s);
  const leaving = new AbortController();
  response.on('close', () => leaving.abort());
  const request = {
    method,
    path,
    query: new URLSearchParams(query),
    left: leaving.signal,
    body: () => text(incoming),
  };
  const [found = notFound] = pages.map((page) => page(request)).filter((each) => each !== undefined);
  const { status, headers, body } = await found;
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

const notFound: PageResponse = {
  status: 404,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
  body: '404 page not found\n',
};
