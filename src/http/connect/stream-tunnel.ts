import type { Metric } from '../../api/metrics/metric.ts';
import { PlainFailure } from '../responses/plain-failure.ts';
import { drained } from '../../outgoing/drained.ts';
import { requestHeaders } from '../proxy/passed-headers.ts';
import type { ProxyTarget } from '../proxy/proxy-target.ts';
import { agreesToSpdy, askFor, passRefusal, type UpgradeResponse } from '../proxy/tunnel.ts';
import type { RequestContext } from '../request/request-context.ts';
import { acceptMessages } from './accept-messages.ts';
import { MessageChannel } from './message-channel.ts';

/** What precedes the protocol of the stream in that of the WebSocket. */
const prefix = 'SPDY/3.1+';
const replaced: ReadonlySet<string> = new Set([
  'upgrade',
  'sec-websocket-protocol',
  'sec-websocket-key',
  'sec-websocket-version',
  'x-stream-protocol-version',
]);

/**
 * Carries the bytes of a SPDY connection with a kubelet in the messages of a WebSocket, as clients do to whom a proxy
 * on the way lets WebSockets through but not SPDY.
 */
export async function tunnelStreams(
  context: RequestContext,
  { target, metric }: { readonly target: ProxyTarget; readonly metric: Metric },
): Promise<void> {
  const { exchange } = context;
  const offered = (exchange.header('sec-websocket-protocol') ?? '').split(',').map((protocol) => protocol.trim());
  const protocols = offered.filter((each) => each.startsWith(prefix) && each.endsWith('.k8s.io'));
  const given = new Map([...replaced].map((name) => [name, [] as string[]]));
  given.set('upgrade', ['SPDY/3.1']);
  given.set(
    'x-stream-protocol-version',
    protocols.map((protocol) => protocol.slice(prefix.length)),
  );
  const headers = requestHeaders(exchange, { ...target, headers: given }, false);
  const authority = target.hostHeader ?? exchange.host;
  const upgrade = await askFor(target, { method: 'POST', authority, headers }, exchange);
  const onStatus = (status: number): void => metric.add({ code: String(status) });
  if (!upgrade.agreed) return passRefusal(exchange, upgrade.response, { onStatus });
  const protocol = chosenProtocol(upgrade);
  if (protocol === undefined) {
    upgrade.socket.destroy();
    metric.add({ code: '500' });
    throw new PlainFailure(500, 'unable to upgrade: missing upgrade headers in response');
  }
  const webSocket = await acceptMessages(exchange, protocol === '' ? undefined : `${prefix}${protocol}`);
  metric.add({ code: webSocket === undefined ? '500' : '101' });
  const { socket, head } = upgrade;
  if (webSocket === undefined) {
    socket.destroy();
    return;
  }
  const channel = new MessageChannel(webSocket, (message) => {
    if (socket.destroyed || socket.write(message)) return undefined;
    return drained(socket);
  });
  const pass = (chunk: Buffer): void => {
    if (!channel.send(chunk, () => socket.resume())) socket.pause();
  };
  if (head.length > 0) pass(head);
  socket.on('data', pass).resume();
  socket.once('close', () => channel.close());
  await channel.closed();
  socket.destroy();
}

/** Undefined if the kubelet has agreed to something else; empty if it names none. */
function chosenProtocol({ response }: UpgradeResponse): string | undefined {
  return agreesToSpdy(response) ? (response.header('x-stream-protocol-version')?.trim() ?? '') : undefined;
}
