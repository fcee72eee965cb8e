import { randomInt } from 'node:crypto';
import { goQuote } from '../../api/go/go-quote.ts';
import { badRequest, serviceUnavailable } from '../../api/errors/status-errors.ts';
import { isReason } from '../../api/errors/status.ts';
import type { CallAddress } from '../../outgoing/call-address.ts';
import type { RequestContext } from '../request/request-context.ts';
import type { ConnectedPod } from './container.ts';
import { liveObject, liveObjects } from './live-object.ts';

interface ServicePorts {
  readonly spec: {
    readonly ports?: readonly { readonly name?: string; readonly port: number }[];
    readonly ipFamilies?: readonly string[];
  };
}

interface Endpoint {
  readonly addresses: readonly string[];
  readonly conditions?: { readonly ready?: boolean };
  readonly targetRef?: { readonly namespace?: string; readonly name?: string };
}

interface EndpointSlice {
  readonly addressType: string;
  readonly ports?: readonly { readonly name?: string; readonly port?: number }[];
  readonly endpoints?: readonly Endpoint[];
}

const serviceLabel = 'kubernetes.io/service-name';

/** The address of a ready pod behind a service, at random. `port`: a name or a number; empty: that without a name. */
export async function serviceEndpoint(context: RequestContext, name: string, port: string): Promise<CallAddress> {
  const { namespace } = context.info;
  const portName = /^[-+]?\d+$/.test(port) ? await nameOfPort(context, name, Number(port)) : port;
  if (namespace === '') throw badRequest('missing required namespace');
  const slices = await liveObjects<EndpointSlice>(
    context,
    { group: 'discovery.k8s.io', plural: 'endpointslices', namespace },
    ({ metadata }) => metadata.labels?.[serviceLabel] === name,
  );
  for (const { ports = [], endpoints = [] } of inRandomOrder(slices)) {
    const found = ports.find((each) => (each.name ?? '') === portName && each.port !== undefined);
    if (found?.port === undefined) continue;
    for (const endpoint of rotated(endpoints)) {
      const [address] = endpoint.addresses;
      if (address === undefined || endpoint.conditions?.ready === false) continue;
      // oxlint-disable-next-line no-await-in-loop -- the first that is valid ends it
      if (await isOfPod(context, endpoint)) return { host: address, port: found.port };
    }
  }
  throw serviceUnavailable(`no endpoints available for service ${goQuote(name)}`);
}

async function nameOfPort(context: RequestContext, name: string, port: number): Promise<string> {
  const { namespace } = context.info;
  const { spec } = await liveObject<ServicePorts>(context, { plural: 'services', namespace, name });
  const found = spec.ports?.find((each) => each.port === port);
  if (found !== undefined) return found.name ?? '';
  throw serviceUnavailable(`no service port ${port} found for service ${goQuote(name)}`);
}

/** Authors of endpoints could make the server call any address: only those of pods count. */
async function isOfPod(context: RequestContext, { targetRef, addresses }: Endpoint): Promise<boolean> {
  const { namespace } = context.info;
  if (targetRef?.name === undefined || targetRef.namespace !== namespace) return false;
  try {
    const pod = { plural: 'pods', namespace, name: targetRef.name };
    const { status } = await liveObject<ConnectedPod>(context, pod);
    return status?.podIPs?.some(({ ip }) => ip === addresses[0]) === true;
  } catch (error) {
    if (isReason(error, 'NotFound')) return false;
    throw error;
  }
}

/** IPv4 first, which is the first family of the cluster. */
function inRandomOrder<T extends Pick<EndpointSlice, 'addressType'>>(slices: readonly T[]): T[] {
  const drawn = slices.map((slice) => ({ slice, rank: Math.random() + (slice.addressType === 'IPv4' ? 0 : 1) }));
  return drawn.toSorted((a, b) => a.rank - b.rank).map(({ slice }) => slice);
}

function rotated<T>(items: readonly T[]): T[] {
  const start = items.length === 0 ? 0 : randomInt(items.length);
  return [...items.slice(start), ...items.slice(0, start)];
}
