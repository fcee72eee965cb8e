import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { callWords } from '../../outgoing/call-words.ts';
import type { Exchange } from '../transport/exchange.ts';
import { answerHeaders, requestHeaders, trailersOf } from './passed-headers.ts';
import { ProxyError, type ProxyOptions, type ProxyTarget, targetOf } from './proxy-target.ts';

/**
 * Forwards a request to another server and the response back, streaming both bodies at the pace of the slower side,
 * with trailers. If either side disconnects, so does the other. An upgrade request becomes a tunnel if the server
 * accepts it. Resolves when everything has ended.
 *
 * Throws a ProxyError, with nothing sent, if there is no response to forward; the caller writes its own.
 *
 * Usage for an APIService:
 *
 *     const upstream = new Upstream({ ca, cert: proxyCert, key: proxyKey, servername: 'NAME.NAMESPACE.svc' });
 *     await proxyRequest(exchange, {
 *       upstream, secure: true, ...await resolve(service), path: exchange.path, query: exchange.query,
 *       hostHeader: `${host}:${port}`,
 *       headers: new Map([['x-remote-user', [user.name]], ['x-remote-group', user.groups], ['audit-id', [auditId]]]),
 *       front: { scheme: 'https', host: `${host}:${port}`, prefix: '' },
 *       upgradeOnly: exchange.takeConnection !== undefined,
 *     }, { commonHeaders: context.commonHeaders, onStatus: (status) => (context.responseCode = status) });
 *
 * with one `Upstream` per service and certificates, closed when either changes; a ProxyError becomes
 * `throw new PlainFailure(503, error.message)`. The listener has to be told which paths take upgrades
 * (`ListenerOptions.takesUpgrades`).
 */
export async function proxyRequest(exchange: Exchange, target: ProxyTarget, options: ProxyOptions): Promise<void> {
  if (exchange.takeConnection !== undefined) {
    const { tunnel } = await import('./tunnel.ts');
    return tunnel(exchange, target, options);
  }
  if (target.upgradeOnly === true) throw new ProxyError(400, 'Upgrade request required');
  if (target.path === '' && (exchange.method === 'GET' || exchange.method === 'HEAD')) {
    return redirectToSlash(exchange, options);
  }
  const body = await sentBody(exchange);
  const { sent, answer } = await answerOf(exchange, target, { body, signal: options.signal });
  const leave = (): void => void answer.destroy(new Error('the response took too long'));
  options.signal?.addEventListener('abort', leave, { once: true });
  try {
    if (target.refusesRedirects === true && isRedirect(answer)) return refuseRedirect(exchange, options);
    await passAnswer(exchange, answer, { target, options });
  } finally {
    options.signal?.removeEventListener('abort', leave);
    sent.destroy();
  }
}

/** How long to wait until it is known whether there is a body. */
const bodyProbeMs = 200;
/** HTTP/2 clients may signal an empty body late; these methods mostly have a body. */
const bodiless: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'PROPFIND', 'SEARCH']);

/** The body of the request, as Go's client finds out whether there is one. */
async function sentBody(exchange: Exchange): Promise<Readable | undefined> {
  const body = exchange.takeBody();
  if (body === undefined || exchange.header('content-length') !== undefined || !bodiless.has(exchange.method)) {
    return body;
  }
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(true), bodyProbeMs);
  const readable = (): void => resolve(body.readableLength > 0);
  // A body that has already ended only reports its end.
  const ended = (): void => resolve(false);
  body.once('readable', readable).once('end', ended);
  const has = await promise;
  clearTimeout(timer);
  body.off('readable', readable).off('end', ended);
  if (has && !body.readableEnded) return body;
  body.resume();
  return undefined;
}

function isRedirect({ statusCode = 0, headers }: IncomingMessage): boolean {
  return statusCode >= 300 && statusCode <= 399 && (headers.location ?? '') !== '';
}

function refuseRedirect(exchange: Exchange, options: ProxyOptions): void {
  options.onStatus(502);
  const headers = { ...options.commonHeaders, 'content-type': 'text/plain; charset=utf-8' };
  exchange.respond(502, headers, 'the backend attempted to redirect this request, which is not permitted');
}

/** Relative links of a page are relative to a folder. */
function redirectToSlash(exchange: Exchange, options: ProxyOptions): void {
  const query = exchange.query === '' ? '' : `?${exchange.query}`;
  options.onStatus(301);
  exchange.respond(301, { ...options.commonHeaders, location: `${exchange.path}/${query}` }, '');
}

interface Sent {
  readonly sent: ClientRequest;
  readonly answer: IncomingMessage;
}

/** Sends the request, once more if a kept connection turns out to be closed. */
async function answerOf(exchange: Exchange, target: ProxyTarget, asked: Asked): Promise<Sent> {
  try {
    return await sendOnce(exchange, target, asked);
  } catch (error) {
    if (!(error instanceof StaleConnection)) throw error;
    return sendOnce(exchange, target, asked);
  }
}

