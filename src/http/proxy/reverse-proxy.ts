import type { Readable } from 'node:stream';
import { joinHostPort } from '../../api/text/host-port.ts';
import { callWords } from '../../outgoing/call-words.ts';
import { OutgoingRequest } from '../../outgoing/outgoing-request.ts';
import type { UpstreamResponse, UpstreamCall } from '../../outgoing/upstream-request.ts';
import type { Exchange } from '../transport/exchange.ts';
import { responseHeaders, requestHeaders, trailersOf } from './passed-headers.ts';
import { callOf, ProxyError, type ProxyOptions, type ProxyTarget } from './proxy-target.ts';

/**
 * Forwards a request to another server and the response back, streaming both bodies at the pace of the slower side,
 * with trailers. If either side disconnects, so does the other. An upgrade request becomes a tunnel if the server
 * accepts it. Resolves when everything has ended.
 *
 * Throws a ProxyError, with nothing sent, if there is no response to forward; the caller writes its own.
 *
 * A caller has one `Upstream` per server and certificates, closed when either changes, and turns a ProxyError into
 * `new PlainFailure(503, error.message)`. The listener has to be told which paths take upgrades
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
  const { upstream } = target;
  const passed = new OutgoingRequest({ upstream, call: callFor(exchange, target, body), body });
  exchange.onClose(() => passed.leave('context canceled'));
  const { timeoutMs } = options;
  const timer = timeoutMs === undefined ? undefined : setTimeout(() => passed.leave(lateWords), timeoutMs);
  try {
    const response = await passed.response().catch((error: Error) => {
      const message = `error trying to reach service: ${callWords(error, target)}`;
      throw new ProxyError(503, message, { cause: error, isTimeout: passed.reason?.message === lateWords });
    });
    if (target.refusesRedirects === true && isRedirect(response)) {
      passed.leave();
      return refuseRedirect(exchange, options);
    }
    await passResponse(exchange, response, { target, options, passed });
  } finally {
    clearTimeout(timer);
  }
}

const lateWords = 'context deadline exceeded';

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

function callFor(exchange: Exchange, target: ProxyTarget, body: Readable | undefined): UpstreamCall {
  const isSized = exchange.header('content-length') !== undefined;
  return {
    ...callOf(target),
    method: exchange.method,
    authority: target.hostHeader ?? exchange.host,
    headers: requestHeaders(exchange, target, body !== undefined),
    body: body === undefined ? 'none' : isSized ? 'sized' : 'streamed',
  };
}

function isRedirect(response: UpstreamResponse): boolean {
  return response.status >= 300 && response.status <= 399 && (response.header('location') ?? '') !== '';
}

function refuseRedirect(exchange: Exchange, options: ProxyOptions): void {
  options.onStatus?.(502);
  const headers = { ...options.commonHeaders, 'content-type': 'text/plain; charset=utf-8' };
  exchange.respond(502, headers, 'the backend attempted to redirect this request, which is not permitted');
}

/** Relative links of a page are relative to a folder. */
function redirectToSlash(exchange: Exchange, options: ProxyOptions): void {
  const query = exchange.query === '' ? '' : `?${exchange.query}`;
  options.onStatus?.(301);
  exchange.respond(301, { ...options.commonHeaders, location: `${exchange.path}/${query}` }, '');
}

interface Passing {
  readonly target: ProxyTarget;
  readonly options: ProxyOptions;
  readonly passed: OutgoingRequest;
}

async function passResponse(exchange: Exchange, response: UpstreamResponse, passing: Passing): Promise<void> {
  const { target, options, passed } = passing;
  const { status } = response;
  const headers = responseHeaders(response.rawHeaders, target, options.commonHeaders);
  const page = target.front === undefined ? undefined : await linksFor(exchange, { response, headers, target });
  const lengthBytes = Number(headers['content-length'] ?? 0);
  options.onStatus?.(status);
  if (page === undefined && lengthBytes > 0 && lengthBytes <= maxWholeBytes && mayHaveBody(exchange, status)) {
    const whole = await wholeBody(response, lengthBytes);
    if (whole !== undefined) {
      passed.finish();
      return exchange.respond(status, headers, whole);
    }
  }
  const hasTrailers = headers['content-length'] === undefined;
  const stream = exchange.start(status, headers, hasTrailers ? () => trailersOf(response.rawTrailers()) : undefined);
  try {
    for await (const chunk of (page ?? response.body) as AsyncIterable<Buffer>) {
      if (exchange.closed) return;
      // At the client's pace: the buffer is bounded.
      if (!stream.write(chunk)) await stream.drained(Number.POSITIVE_INFINITY);
    }
    const failure = passed.reason ?? response.failure();
    if (failure !== undefined) throw failure;
  } catch {
    // The client sees that the answer is cut off.
    if (!exchange.closed) exchange.abort();
    return;
  }
  passed.finish();
  stream.end();
}

/** Other answers only tell the length that a body would have. */
function mayHaveBody({ method }: Exchange, status: number): boolean {
  return method !== 'HEAD' && status !== 304;
}

/** In one piece, a small body takes much less time than as a stream. */
const maxWholeBytes = 16 * 1024;
/** How long the beginning of an answer may be held back; as in the reference. */
const flushMs = 200;

/** A body of known length; undefined, and unread, if it does not arrive soon. */
async function wholeBody(response: UpstreamResponse, lengthBytes: number): Promise<Buffer | undefined> {
  const arrived = response.whole();
  if (arrived?.length === lengthBytes) return arrived;
  const { body } = response;
  if (body.readableLength < lengthBytes && !(await arrives(body, lengthBytes))) return undefined;
  // Without an encoding the chunks are buffers.
  return (body.read(lengthBytes) as Buffer | null) ?? undefined;
}

async function arrives(body: Readable, lengthBytes: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), flushMs);
  const readable = (): void => {
    if (body.readableLength >= lengthBytes) resolve(true);
  };
  const closed = (): void => resolve(false);
  body.on('readable', readable).once('close', closed);
  const arrived = await promise;
  clearTimeout(timer);
  body.off('readable', readable).off('close', closed);
  return arrived;
}

interface Page {
  readonly response: UpstreamResponse;
  readonly headers: { [name: string]: string | string[] };
  readonly target: ProxyTarget;
}

/** Rewrites `location` in the headers, or links in the body, to what the client can reach; returns a changed body. */
async function linksFor(
  exchange: Exchange,
  { response, headers, target }: Page,
): Promise<AsyncIterable<Buffer> | undefined> {
  const isPage = /^\s*text\/html\s*(?:;|$)/i.test(response.header('content-type') ?? '');
  const location = response.header('location');
  if (location === undefined && !isPage) return undefined;
  const { rewrittenLocation, rewrittenPage } = await import('./links.ts');
  const hosts = { own: joinHostPort(target), requested: target.hostHeader ?? exchange.host };
  if (location !== undefined) {
    headers['location'] = rewrittenLocation(location, target, hosts);
    return undefined;
  }
  const page = rewrittenPage(response, target, hosts);
  if (page === undefined) return undefined;
  delete headers['content-length'];
  return page;
}
