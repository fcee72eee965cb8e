import { isIPv6 } from 'node:net';
import { goQuote } from './go-quote.ts';

/** The parts of a URL that validation reads, as Go's parser splits them. */
export interface GoUrl {
  readonly scheme: string;
  /** As written, `user:password`; undefined without `@`. */
  readonly user: string | undefined;
  readonly host: string;
  /** As written; for `mailto:x`, what follows the scheme. */
  readonly path: string;
  readonly hasAuthority: boolean;
  /** Without the `?`. */
  readonly query: string;
  /** There is a `?` with nothing after it. */
  readonly hasEmptyQuery: boolean;
  readonly fragment: string;
}

/** `parse "http://[::1": missing ']' in host` */
export class GoUrlError extends Error {
  readonly code = 'GO_URL';
  constructor(url: string, why: string) {
    super(`parse ${goQuote(url)}: ${why}`);
  }
}

/** A parse error in a part of a URL. */
class PartError extends Error {}

/** Parses a URL or a reference (RFC 3986). Throws GoUrlError. */
export function parseGoUrl(url: string): GoUrl {
  const hash = url.indexOf('#');
  const main = hash < 0 ? url : url.slice(0, hash);
  const parts = withUrl(main, () => parseMain(main, false));
  return { ...parts, fragment: hash < 0 ? '' : withUrl(url, () => unescape(url.slice(hash + 1))) };
}

/** Parses a request target: a URL or an absolute path, without fragment. Throws GoUrlError. */
export function parseGoRequestUrl(url: string): GoUrl {
  if (url === '') throw new GoUrlError(url, 'empty url');
  return { ...withUrl(url, () => parseMain(url, true)), fragment: '' };
}

function withUrl<T>(url: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw error instanceof PartError ? new GoUrlError(url, error.message) : error;
  }
}

function parseMain(url: string, isRequest: boolean): Omit<GoUrl, 'fragment'> {
  // oxlint-disable-next-line no-control-regex -- these are what is looked for
  if (/[\x00-\x1f\x7f]/.test(url)) throw new PartError('net/url: invalid control character in URL');
  if (url.startsWith(':')) throw new PartError('missing protocol scheme');
  const [prefix = '', scheme = ''] = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(url) ?? [];
  const mark = url.indexOf('?', prefix.length);
  const rest = url.slice(prefix.length, mark < 0 ? undefined : mark);
  const parts = {
    scheme: scheme.toLowerCase(),
    user: undefined,
    host: '',
    path: rest,
    hasAuthority: false,
    query: mark < 0 ? '' : url.slice(mark + 1),
    hasEmptyQuery: mark === url.length - 1,
  };
  // `mailto:x` has neither host nor path.
  if (!rest.startsWith('/') && scheme !== '') return parts;
  if (isRequest && url === '*') return parts;
  if (isRequest && !rest.startsWith('/')) throw new PartError('invalid URI for request');
  if (!rest.startsWith('/') && rest.split('/')[0]?.includes(':') === true) {
    throw new PartError('first path segment in URL cannot contain colon');
  }
  const hasAuthority = rest.startsWith('//') && (scheme !== '' || !(isRequest || rest.startsWith('///')));
  const slash = hasAuthority ? rest.indexOf('/', 2) : 0;
  const authority = hasAuthority ? splitAuthority(rest.slice(2, slash < 0 ? undefined : slash), parts.scheme) : {};
  const path = slash < 0 ? '' : rest.slice(slash);
  unescape(path);
  return { ...parts, ...authority, path, hasAuthority };
}

/** Throws for invalid escapes. */
function unescape(text: string): string {
  const bad = /%(?![0-9A-Fa-f]{2})/.exec(text);
  if (bad !== null) throw escapeError(text.slice(bad.index, bad.index + 3));
  return text.replace(/(?:%[0-9A-Fa-f]{2})+/g, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'));
}

function escapeError(escape: string): PartError {
  return new PartError(`invalid URL escape ${goQuote(escape)}`);
}

function splitAuthority(authority: string, scheme: string): Pick<GoUrl, 'user' | 'host'> {
  const at = authority.lastIndexOf('@');
  const host = checkedHost(authority.slice(at + 1), scheme);
  if (at < 0) return { user: undefined, host };
  const user = authority.slice(0, at);
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user)) throw new PartError('net/url: invalid userinfo');
  unescape(user);
  return { user, host };
}

/** A host with its port. Host names in http(s) URLs contain no colon, others may. */
function checkedHost(host: string, scheme: string): string {
  if (host.lastIndexOf('[') > 0) throw new PartError('invalid IP-literal');
  if (host.startsWith('[')) return checkedLiteral(host);
  const web = scheme === 'http' || scheme === 'https';
  const colon = web ? host.indexOf(':') : host.lastIndexOf(':');
  if (colon >= 0) checkPort(host.slice(colon));
  checkHostName(host);
  return host;
}

function checkedLiteral(host: string): string {
  const end = host.lastIndexOf(']');
  if (end < 0) throw new PartError("missing ']' in host");
  checkPort(host.slice(end + 1));
  const [address = '', ...zone] = host.slice(1, end).split('%25');
  checkHostName(address);
  if (/^[\d.]+$/.test(address)) throw new PartError('invalid IP-literal');
  if (!isIPv6(address)) {
    const written = [address, ...zone].join('%');
    throw new PartError(`invalid host: ParseAddr(${goQuote(written)}): unable to parse IP`);
  }
  return host;
}

function checkPort(port: string): void {
  if (!/^(:\d*)?$/.test(port)) throw new PartError(`invalid port ${goQuote(port)} after host`);
}

/** Host names may escape non-ASCII bytes only. */
function checkHostName(name: string): void {
  const bad = /%(?!25|[89A-Fa-f][0-9A-Fa-f]).{0,2}|[^A-Za-z0-9\-._~!$&'()*+,;=:[\]<>"%\u{80}-\u{10ffff}]/u.exec(name);
  if (bad === null) return;
  if (bad[0].startsWith('%')) throw escapeError(bad[0]);
  throw new PartError(`invalid character ${goQuote(bad[0])} in host name`);
}
