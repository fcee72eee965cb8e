import { identityHeaders } from '../../aggregation/identity-headers.ts';
import { type Peers, peerProxiedHeader } from '../../aggregation/peers/peers.ts';
import { msUntil } from '../../api/deadline.ts';
import { goPath, goQuery } from '../../api/go-request-url.ts';
import { joinHostPort } from '../../api/host-port.ts';
import type { PartContext } from '../../api/part.ts';
import { LateRequestError, serviceUnavailable } from '../../api/status-errors.ts';
import { PlainFailure } from '../answers/plain-failure.ts';
import type { RequestContext } from '../request/request-context.ts';

/** Passes a request on to another server of the store that serves the resource; undefined if there is none. */
export type ServePeer = (context: RequestContext) => Promise<void> | undefined;

const unknownAddress = 'Error getting ip and port info of the remote server while proxying';

export function peerRoutes(peers: Peers, measure: PartContext['measure']): ServePeer {
  const resourceLabels = ['group', 'version', 'resource'] as const;
  const rerouted = measure({
    name: 'apiserver_rerouted_request_total',
    help: '[ALPHA] Requests passed on to another server of the store, since this one does not serve the resource.',
    type: 'counter',
    labelNames: ['code', ...resourceLabels],
  });
  const errors = measure({
    name: 'apiserver_peer_proxy_errors_total',
    help: '[ALPHA] Failures to pass a request on to another server of the store, by type.',
    type: 'counter',
    labelNames: ['type', ...resourceLabels],
  });
  const pass = async (context: RequestContext, ids: readonly string[]): Promise<void> => {
    const { group, version, resource } = context.info;
    const labels = { group, version, resource };
    const address = await peers.address(ids);
    if (address === undefined) {
      errors.add({ type: 'endpoint_resolution', ...labels });
      throw serviceUnavailable(unknownAddress);
    }
    await passTo(context, peers, address, (code) => rerouted.add({ code: String(code), ...labels }));
  };
  return (context) => {
    if (context.exchange.header(peerProxiedHeader) === 'true') return undefined;
    const ids = peers.servingIds(context.info);
    return ids.length === 0 ? undefined : pass(context, ids);
  };
}

/** The proxy is imported by the first request that needs it. */
async function passTo(
  context: RequestContext,
  { upstream }: Peers,
  address: { readonly host: string; readonly port: number },
  answered: (code: number) => void,
): Promise<void> {
  const { exchange } = context;
  const [{ proxyRequest }, { ProxyError }] = await Promise.all([
    import('../proxy/reverse-proxy.ts'),
    import('../proxy/proxy-target.ts'),
  ]);
  const headers = new Map<string, readonly string[]>([
    ['audit-id', [context.auditId]],
    [peerProxiedHeader, ['true']],
    ...identityHeaders(context.user, { withUid: true }),
  ]);
  const path = { path: goPath(exchange.path), query: goQuery(exchange.query) };
  const onStatus = (status: number): void => {
    context.responseCode = status;
    answered(status);
  };
  const timeoutMs = msUntil(context.deadlineMs);
  try {
    await proxyRequest(
      exchange,
      { upstream, secure: true, ...address, ...path, hostHeader: joinHostPort(address), headers },
      { commonHeaders: context.commonHeaders, onStatus, ...(Number.isFinite(timeoutMs) ? { timeoutMs } : {}) },
    );
  } catch (error) {
    if (!(error instanceof ProxyError)) throw error;
    if (error.isTimeout) throw new LateRequestError();
    answered(503);
    throw new PlainFailure(503, error.message);
  }
}
