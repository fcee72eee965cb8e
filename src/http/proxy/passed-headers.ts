import { posix } from 'node:path';
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

/** Names and values of the headers that a server is sent, with framing for a body of unknown length. */
export function requestHeaders(exchange: Exchange, target: ProxyTarget, hasBody: boolean): string[] {
  const isUpgrade = exchange.takeConnection !== undefined;
  const dropped = isUpgrade ? new Set<string>() : new Set([...hopByHop, ...namedIn(exchange.header('connection'))]);
  const headers = ['Host', target.hostHeader ?? exchange.host];
  const cookies: string[] = [];
  let forwardedFor = exchange.remoteAddress;
  for (const { name, lower, value } of pairs(exchange.rawHeaders)) {
    if (
      isOwn(lower) ||
      (dropped.has(lower) && !(lower === 'trailer' && hasBody)) ||
      target.headers?.has(lower) === true
    )
      continue;
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
  if (exchange.header('te')?.includes('trailers') === true && !isUpgrade) headers.push('Te', 'trailers');
  return [...headers, ...framingOf(exchange, hasBody)];
}

function isOwn(lower: string): boolean {
  return ownNames.has(lower) || ownPrefixes.some((prefix) => lower.startsWith(prefix));
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

/** HTTP/2 clients need not send the length of a body. */
function framingOf(exchange: Exchange, hasBody: boolean): string[] {
  if (exchange.header('content-length') !== undefined) return [];
  if (hasBody) return ['Transfer-Encoding', 'chunked'];
  return exchange.method === 'POST' || exchange.method === 'PUT' || exchange.method === 'PATCH'
    ? ['Content-Length', '0']
    : [];
}

/** The token of a WebSocket client is for this server. */
function withoutToken(name: string, value: string): string[] {
  const kept = value.split(',').filter((protocol) => !protocol.trim().startsWith(bearerProtocol));
  return kept.length === 0 ? [] : [name, kept.join(',').trim()];
}

/** The headers of an answer, after those of every answer of this server, which it may add to. */
export function answerHeaders(
  rawHeaders: readonly string[],
  { front }: Pick<ProxyTarget, 'front'>,
  common: { readonly [name: string]: string },
): { [name: string]: string | string[] } {
  const headers: { [name: string]: string | string[] } = { ...common };
  const named = pairs(rawHeaders).flatMap(({ lower, value }) => (lower === 'connection' ? namedIn(value) : []));
  for (const { lower, value } of pairs(rawHeaders)) {
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
  return answerHeaders(rawTrailers, {}, {});
}

function namedIn(connection: string | undefined): string[] {
  return connection === undefined ? [] : connection.split(',').map((name) => name.trim().toLowerCase());
}

interface HeaderPair {
  readonly name: string;
  readonly lower: string;
  readonly value: string;
}

function pairs(rawHeaders: readonly string[]): HeaderPair[] {
  const found: HeaderPair[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    found.push({ name, lower: name.toLowerCase(), value: rawHeaders[index + 1] ?? '' });
  }
  return found;
}
