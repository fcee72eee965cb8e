import { identityHeaders } from '../../aggregation/identity-headers.ts';
import { type Peers, peerProxiedHeader } from '../../aggregation/peers/peers.ts';
import { msUntil } from '../../api/time/deadline.ts';
import type { PartContext } from '../../api/contracts/part.ts';
import { serviceUnavailable } from '../../api/errors/status-errors.ts';
import type { CallAddress } from '../../outgoing/call-address.ts';
import type { RequestContext } from '../request/request-context.ts';
import { passOn } from './pass-on.ts';

/** Passes a request on to another server of the store that serves the resource; undefined if there is none. */
export type ServePeer = (context: RequestContext) => Promise<void> | undefined;

const unknownAddress = 'Error getting ip and port info of the remote server while proxying';

export function peerRoutes(peers: Peers, metric: PartContext['metric']): ServePeer {
  const resourceLabels = ['group', 'version', 'resource'] as const;
  const rerouted = metric({
    name: 'apiserver_rerouted_request_total',
    help: '[ALPHA] Requests passed on to another server of the store, since this one does not serve the resource.',
    type: 'counter',
    labelNames: ['code', ...resourceLabels],
  });
  const errors = metric({
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

function passTo(
  context: RequestContext,
  { upstream }: Peers,
  address: CallAddress,
  answered: (code: number) => void,
): Promise<void> {
  const headers = new Map<string, readonly string[]>([
    ['audit-id', [context.auditId]],
    [peerProxiedHeader, ['true']],
    ...identityHeaders(context.user, { withUid: true }),
  ]);
  const timeoutMs = msUntil(context.deadlineMs);
  return passOn(
    context,
    { upstream, ...address, headers },
    {
      timeoutMs: Number.isFinite(timeoutMs) ? Math.max(0, timeoutMs) : undefined,
      isTimed: true,
      answered,
      failed: ({ isTimeout }) => {
        if (!isTimeout) answered(503);
      },
    },
  );
}
