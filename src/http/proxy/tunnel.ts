import type { Duplex } from 'node:stream';
import { headerFields } from '../../api/text/header-list.ts';
import { callWords } from '../../outgoing/call-words.ts';
import type { Http1Response } from '../../outgoing/http1/response.ts';
import type { Http1Request } from '../../outgoing/http1/request.ts';
import type { UpstreamCall } from '../../outgoing/upstream-request.ts';
import type { Exchange } from '../transport/exchange.ts';
import { responseHeaders, requestHeaders } from './passed-headers.ts';
import { callOf, ProxyError, type ProxyOptions, type ProxyTarget } from './proxy-target.ts';

/** How long an error of the server may take to be passed on. */
const errorTimeoutMs = 10_000;
/** How long a client may take to read remaining data after the server has closed. */
const lingerMs = 60_000;

/** The server's answer to a request for another protocol. */
export type UpgradeResponse =
  | { readonly agreed: true; readonly response: Http1Response; readonly socket: Duplex; readonly head: Buffer }
  | { readonly agreed: false; readonly response: Http1Response };

/** Asks the server for the client's protocol and, if it agrees, passes bytes both ways until either side closes. */
export async function tunnel(exchange: Exchange, target: ProxyTarget, options: ProxyOptions): Promise<void> {
  if (exchange.header('transfer-encoding') !== undefined || Number(exchange.header('content-length') ?? 0) > 0) {
    throw new ProxyError(400, 'an upgrade request cannot have a body');
  }
  const call = { method: exchange.method, authority: target.hostHeader ?? exchange.host };
  const upgrade = await askFor(target, { ...call, headers: requestHeaders(exchange, target, false) }, exchange);
  if (!upgrade.agreed) return passRefusal(exchange, upgrade.response, options);
  options.onStatus?.(101);
  const client = exchange.takeConnection?.();
  if (client === undefined || exchange.closed) {
    upgrade.socket.destroy();
    return;
  }
  client.socket.write(headOf(upgrade.response));
  client.socket.write(upgrade.head);
  upgrade.socket.write(client.head);
  await splice(client.socket, upgrade.socket);
}

/** Resolves to the server's response. Throws a ProxyError if there is none. */
export async function askFor(
  target: ProxyTarget,
  call: Pick<UpstreamCall, 'method' | 'authority' | 'headers'>,
  exchange: Pick<Exchange, 'onClose'>,
): Promise<UpgradeResponse> {
  const { upstream, maxBytesPerSec = 0 } = target;
  const sent = await upstream.sendAlone({ ...callOf(target), ...call, body: 'none' }).catch((error: Error) => {
    throw new ProxyError(500, `error dialing backend: ${callWords(error, target)}`, { cause: error });
  });
  exchange.onClose(() => sent.leave());
  const response = await responseTo(sent, target);
  if (response.status !== 101) return { agreed: false, response };
  const { socket, head } = response.takeConnection();
  if (maxBytesPerSec <= 0) return { agreed: true, response, socket, head };
  const { PacedConnection } = await import('./paced-connection.ts');
  socket.unshift(head);
  return { agreed: true, response, socket: new PacedConnection(socket, maxBytesPerSec), head: Buffer.alloc(0) };
}

function responseTo(sent: Http1Request, target: ProxyTarget): Promise<Http1Response> {
  return sent.response.catch((error: Error) => {
    throw new ProxyError(500, goEnd(callWords(error, target)), { cause: error });
  });
}

/** Whether a kubelet has agreed to SPDY. */
export function agreesToSpdy(response: Pick<Http1Response, 'header'>): boolean {
  const has = (name: string, option: string): boolean => response.header(name)?.toLowerCase().includes(option) === true;
  return has('connection', 'upgrade') && has('upgrade', 'spdy/3.1');
}

/** Where an answer was expected. */
function goEnd(words: string): string {
  return words === 'EOF' ? 'unexpected EOF' : words;
}

/** The server's own head, byte for byte but for how its lines end. */
function headOf({ reason, rawHeaders }: Http1Response): Buffer {
  const lines = [`HTTP/1.1 101 ${reason}`];
  for (const [name, value] of headerFields(rawHeaders)) lines.push(`${name}: ${value}`);
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}

/** The last response on the client's connection. Throws a ProxyError if it is not a rejection. */
export async function passRefusal(
  exchange: Exchange,
  response: Http1Response,
  options: Pick<ProxyOptions, 'onStatus'>,
): Promise<void> {
  const { status, body } = response;
  if (status < 400) {
    body.destroy();
    throw new ProxyError(500, `invalid upgrade response: status code ${status}`);
  }
  options.onStatus?.(status);
  const timer = setTimeout(() => {
    body.destroy();
    exchange.abort();
  }, errorTimeoutMs);
  const stream = exchange.start(status, responseHeaders(response.rawHeaders, {}, {}));
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) if (!stream.write(chunk)) await stream.drained();
    stream.end();
  } catch {
    exchange.abort();
  } finally {
    clearTimeout(timer);
    body.destroy();
  }
}

/** Passes bytes both ways until either side closes, and then closes the other. */
export function splice(client: Duplex, server: Duplex): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let left = 2;
  const closed = (): void => {
    left -= 1;
    if (left === 0) resolve();
  };
  for (const [from, to] of [
    [client, server],
    [server, client],
  ] as const) {
    from.pipe(to);
    from.on('error', () => from.destroy());
    const end = (): void => {
      // Data read before the close is still sent.
      to.end(() => to.destroy());
      const timer = setTimeout(() => to.destroy(), lingerMs);
      to.once('close', () => clearTimeout(timer));
      closed();
    };
    if (from.closed) end();
    else from.once('close', end);
  }
  return promise;
}
