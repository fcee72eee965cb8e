import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { callWords } from '../../outgoing/call-words.ts';
import type { UpstreamCall } from '../../outgoing/upstream-request.ts';
import type { Exchange } from '../transport/exchange.ts';
import { answerHeaders, requestHeaders } from './passed-headers.ts';
import { callOf, ProxyError, type ProxyOptions, type ProxyTarget } from './proxy-target.ts';

/** How long an error of the server may take to be passed on. */
const errorTimeoutMs = 10_000;
/** How long a client may take to read remaining data after the server has closed. */
const lingerMs = 60_000;

/** The server's answer to a request for another protocol. */
export type UpgradeAnswer =
  | { readonly agreed: true; readonly answer: IncomingMessage; readonly socket: Duplex; readonly head: Buffer }
  | { readonly agreed: false; readonly answer: IncomingMessage };

/** Asks the server for the client's protocol and, if it agrees, passes bytes both ways until either side closes. */
export async function tunnel(exchange: Exchange, target: ProxyTarget, options: ProxyOptions): Promise<void> {
  if (exchange.header('transfer-encoding') !== undefined || Number(exchange.header('content-length') ?? 0) > 0) {
    throw new ProxyError(400, 'an upgrade request cannot have a body');
  }
  const call = { method: exchange.method, authority: target.hostHeader ?? exchange.host };
  const upgrade = await askFor(target, { ...call, headers: requestHeaders(exchange, target, false) }, exchange);
  if (!upgrade.agreed) return passRefusal(exchange, upgrade.answer, options);
  options.onStatus(101);
  const client = exchange.takeConnection?.();
  if (client === undefined || exchange.closed) {
    upgrade.socket.destroy();
    return;
  }
  client.socket.write(headOf(upgrade.answer));
  client.socket.write(upgrade.head);
  upgrade.socket.write(client.head);
  await splice(client.socket, upgrade.socket);
}

/** Resolves to the server's response. Throws a ProxyError if there is none. */
export async function askFor(
  target: ProxyTarget,
  call: Pick<UpstreamCall, 'method' | 'authority' | 'headers'>,
  exchange: Pick<Exchange, 'onClose'>,
): Promise<UpgradeAnswer> {
  const { upstream, secure } = target;
  const sent = await upstream.sendAlone({ ...callOf(target), ...call, body: 'none' });
  const { promise, resolve, reject } = Promise.withResolvers<UpgradeAnswer>();
  exchange.onClose(() => sent.destroy());
  sent.once('upgrade', (answer, socket, head) => {
    // Until there is a listener.
    socket.on('error', () => socket.destroy());
    resolve({ agreed: true, answer, socket, head });
  });
  sent.once('response', (answer) => resolve({ agreed: false, answer }));
  let isConnected = false;
  sent.once('socket', (socket) => socket.once(secure ? 'secureConnect' : 'connect', () => (isConnected = true)));
  sent.on('error', (error) => {
    const words = callWords(error, target);
    reject(new ProxyError(500, isConnected ? goEnd(words) : `error dialing backend: ${words}`, { cause: error }));
  });
  sent.end();
  return promise;
}

/** Where an answer was expected. */
function goEnd(words: string): string {
  return words === 'EOF' ? 'unexpected EOF' : words;
}

/** The server's own head, byte for byte but for how its lines end. */
function headOf({ statusMessage = '', rawHeaders }: IncomingMessage): Buffer {
  const lines = [`HTTP/1.1 101 ${statusMessage}`];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    lines.push(`${rawHeaders[index]}: ${rawHeaders[index + 1]}`);
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}

/** The last response on the client's connection. Throws a ProxyError if it is not a rejection. */
export async function passRefusal(
  exchange: Exchange,
  answer: IncomingMessage,
  options: Pick<ProxyOptions, 'onStatus'>,
): Promise<void> {
  const status = answer.statusCode ?? 0;
  if (status < 400) {
    answer.destroy();
    throw new ProxyError(500, `invalid upgrade response: status code ${status}`);
  }
  options.onStatus(status);
  const timer = setTimeout(() => {
    answer.destroy();
    exchange.abort();
  }, errorTimeoutMs);
  const stream = exchange.start(status, answerHeaders(answer.rawHeaders, {}, {}));
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) if (!stream.write(chunk)) await stream.drained();
    stream.end();
  } catch {
    exchange.abort();
  } finally {
    clearTimeout(timer);
    answer.destroy();
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
