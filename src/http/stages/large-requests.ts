import { holdsLarger, storedBytes } from '../../registry/stored/stored-size.ts';
import { largeBytes, type Lanes, PassOn } from '../request/lanes.ts';
import type { RequestContext, Stage } from '../request/request-context.ts';

export interface LargeRequestsOptions {
  readonly lanes: Lanes;
  /** Subresources that connect with other servers, `GROUP/PLURAL/SUBRESOURCE`: what they get is not read here. */
  readonly connects: ReadonlySet<string>;
}

/** Has large requests served by a lane. It comes before all stages that count: the lane's pipeline has them, too. */
export function largeRequestsStage({ lanes, connects }: LargeRequestsOptions): Stage {
  return {
    name: 'large-requests',
    run: (context) => (isLarge(context, connects) ? passOn(lanes) : undefined),
  };
}

async function passOn(lanes: Lanes): Promise<void> {
  const lane = await lanes.free();
  if (lane !== undefined) throw new PassOn(lane);
}

function isLarge(context: RequestContext, connects: ReadonlySet<string>): boolean {
  const { exchange, info, kinds } = context;
  if (!info.isResourceRequest) return false;
  // If the length is not told, it turns out when the body is read.
  const hasLargeBody = exchange.hasBody && Number(exchange.header('content-length') ?? 0) > largeBytes;
  if (!hasLargeBody && !dependsOnStored(context)) return false;
  const scope = kinds.scopeOf(info.group, info.version, info.resource);
  if (scope === undefined || connects.has(`${info.group}/${info.resource}/${info.subresource}`)) return false;
  if (hasLargeBody) return true;
  if (scope.store === undefined) return false;
  if (info.name === '') return holdsLarger(scope.store, info.namespace, largeBytes);
  return (storedBytes(scope.store, info.namespace, info.name) ?? 0) > largeBytes;
}

/** What is read as it is stored is sent without being looked at. Watches stay with their connection. */
function dependsOnStored({ exchange, info }: RequestContext): boolean {
  if (info.verb === 'watch' || (info.verb === 'create' && info.name === '')) return false;
  const { method } = exchange;
  if (method !== 'GET' && method !== 'HEAD') return true;
  const accept = exchange.header('accept');
  return accept !== undefined && accept !== 'application/json' && accept !== '*/*';
}
