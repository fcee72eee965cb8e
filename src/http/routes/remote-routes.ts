import { identityHeaders } from '../../aggregation/identity-headers.ts';
import { msUntil } from '../../api/time/deadline.ts';
import { joinHostPort } from '../../api/text/host-port.ts';
import { currentSpan } from '../../api/contracts/span.ts';
import { keptBy } from '../../api/collections/kept-by.ts';
import type { UserInfo } from '../../api/contracts/user.ts';
import type { RemoteVersion } from '../../catalogue/remote-version.ts';
import type { CallAddress } from '../../outgoing/call-address.ts';
import type { CertificateCounts } from '../../outgoing/certificate-counts.ts';
import { PlainFailure } from '../responses/plain-failure.ts';
import type { RequestContext } from '../request/request-context.ts';
import { passOn } from './pass-on.ts';

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
    const { refusesRedirects, certificates } = options;
    const front = { scheme: 'https', host: joinHostPort(address), prefix: '' } as const;
    const upgradeOnly = context.exchange.takeConnection !== undefined;
    const { upstream } = remote.server;
    await passOn(
      context,
      { upstream, ...address, headers, refusesRedirects, front, upgradeOnly },
      {
        timeoutMs: timeoutOf(context),
        isTimed: !isDiscovery(context),
        failed: (error) => certificates.failed(error),
      },
    );
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
