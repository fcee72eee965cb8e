import { identityHeaders } from '../../aggregation/identity-headers.ts';
import { goPath, goQuery } from '../../api/go-request-url.ts';
import { timeout } from '../../api/status-errors.ts';
import { once } from '../../api/kept-by.ts';
import type { RemoteVersion } from '../../catalogue/remote-version.ts';
import type { CallAddress } from '../../outgoing/http-call.ts';
import { PlainFailure } from '../answers/plain-failure.ts';
import type { RequestContext } from '../request/request-context.ts';

export interface RemoteRoutesOptions {
  /** Sends the UID of users to other servers. */
  readonly tellsUid: boolean;
  /** Redirects are errors; otherwise clients get them. */
  readonly refusesRedirects: boolean;
}

/** Passes a request on to the server of its group version. */
export type ServeRemote = (context: RequestContext, remote: RemoteVersion) => Promise<void>;

/** Discovery should not wait for a server that does not respond. */
const discoveryTimeoutMs = 5_000;

export function remoteRoutes(options: RemoteRoutesOptions): ServeRemote {
  return async (context, remote) => {
    const address = await addressOf(remote);
    const limits = limitsOf(context);
    try {
      await pass(context, { remote, address, signal: limits.signal, ...options });
    } finally {
      clearTimeout(limits.timer);
    }
  };
}

async function addressOf({ isAvailable, server }: RemoteVersion): Promise<CallAddress> {
  if (!isAvailable) throw unavailable();
  try {
    return await server.address();
  } catch {
    // The condition of the APIService has the reason.
    throw unavailable();
  }
}

function unavailable(): PlainFailure {
  return new PlainFailure(503, 'service unavailable');
}

interface Limits {
  readonly signal: AbortSignal;
  readonly timer: NodeJS.Timeout | undefined;
}

/** How long all of the answer may take. */
function limitsOf(context: RequestContext): Limits {
  const stop = new AbortController();
  const wanted = isDiscovery(context) ? context.receivedMs + discoveryTimeoutMs : context.deadlineMs;
  const deadlineMs = Math.min(wanted, context.deadlineMs);
  if (deadlineMs === Number.POSITIVE_INFINITY) return { signal: stop.signal, timer: undefined };
  const timer = setTimeout(() => stop.abort(), Math.max(0, deadlineMs - context.clock.now()));
  return { signal: stop.signal, timer };
}

/** `/apis/GROUP/VERSION` */
function isDiscovery({ info, exchange }: RequestContext): boolean {
  return !info.isResourceRequest && exchange.path.split('/').filter((segment) => segment !== '').length === 3;
}

interface Passing extends RemoteRoutesOptions {
  readonly remote: RemoteVersion;
  readonly address: CallAddress;
  readonly signal: AbortSignal;
}

/** Imported by the first request that needs it. */
const proxy = once(async () => {
  const [{ proxyRequest }, { ProxyError }] = await Promise.all([
    import('../proxy/reverse-proxy.ts'),
    import('../proxy/proxy-target.ts'),
  ]);
  return { proxyRequest, ProxyError };
});

async function pass(context: RequestContext, passing: Passing): Promise<void> {
  const { exchange } = context;
  const { remote, address, signal, refusesRedirects } = passing;
  const { proxyRequest, ProxyError } = await proxy();
  const host = address.host.includes(':') ? `[${address.host}]:${address.port}` : `${address.host}:${address.port}`;
  try {
    await proxyRequest(
      exchange,
      {
        ...{
          upstream: remote.server.upstream,
          secure: true,
          ...address,
          path: goPath(exchange.path),
          query: goQuery(exchange.query),
        },
        ...{ hostHeader: host, headers: headersOf(context, passing), refusesRedirects },
        front: { scheme: 'https', host, prefix: '' },
        upgradeOnly: exchange.takeConnection !== undefined,
      },
      { commonHeaders: context.commonHeaders, onStatus: (status) => void (context.responseCode = status), signal },
    );
  } catch (error) {
    if (signal.aborted && !isDiscovery(context)) {
      throw timeout('request did not complete within the allotted timeout');
    }
    if (error instanceof ProxyError) throw new PlainFailure(503, error.message);
    throw error;
  }
}

function headersOf({ user, auditId }: RequestContext, { tellsUid }: Passing): ReadonlyMap<string, readonly string[]> {
  const headers = new Map<string, string[]>([['audit-id', [auditId]]]);
  for (const [name, value] of identityHeaders(user, { withUid: tellsUid })) {
    const values = headers.get(name);
    if (values === undefined) headers.set(name, [value]);
    else values.push(value);
  }
  return headers;
}
