import type { KubernetesObject } from '../../api/meta/object.ts';
import { badRequest, forbidden } from '../../api/errors/status-errors.ts';
import { StatusError } from '../../api/errors/status.ts';
import type { ProxyTarget } from '../proxy/proxy-target.ts';
import { proxyRequest } from '../proxy/reverse-proxy.ts';
import { attributesOf } from '../stages/authorize.ts';
import type { Connect, ConnectParts, ConnectRequest, StreamOptions } from './connect-handler.ts';
import { chosenContainer, type ConnectedPod } from './container.ts';
import { kubeletAddress } from './kubelet-address.ts';
import { liveObject } from './live-object.ts';

/** A stream that this server translates for kubelets that only speak SPDY. */
interface Translation {
  readonly gate: string;
  readonly wants: (protocol: string) => boolean;
}

const remoteCommand: Translation = {
  gate: 'TranslateStreamCloseWebsocketRequests',
  wants: (protocol) => protocol === 'v5.channel.k8s.io',
};
const tunnels: Translation = {
  gate: 'PortForwardWebsockets',
  wants: (protocol) => protocol.startsWith('SPDY/3.1+') && protocol.endsWith('.k8s.io'),
};

/** Runs a command in a container. */
export const exec: Connect = (request, options, parts) => connectContainer('exec', { request, options, parts });

/** Attaches to the process of a container. */
export const attach: Connect = (request, options, parts) => connectContainer('attach', { request, options, parts });

interface Connecting {
  readonly request: ConnectRequest;
  readonly options: KubernetesObject;
  readonly parts: ConnectParts;
}

async function connectContainer(path: 'exec' | 'attach', connecting: Connecting): Promise<void> {
  const { request, parts } = connecting;
  const { context } = request;
  const options = streamOptions(connecting.options);
  await requireCreate(request, parts);
  const pod = await streamedPod(request);
  const { namespace, name } = context.info;
  const container = chosenContainer(pod, name, options.container ?? '');
  const { target, speaksWebSocket } = await kubeletTarget(request, pod, parts, {
    path: `/${path}/${namespace}/${name}/${container}`,
    query: streamQuery(options),
  });
  if (translates(request, parts, { path, translation: remoteCommand, speaksWebSocket })) {
    const { translateStreams } = await import('./stream-translator.ts');
    return translateStreams(context, { target, options, metric: parts.metrics.translated });
  }
  await passOn(request, target);
}

/** Forwards ports of a pod. */
export const portForward: Connect = async (request, options, parts) => {
  const { context } = request;
  await requireCreate(request, parts);
  const pod = await streamedPod(request);
  const { namespace, name } = context.info;
  const { ports = [] } = streamOptions(options);
  const { target, speaksWebSocket } = await kubeletTarget(request, pod, parts, {
    path: `/portForward/${namespace}/${name}`,
    query: ports.length === 0 ? '' : new URLSearchParams({ port: ports.join(',') }).toString(),
  });
  if (translates(request, parts, { path: 'portforward', translation: tunnels, speaksWebSocket })) {
    const { tunnelStreams } = await import('./stream-tunnel.ts');
    return tunnelStreams(context, { target, metric: parts.metrics.tunneled });
  }
  await passOn(request, target);
};

function streamOptions(options: KubernetesObject): StreamOptions {
  // Decoded by the schemas of these kinds.
  return options as unknown as StreamOptions;
}

/**
 * A WebSocket is opened with GET, but its use is not a read (kubernetes/kubernetes#133515): permission to
 * create is required for any method.
 */
async function requireCreate({ context, authorizer }: ConnectRequest, { gates }: ConnectParts): Promise<void> {
  if (gates.get('AuthorizePodWebsocketUpgradeCreatePermission') !== true || context.info.verb === 'create') return;
  const { decision, reason, error } = await authorizer.authorize({ ...attributesOf(context), verb: 'create' });
  if (decision === 'allow') return;
  if (error !== undefined) throw new StatusError({ code: 500, reason: '', message: error });
  throw forbidden({ group: '', resource: 'pods' }, context.info.name, reason);
}

function streamedPod({ context }: ConnectRequest): Promise<ConnectedPod> {
  const { namespace, name } = context.info;
  return liveObject<ConnectedPod>(context, { plural: 'pods', namespace, name });
}

interface Kubelet {
  readonly target: ProxyTarget;
  /** Whether the kubelet translates WebSockets itself. */
  readonly speaksWebSocket: boolean;
}

async function kubeletTarget(
  { context }: ConnectRequest,
  { spec: { nodeName = '' } }: ConnectedPod,
  { connections, kubelets, gates, maxBytesPerSec }: ConnectParts,
  location: Pick<ProxyTarget, 'path' | 'query'>,
): Promise<Kubelet> {
  if (nodeName === '') throw badRequest(`pod ${context.info.name} does not have a host assigned`);
  const { host, port, features } = await kubeletAddress(context, nodeName, kubelets);
  const gate = 'ExtendWebSocketsToKubelet';
  return {
    target: {
      upstream: connections.kubelets,
      secure: true,
      host,
      port,
      ...location,
      upgradeOnly: true,
      maxBytesPerSec,
    },
    speaksWebSocket: gates.get(gate) === true && features.includes(gate),
  };
}

/** In the order that Go writes parameters in. */
function streamQuery({ command = [], ...options }: StreamOptions): string {
  const query = new URLSearchParams(command.map((part) => ['command', part]));
  const flags = { error: options.stderr, input: options.stdin, output: options.stdout, tty: options.tty };
  for (const [name, isSet] of Object.entries(flags)) if (isSet === true) query.append(name, '1');
  return query.toString();
}

interface Translating {
  readonly path: string;
  readonly translation: Translation;
  readonly speaksWebSocket: boolean;
}

/** Whether this server translates for the client instead of the kubelet. */
function translates(
  { context: { exchange } }: ConnectRequest,
  { gates, metrics }: ConnectParts,
  { path, translation, speaksWebSocket }: Translating,
): boolean {
  if (gates.get(translation.gate) !== true) return false;
  const type = speaksWebSocket ? 'proxied_to_kubelet' : 'translated_at_apiserver';
  metrics.streaming.add({ subresource: path, proxy_type: type });
  if (speaksWebSocket || exchange.acceptWebSocket === undefined) return false;
  const offered = (exchange.header('sec-websocket-protocol') ?? '').split(',');
  return offered.some((protocol) => translation.wants(protocol.trim()));
}

function passOn({ context }: ConnectRequest, target: ProxyTarget): Promise<void> {
  return proxyRequest(context.exchange, target, { commonHeaders: context.commonHeaders });
}
