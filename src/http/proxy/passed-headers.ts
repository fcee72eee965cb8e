import { posix } from 'node:path';
import { headerFields, headerValues } from '../../api/text/header-list.ts';
import type { Exchange, HeaderMap } from '../transport/exchange.ts';
import type { ProxyTarget } from './proxy-target.ts';

/** Hop-by-hop headers (RFC 9110 section 7.6.1), and those that are conventionally treated as such. */
const hopByHop: ReadonlySet<string> = new Set([
  'connection',
  'proxy-connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Meant for this server: the proxy names the user, if at all. `Expect` has been answered. */
const ownPrefixes = ['x-remote-user', 'x-remote-group', 'x-remote-uid', 'x-remote-extra-', 'impersonate-'];
const ownNames: ReadonlySet<string> = new Set(['authorization', 'host', 'expect', 'http2-settings']);

/** Not for browsers that talk to the API server. */
const corsHeaders: ReadonlySet<string> = new Set([
  'access-control-allow-credentials',
  'access-control-allow-headers',
  'access-control-allow-methods',
  'access-control-allow-origin',
]);

const bearerProtocol = 'base64url.bearer.authorization.k8s.io.';

/** Names and values of the headers that a server is sent, without `Host`. */
export function requestHeaders(exchange: Exchange, target: ProxyTarget, hasBody: boolean): string[] {
  const isUpgrade = exchange.takeConnection !== undefined;
  const named = namedIn(exchange.header('connection'));
  const isDropped = (lower: string): boolean =>
    !isUpgrade && (hopByHop.has(lower) || named.includes(lower)) && !(lower === 'trailer' && hasBody);
  const headers: string[] = [];
  const cookies: string[] = [];
  let forwardedFor = exchange.remoteAddress;
  for (const [name, value] of headerFields(exchange.rawHeaders)) {
    const lower = name.toLowerCase();
    if (isOwn(lower) || isDropped(lower) || target.headers?.has(lower) === true) continue;
    if (lower === 'x-forwarded-for') forwardedFor = `${value}, ${forwardedFor}`;
    else if (lower === 'cookie') cookies.push(value);
    else if (lower === 'sec-websocket-protocol') headers.push(...withoutToken(name, value));
    else if (!isFront(lower, target, isUpgrade)) headers.push(name, value);
  }
  // Over HTTP/2 several Cookie headers mean one (RFC 9113 section 8.2.3).
  if (cookies.length > 0) headers.push('Cookie', cookies.join('; '));
  headers.push('X-Forwarded-For', forwardedFor);
  if (!isUpgrade) headers.push(...frontHeaders(target));
  for (const [name, values] of target.headers ?? []) for (const value of values) headers.push(name, value);
  if (!isUpgrade && exchange.header('te')?.includes('trailers') === true) headers.push('Te', 'trailers');
  if (!hasBody && takesBody.has(exchange.method) && exchange.header('content-length') === undefined) {
    headers.push('Content-Length', '0');
  }
  return headers;
}

/** Methods that mostly have a body, so that none has to be announced. */
const takesBody: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

function isOwn(lower: string): boolean {
  if (!lower.startsWith('x-remote-') && !lower.startsWith('impersonate-')) return ownNames.has(lower);
  return ownPrefixes.some((prefix) => lower.startsWith(prefix));
}

/** Replaced by `frontHeaders`. */
function isFront(lower: string, { front }: ProxyTarget, isUpgrade: boolean): boolean {
  if (front === undefined || isUpgrade) return false;
  if (lower === 'x-forwarded-uri') return true;
  return (lower === 'x-forwarded-host' && front.host !== '') || (lower === 'x-forwarded-proto' && front.scheme !== '');
}

function frontHeaders({ front, path }: ProxyTarget): string[] {
  if (front === undefined) return [];
  const headers = ['X-Forwarded-Uri', posix.join(front.prefix, path === '' ? '/' : path)];
  if (front.host !== '') headers.push('X-Forwarded-Host', front.host);
  if (front.scheme !== '') headers.push('X-Forwarded-Proto', front.scheme);
  return headers;
}

/** The token of a WebSocket client is for this server. */
function withoutToken(name: string, value: string): string[] {
  const kept = value.split(',').filter((protocol) => !protocol.trim().startsWith(bearerProtocol));
  return kept.length === 0 ? [] : [name, kept.join(',').trim()];
}

/** The headers of an answer, after those of every answer of this server, which it may add to. */
export function responseHeaders(
  rawHeaders: readonly string[],
  { front }: Pick<ProxyTarget, 'front'>,
  common: { readonly [name: string]: string },
): { [name: string]: string | string[] } {
  const headers: { [name: string]: string | string[] } = { ...common };
  const named = namedIn(headerValues(rawHeaders, 'connection').join(','));
  for (const [name, value] of headerFields(rawHeaders)) {
    const lower = name.toLowerCase();
    // Announced trailers follow.
    if (lower !== 'trailer' && (hopByHop.has(lower) || named.includes(lower))) continue;
    if (front !== undefined && corsHeaders.has(lower)) continue;
    const earlier = headers[lower];
    headers[lower] = earlier === undefined ? value : [...[earlier].flat(), value];
  }
  return headers;
}

/** Trailers of an answer as headers. */
export function trailersOf(rawTrailers: readonly string[]): HeaderMap {
  return responseHeaders(rawTrailers, {}, {});
}

const noNames: readonly string[] = [];

function namedIn(connection: string | undefined): readonly string[] {
  return connection === undefined || connection === ''
    ? noNames
    : connection.split(',').map((name) => name.trim().toLowerCase());
}
