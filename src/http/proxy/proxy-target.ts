import type { Upstream } from '../../outgoing/upstream.ts';
import type { UpstreamCall } from '../../outgoing/upstream-request.ts';

/** Where a request is passed on to, and as what. */
export interface ProxyTarget {
  /** Connections with the TLS settings of the server. */
  readonly upstream: Upstream;
  readonly secure: boolean;
  /** Without brackets. */
  readonly host: string;
  readonly port: number;
  /** Percent-encoded; empty: GET and HEAD are redirected to the same path with a slash at its end. */
  readonly path: string;
  /** As in the request, without the question mark. */
  readonly query: string;
  /** The Host header; absent: the client's. */
  readonly hostHeader?: string;
  /** Replace all headers of the client with these names; undefined values only remove them. Lower-case names. */
  readonly headers?: ReadonlyMap<string, readonly string[]>;
  /** How clients address the server and its pages; absent: the response is not rewritten. */
  readonly front?: ProxyFront;
  /** Only requests for another protocol are passed on. */
  readonly upgradeOnly?: boolean;
  /** The rate limit of a connection that has left HTTP, in each direction; absent or 0: none. */
  readonly maxBytesPerSec?: number;
  /** A redirect of the server becomes a 502. */
  readonly refusesRedirects?: boolean;
}

/** A call without a body, but for its headers. */
export function callOf(target: ProxyTarget): Pick<UpstreamCall, 'secure' | 'host' | 'port' | 'target'> {
  const { secure, host, port } = target;
  return { secure, host, port, target: targetOf(target) };
}

/** Path and query as they are sent. */
function targetOf({ path, query }: Pick<ProxyTarget, 'path' | 'query'>): string {
  const sent = path === '' ? '/' : path;
  return query === '' ? sent : `${sent}?${query}`;
}

/** How clients see the server. Links in HTML, and `Location`, are written for them. */
export interface ProxyFront {
  /** Empty: not sent to the server. */
  readonly scheme: string;
  readonly host: string;
  /** What precedes the server's own paths, without a trailing slash: `/api/v1/nodes/a/proxy`. */
  readonly prefix: string;
}

export interface ProxyOptions {
  /** Headers of every answer of this server. */
  readonly commonHeaders: { readonly [name: string]: string };
  /** Called with the status of the answer before it is sent. */
  onStatus?(status: number): void;
  /**
   * How long the response may take, to its end; absent: any time. Then the server is disconnected, and a response in
   * progress is truncated. Upgraded connections continue.
   */
  readonly timeoutMs?: number;
}

/** The server did not answer, or not as it had to. Messages match the reference. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError';
  readonly code = 'PROXY';
  /** The time was over. */
  readonly isTimeout: boolean;
  /** 503, unless the reference takes it for a fault of its own (500) or of the client (400). */
  readonly status: 400 | 500 | 503;

  constructor(
    status: 400 | 500 | 503,
    message: string,
    { isTimeout = false, ...options }: ErrorOptions & { readonly isTimeout?: boolean } = {},
  ) {
    super(message, options);
    this.status = status;
    this.isTimeout = isTimeout;
  }
}