interface Asked {
  readonly body: Readable | undefined;
  readonly signal: AbortSignal | undefined;
}

/** The server closed an idle connection when the request was sent over it. */
class StaleConnection extends Error {}

async function sendOnce(exchange: Exchange, target: ProxyTarget, { body, signal }: Asked): Promise<Sent> {
  const { upstream, secure, host, port } = target;
  const sent = await upstream.request({
    ...{ method: exchange.method, secure, host, port },
    target: targetOf(target),
    headers: requestHeaders(exchange, target, body !== undefined),
  });
  exchange.onClose(() => sent.destroy());
  const { promise, resolve, reject } = Promise.withResolvers<Sent>();
  const leave = (): void => void sent.destroy(new Error('context deadline exceeded'));
  signal?.addEventListener('abort', leave, { once: true });
  if (signal?.aborted === true) leave();
  sent.once('response', (answer) => {
    signal?.removeEventListener('abort', leave);
    resolve({ sent, answer });
  });
  // Stays, since a server may close after its answer and before the end of the request.
  sent.on('error', (error: Error & { readonly code?: string }) => {
    const isStale = sent.reusedSocket && error.code === 'ECONNRESET' && body === undefined;
    reject(isStale ? new StaleConnection() : unreachable(error, target));
  });
  if (body === undefined) sent.end();
  else passBody(body, sent);
  return promise;
}

function unreachable(error: Error, target: ProxyTarget): ProxyError {
  const message = `error trying to reach service: ${callWords(error, target)}`;
  return new ProxyError(503, message, { cause: error });
}

/** A client that breaks off breaks off the request. */
function passBody(body: Readable, sent: ClientRequest): void {
  body.on('data', (chunk: Buffer) => {
    if (sent.destroyed || sent.write(chunk)) return;
    body.pause();
    sent.once('drain', () => body.resume());
  });
  let trailers: NodeJS.Dict<string | string[]> | undefined;
  // Of HTTP/2; over HTTP/1.1 they are there when the body ends.
  body.once('trailers', (received: NodeJS.Dict<string | string[]>) => (trailers = received));
  body.once('end', () => {
    trailers ??= (body as Partial<IncomingMessage>).trailers;
    if (trailers !== undefined && sent.chunkedEncoding) sent.addTrailers({ ...trailers });
    sent.end();
  });
  body.once('close', () => {
    if (!body.readableEnded) sent.destroy();
  });
  // The rest is dropped, so that the client gets to read the answer.
  sent.once('close', () => body.resume());
}

interface Passing {
  readonly target: ProxyTarget;
  readonly options: ProxyOptions;
}

async function passAnswer(exchange: Exchange, answer: IncomingMessage, { target, options }: Passing): Promise<void> {
  const status = answer.statusCode ?? 502;
  const headers = answerHeaders(answer.rawHeaders, target, options.commonHeaders);
  const chunks = target.front === undefined ? answer : await linksFor(exchange, { answer, headers, target });
  options.onStatus(status);
  const hasTrailers = answer.headers['content-length'] === undefined;
  const stream = exchange.start(status, headers, hasTrailers ? () => trailersOf(answer.rawTrailers) : undefined);
  try {
    for await (const chunk of chunks as AsyncIterable<Buffer>) {
      if (exchange.closed) return;
      // At the client's pace: the buffer is bounded.
      if (!stream.write(chunk)) await stream.drained(Number.POSITIVE_INFINITY);
    }
  } catch {
    // The client sees that the answer is cut off.
    if (!exchange.closed) exchange.abort();
    return;
  }
  stream.end();
}

interface Page {
  readonly answer: IncomingMessage;
  readonly headers: { [name: string]: string | string[] };
  readonly target: ProxyTarget;
}

/** Rewrites `location` in the headers, or links in the body, to what the client can reach. */
async function linksFor(exchange: Exchange, { answer, headers, target }: Page): Promise<AsyncIterable<Buffer>> {
  const isPage = /^\s*text\/html\s*(?:;|$)/i.test(answer.headers['content-type'] ?? '');
  if (answer.headers.location === undefined && !isPage) return answer;
  const { rewrittenLocation, rewrittenPage } = await import('./links.ts');
  const hosts = { own: hostOf(target), asked: target.hostHeader ?? exchange.host };
  if (answer.headers.location !== undefined) {
    headers['location'] = rewrittenLocation(answer.headers.location, target, hosts);
    return answer;
  }
  const page = rewrittenPage(answer, target, hosts);
  if (page === undefined) return answer;
  delete headers['content-length'];
  return page;
}

/** As in URLs. */
function hostOf({ host, port }: ProxyTarget): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
