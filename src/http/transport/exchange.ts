import type { Readable } from 'node:stream';
import type { Credentials } from '../../api/contracts/authentication.ts';
import type { BegunRequest } from '../../api/contracts/request-passing.ts';
import type { BodyLimits } from './request-body.ts';
import type { UpgradeRequest } from './upgrade-request.ts';

/** Header values by lower-case name. */
export type HeaderMap = { readonly [name: string]: string | number | string[] };

/** One request and its response, independent of the HTTP version. Layers above use this rather than `node:http*`. */
export interface Exchange extends Credentials {
  readonly method: string;
  /** Path without the query, still percent-encoded; decoded per segment. */
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  readonly httpVersion: '1.1' | '2';
  readonly remoteAddress: string;
  readonly remotePort: number;
  /** The Host header or `:authority`. */
  readonly host: string;
  /** What another thread has begun; undefined: none has. */
  readonly begun?: BegunRequest | undefined;
  /** Names and values in the order received, without pseudo-headers. */
  readonly rawHeaders: readonly string[];
  /** Whether the lower-case name of some request header starts with `prefix`. */
  hasHeaderLike(prefix: string): boolean;
  /** Whether the request has a body, of any length. */
  readonly hasBody: boolean;
  /** The whole body; rejects with a StatusError beyond the limits. Verbs call `RequestContext.readBody`. */
  readBody(limits: BodyLimits): Promise<Buffer>;
  /**
   * The body as it arrives, to be passed on unread; undefined if the request has none. Call it instead of `readBody`.
   */
  takeBody(): Readable | undefined;
  /** Sends a complete response. */
  respond(status: number, headers: HeaderMap, body: Uint8Array | string): void;
  /** Starts a response of unknown length. `trailers` is called after its last chunk. */
  start(status: number, headers: HeaderMap, trailers?: () => HeaderMap): ResponseStream;
  /**
   * Present if the client asks for another protocol on this connection (RFC 9110 section 7.8), and the listener lets
   * it. Hands over the connection, on which nothing has been answered; the caller closes it.
   */
  takeConnection?(): UpgradeRequest;
  /**
   * Present if the client asks for a WebSocket; call it instead of `start`. Messages are text or binary.
   * Resolves to undefined if the handshake was refused, with the response sent. `status` is the one that the request is
   * counted with.
   */
  acceptWebSocket?(text: boolean, status?: number): Promise<ResponseStream | undefined>;
  /** True once the connection is no longer HTTP. */
  readonly isHijacked: boolean;
  /**
   * The status of the response, from when the server answers, even if the client has left by then; 0 before.
   * Connections that leave HTTP have 101, unless `acceptWebSocket` was given another one.
   */
  readonly status: number;
  /** Size of what has been sent of the response's body, after compression. */
  readonly sentBytes: number;
  /** Called once when the response head goes out; set by the pipeline for stages that listen. */
  onStart: (() => void) | undefined;
  /** True once the response head has gone out. */
  readonly started: boolean;
  /** True once the client is gone or the response is complete. */
  readonly closed: boolean;
  /** Closes the connection once the requests in flight have been answered; only HTTP/2 shares one among many. */
  endConnection?(): void;
  /** Called once when the exchange ends, whoever ends it. */
  onClose(listener: () => void): void;
  /** Ends the exchange without completing the response. */
  abort(): void;
  /**
   * Present if requests are counted that the server still works on; call it once that has ended, even if the exchange
   * has been closed long before.
   */
  release?(): void;
}

/** The size of a piece of a body. */
export function sizeOf(chunk: Uint8Array | string): number {
  return typeof chunk === 'string' ? Buffer.byteLength(chunk) : chunk.length;
}

/** A response in progress. */
export interface ResponseStream {
  /** Each chunk is a separate message. */
  readonly separate?: boolean;
  /** Queues a chunk; false if the client is slower than the writer: wait for `drained`. */
  write(chunk: Uint8Array | string): boolean;
  /**
   * Resolves when there is room again, or the exchange is closed; clients that read nothing for `stallMs` are cut off.
   */
  drained(stallMs?: number): Promise<void>;
  end(): void;
}
