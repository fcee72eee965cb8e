import { identityHeaders } from '../../aggregation/identity-headers.ts';
import { msUntil } from '../../api/deadline.ts';
import { goPath, goQuery } from '../../api/go-request-url.ts';
import { joinHostPort } from '../../api/host-port.ts';
import { LateRequestError } from '../../api/status-errors.ts';
import { currentSpan } from '../../api/span.ts';
import { keptBy, once } from '../../api/kept-by.ts';
import type { UserInfo } from '../../api/user.ts';
import type { RemoteVersion } from '../../catalogue/remote-version.ts';
import type { CallAddress } from '../../outgoing/call-address.ts';
import type { CertificateCounts } from '../../outgoing/certificate-counts.ts';
import { PlainFailure } from '../answers/plain-failure.ts';
import type { RequestContext } from '../request/request-context.ts';

export interface RemoteRoutesOptions {
  /** Sends the UID of users to other servers. */
  readonly tellsUid: boolean;
  /** Redirects are errors; otherwise clients get them. */
  readonly refusesRedirects: boolean;
  readonly certificates: CertificateCounts;
}

/** Passes a request on to the server of its group version. */
export type ServeRemote = (context: RequestContext, remote: RemoteVersion) => Promise<void>;

/** Discovery should not wait for a server that does not respond. */
const discoveryTimeoutMs = 5_000;

export function remoteRoutes(options: RemoteRoutesOptions): ServeRemote {
  const identityOf = keptBy((user: UserInfo) => identityHeaders(user, { withUid: options.tellsUid }));
  return async (context, remote) => {
    // The other server gives a watch seats of its own while it begins.
    if (context.info.verb === 'watch') context.seats?.end();
    const address = await addressOf(remote);
    const traced = Object.entries(currentSpan()?.headers ?? {}).map(([name, value]) => [name, [value]] as const);
    const identity = identityOf(context.user);
    const headers = new Map([['audit-id', [context.auditId] as readonly string[]], ...traced, ...identity]);
    await pass(context, { ...options, remote, address, headers });
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

/** How long all of the answer may take; undefined: any time. */
function timeoutOf(context: RequestContext): number | undefined {
  const wanted = isDiscovery(context) ? context.beganMs + discoveryTimeoutMs : context.deadlineMs;
  const deadlineMs = Math.min(wanted, context.deadlineMs);
  return deadlineMs === Number.POSITIVE_INFINITY ? undefined : Math.max(0, msUntil(deadlineMs));
}

/** `/apis/GROUP/VERSION` */
function isDiscovery({ info, exchange }: RequestContext): boolean {
  return !info.isResourceRequest && exchange.path.split('/').filter((segment) => segment !== '').length === 3;
}

interface Passing extends Pick<RemoteRoutesOptions, 'refusesRedirects' | 'certificates'> {
  readonly remote: RemoteVersion;
  readonly address: CallAddress;
  readonly headers: ReadonlyMap<string, readonly string[]>;
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
  const { remote, address, headers, refusesRedirects, certificates } = passing;
  const timeoutMs = timeoutOf(context);
  const { proxyRequest, ProxyError } = await proxy();
  const host = joinHostPort(address);
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
        ...{ hostHeader: host, headers, refusesRedirects },
        front: { scheme: 'https', host, prefix: '' },
        upgradeOnly: exchange.takeConnection !== undefined,
      },
      {
        commonHeaders: context.commonHeaders,
        onStatus: (status) => void (context.responseCode = status),
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
      },
    );
  } catch (error) {
    if (!(error instanceof ProxyError)) throw error;
    certificates.failed(error);
    if (error.isTimeout && !isDiscovery(context)) throw new LateRequestError();
    throw new PlainFailure(503, error.message);
  }
}
