import { lookup } from 'node:dns/promises';
import { goQuote } from '../../api/go/go-quote.ts';
import { badRequest, serviceUnavailable } from '../../api/errors/status-errors.ts';
import { AddressError, isGlobalUnicast, parseAddress } from '../../cel/libraries/address.ts';
import type { CallAddress } from '../../outgoing/call-address.ts';
import type { Upstream } from '../../outgoing/upstream.ts';
import { proxyRequest } from '../proxy/reverse-proxy.ts';
import type { RequestContext } from '../request/request-context.ts';
import type { Connect, ConnectRequest } from './connect-handler.ts';
import { cleanPath, escapedPath } from './connect-options.ts';
import type { ConnectedPod } from './container.ts';
import { serviceEndpoint } from './service-endpoint.ts';
import { kubeletAddress } from './kubelet-address.ts';
import { liveObject } from './live-object.ts';

/** `name`, `name:port` or `scheme:name:port`. */
interface ProxyId {
  readonly secure: boolean;
  readonly name: string;
  readonly port: string;
}

/** Passes a request on to a pod, by its address. */
export const connectPod: Connect = async (request, options, { connections, maxBytesPerSec }) => {
  const { secure, name, port } = idOf(request, 'pod');
  const { namespace } = request.context.info;
  const { spec, status } = await liveObject<ConnectedPod>(request.context, { plural: 'pods', namespace, name });
  const address = status?.podIPs?.[0]?.ip ?? '';
  if (!isReachable(address)) throw badRequest('address not allowed');
  const declared = spec.containers?.find(({ ports = [] }) => ports.length > 0)?.ports?.[0]?.containerPort;
  const given = port === '' ? declared : portNumber(port);
  await passOn(request, options['path'], {
    upstream: connections.others,
    secure,
    host: address,
    port: given,
    maxBytesPerSec,
  });
};

/** Passes a request on to one of the pods behind a service. */
export const connectService: Connect = async (request, options, { connections, maxBytesPerSec }) => {
  const { secure, name, port } = idOf(request, 'service');
  const address = await serviceEndpoint(request.context, name, port);
  await passOn(request, options['path'], { upstream: connections.others, secure, ...address, maxBytesPerSec });
};

/** Passes a request on to a kubelet, or to another port of its node. */
export const connectNode: Connect = async (request, options, { connections, kubelets, maxBytesPerSec }) => {
  const { secure, name, port } = idOf(request, 'node');
  const { host, port: kubeletPort } = await kubeletAddress(request.context, name, kubelets);
  await refuseUnreachable(host);
  const isKubelet = port === '' || port === String(kubeletPort);
  const target = isKubelet
    ? { upstream: connections.kubelets, secure: true, host, port: kubeletPort }
    : { upstream: connections.others, secure, host, port: portNumber(port) };
  await passOn(request, options['path'], { ...target, maxBytesPerSec });
};

function idOf({ context }: ConnectRequest, what: string): ProxyId {
  const id = context.info.name;
  const parts = id.split(':');
  const [scheme = '', name = '', port = ''] = parts.length === 3 ? parts : ['', ...parts];
  if (parts.length > 3 || name === '' || !['', 'http', 'https'].includes(scheme)) {
    throw badRequest(`invalid ${what} request ${goQuote(id)}`);
  }
  return { secure: scheme === 'https', name, port };
}

function portNumber(port: string): number {
  if (/^\d{1,5}$/.test(port) && Number(port) <= 65_535) return Number(port);
  const why = /^\d+$/.test(port) ? `address ${port}: invalid port` : `lookup tcp/${port}: unknown port`;
  throw serviceUnavailable(`error trying to reach service: dial tcp: ${why}`);
}

/** Neither loopback, link-local, multicast nor unspecified. */
export function isReachable(address: string): boolean {
  try {
    return isGlobalUnicast(parseAddress(address));
  } catch (error) {
    if (error instanceof AddressError) return false;
    throw error;
  }
}

/** Names may be those of addresses that pods must not be reached by. */
async function refuseUnreachable(host: string): Promise<void> {
  const found = await lookup(host, { all: true }).catch(() => undefined);
  if (found === undefined) throw badRequest(`lookup ${host}: no such host`);
  if (found.length === 0) throw badRequest('no addresses for hostname');
  if (!found.every(({ address }) => isReachable(address))) throw badRequest('address not allowed');
}

interface Destination extends Omit<CallAddress, 'port'> {
  readonly upstream: Upstream;
  readonly secure: boolean;
  /** Undefined: that of the scheme. */
  readonly port: number | undefined;
  readonly maxBytesPerSec: number;
}

async function passOn({ context }: ConnectRequest, path: unknown, to: Destination): Promise<void> {
  const wanted = cleanPath(typeof path === 'string' ? path : '');
  const { exchange } = context;
  await proxyRequest(
    exchange,
    {
      ...to,
      port: to.port ?? (to.secure ? 443 : 80),
      path: escapedPath(wanted),
      query: exchange.query,
      front: { scheme: '', host: '', prefix: prefixOf(context, wanted) },
    },
    { commonHeaders: context.commonHeaders },
  );
}

/** What precedes the path of the other server. */
function prefixOf({ exchange }: RequestContext, path: string): string {
  const decoded = decodeURIComponent(exchange.path);
  return decoded.endsWith(path) ? decoded.slice(0, decoded.length - path.length) : decoded;
}
