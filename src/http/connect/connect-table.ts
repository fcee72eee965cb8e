import { methodNotAllowed, pathNotFound } from '../../api/errors/status-errors.ts';
import type { ConnectParts, ConnectRequest, ConnectRow } from './connect-handler.ts';

const allMethods: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']);
/** GET for browsers, which use it for WebSockets. */
const streamMethods: ReadonlySet<string> = new Set(['GET', 'POST']);

const proxy = { methods: allMethods, takesPath: true };
const stream = { methods: streamMethods, takesPath: false };

/** Subresources that connect the client with another server. */
export const connectTable: readonly ConnectRow[] = [
  { path: '/nodes/proxy', ...proxy, load: async () => (await import('./proxies.ts')).connectNode },
  { path: '/pods/attach', ...stream, load: async () => (await import('./pod-streams.ts')).attach },
  { path: '/pods/exec', ...stream, load: async () => (await import('./pod-streams.ts')).exec },
  { path: '/pods/portforward', ...stream, load: async () => (await import('./pod-streams.ts')).portForward },
  { path: '/pods/proxy', ...proxy, load: async () => (await import('./proxies.ts')).connectPod },
  { path: '/services/proxy', ...proxy, load: async () => (await import('./proxies.ts')).connectService },
];

export type ConnectHandler = (request: ConnectRequest) => Promise<void>;

/** Handlers by path. */
export function connectHandlers(
  table: readonly ConnectRow[],
  parts: ConnectParts,
): ReadonlyMap<string, ConnectHandler> {
  return new Map(table.map((row) => [row.path, handlerOf(row, parts)]));
}

function handlerOf(row: ConnectRow, parts: ConnectParts): ConnectHandler {
  return async (request) => {
    const { exchange, info } = request.context;
    if (!row.takesPath && info.rest.length > 0) throw pathNotFound();
    if (!row.methods.has(exchange.method)) throw methodNotAllowed();
    request.context.countedAs = request.scope;
    const [{ serveConnect }, connect] = await Promise.all([import('./serve-connect.ts'), row.load()]);
    await serveConnect(row, request, { connect, parts });
  };
}

/** The paths below that take requests for other protocols. */
export function connectsTo(path: string): boolean {
  return /^\/api\/v1\/(?:namespaces\/[^/]+\/)?(?:pods|services|nodes)\/[^/]+\/(?:proxy|exec|attach|portforward)(?:\/|$)/.test(
    path,
  );
}
