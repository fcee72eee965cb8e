import type {
  Http2Session,
  Http2Stream,
  IncomingHttpHeaders,
  OutgoingHttpHeaders,
  ServerHttp2Stream,
} from 'node:http2';
import { constants } from 'node:http2';
import type { Readable } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { PeerCertificates } from '../../api/contracts/authentication.ts';
import { paceFrames } from '../../api/scheduling/paced-frames.ts';
import { hasHeaderLike, headersLike, http2Headers } from '../../api/text/header-list.ts';
import { type Exchange, type HeaderMap, type ResponseStream, sizeOf } from './exchange.ts';
import type { Http2Connection } from './http2-connection.ts';
import { peerOf } from './peer-certificates.ts';
import { type BodyLimits, checkDeclared, dropRest, readAll } from './request-body.ts';
import { stallMs as defaultStallMs } from './transport-limits.ts';
import { splitTarget } from './http1-framing.ts';

const largeResponseBytes = 64 * 1024;

export interface RequestHead {
  readonly headers: IncomingHttpHeaders;
  /** Names and values in the order received. */
  readonly rawHeaders: readonly string[];
}

/** An exchange over HTTP/2, on node's stream API. */
export class Http2Exchange implements Exchange, ResponseStream {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly httpVersion = '2';
  status = 0;
  sentBytes = 0;
  onStart: (() => void) | undefined;
  readonly webSocketToken = undefined;
  readonly isHijacked = false;
  readonly connection: Http2Connection;
  readonly #stream: ServerHttp2Stream;
  readonly #headers: IncomingHttpHeaders;
  readonly #allHeaders: readonly string[];
  #started = false;
  #hasContinued = false;
  #stalled: NodeJS.Timeout | undefined;
  #drained: { promise: Promise<void>; resolve: () => void } | undefined;

  constructor(connection: Http2Connection, stream: ServerHttp2Stream, { headers, rawHeaders }: RequestHead) {
    if (!stream.endAfterHeaders) paceFrames(stream);
    this.connection = connection;
    this.#stream = stream;
    this.#allHeaders = rawHeaders;
    this.#headers = headers;
    this.method = String(headers[':method'] ?? 'GET');
    ({ path: this.path, query: this.query } = splitTarget(String(headers[':path'] ?? '/')));
  }

  get remotePort(): number {
    return this.#stream.session?.socket.remotePort ?? 0;
  }

  get remoteAddress(): string {
    return this.#stream.session?.socket.remoteAddress ?? '';
  }

  get host(): string {
    return String(this.#headers[':authority'] ?? this.#headers.host ?? '');
  }

  get rawHeaders(): readonly string[] {
    // Pseudo-headers come first (RFC 9113 section 8.3).
    const pseudo = this.#allHeaders.findIndex((text, index) => index % 2 === 0 && !text.startsWith(':'));
    return pseudo === -1 ? [] : this.#allHeaders.slice(pseudo);
  }

  get hasBody(): boolean {
    return !this.#stream.endAfterHeaders;
  }

  get started(): boolean {
    return this.#started;
  }

  get closed(): boolean {
    return this.#stream.closed || this.#stream.destroyed;
  }

  endConnection(): void {
    this.#stream.session?.close();
  }

  header(name: string): string | undefined {
    const value = this.#headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  hasHeaderLike(prefix: string): boolean {
    return hasHeaderLike(this.#allHeaders, prefix);
  }

  headersLike(prefix: string): readonly (readonly [name: string, value: string])[] {
    return headersLike(this.#allHeaders, prefix);
  }

  peer(): PeerCertificates | undefined {
    // The session of a secure server runs on a TLS socket; its proxy type does not say so.
    return peerOf(this.#stream.session?.socket as TLSSocket | undefined);
  }

  readBody(limits: BodyLimits): Promise<Buffer> {
    checkDeclared(Number(this.#headers['content-length'] ?? 0), limits);
    if (!this.hasBody) return Promise.resolve(Buffer.alloc(0));
    this.#continue();
    return readAll(this.#stream, limits);
  }

  takeBody(): Readable | undefined {
    if (!this.hasBody) return undefined;
    this.#continue();
    return this.#stream;
  }

  respond(status: number, headers: HeaderMap, body: Uint8Array | string): void {
    this.status ||= status;
    if (this.closed || this.#started) return;
    this.#started = true;
    this.onStart?.();
    this.sentBytes = sizeOf(body);
    const bodyless = this.method === 'HEAD' || body.length === 0;
    this.#stream.respond(responseHeaders(status, headers), { endStream: bodyless });
    if (!bodyless) this.#stream.end(body);
    if (body.length > largeResponseBytes) this.#cutOffUnread();
    this.#stopReading();
  }

  start(status: number, headers: HeaderMap, trailers?: () => HeaderMap): ResponseStream {
    this.status ||= status;
    this.#started = true;
    if (!this.closed) {
      this.onStart?.();
      this.#stream.respond(responseHeaders(status, headers), { waitForTrailers: trailers !== undefined });
      if (trailers !== undefined) this.#stream.on('wantTrailers', () => this.#stream.sendTrailers(trailers()));
      this.#stream.on('drain', () => this.#release());
      this.#stream.on('close', () => this.#release());
      holdSession(this.#stream);
    }
    return this;
  }

  write(chunk: Uint8Array | string): boolean {
    if (this.closed || this.#stream.writableEnded) return true;
    this.sentBytes += sizeOf(chunk);
    return this.#stream.write(chunk);
  }

  drained(stallMs = defaultStallMs): Promise<void> {
    if (this.closed || !this.#stream.writableNeedDrain) return Promise.resolve();
    if (this.#drained === undefined) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#drained = { promise, resolve };
      if (Number.isFinite(stallMs)) this.#stalled = setTimeout(() => this.abort(), stallMs);
    }
    return this.#drained.promise;
  }

  end(): void {
    if (this.closed) return;
    this.#stream.end();
    this.#stopReading();
  }

  onClose(listener: () => void): void {
    if (this.closed) listener();
    else this.#stream.once('close', listener);
  }

  abort(): void {
    // Closing it would end the response first, which then looks complete.
    if (!this.closed) this.#stream.destroy(new Error('the response is cut off'));
  }

  release(): void {
    this.connection.finish();
  }

  /** Asks for the body, once. */
  #continue(): void {
    if (this.#hasContinued || this.#headers.expect !== '100-continue') return;
    this.#hasContinued = true;
    this.#stream.additionalHeaders({ ':status': 100 });
  }

  #release(): void {
    clearTimeout(this.#stalled);
    this.#drained?.resolve();
    this.#drained = undefined;
  }

  /**
   * Data that the client does not read is buffered, but not forever. Small responses need no timer: the number of
   * streams is limited.
   */
  #cutOffUnread(): void {
    const timer = setTimeout(() => this.abort(), defaultStallMs);
    this.#stream.once('close', () => clearTimeout(timer));
  }

  /** An unread body must not hold the stream open. Without a body node ends the stream itself, more cheaply. */
  #stopReading(): void {
    if (!this.hasBody || this.#stream.readableEnded) return;
    dropRest(this.#stream, () => this.#stream.close(constants.NGHTTP2_NO_ERROR));
  }
}

const responsesInProgress = new WeakMap<Http2Session, number>();

/**
 * Keeps a connection from counting as idle while a streaming response is in progress: a quiet watch sends nothing for a
 * long time.
 */
function holdSession(stream: Http2Stream): void {
  const { session } = stream;
  if (session === undefined) return;
  responsesInProgress.set(session, (responsesInProgress.get(session) ?? 0) + 1);
  stream.once('close', () => responsesInProgress.set(session, (responsesInProgress.get(session) ?? 1) - 1));
}

/** Whether a streaming response keeps a connection open. */
export function isHeld(session: Http2Session): boolean {
  return (responsesInProgress.get(session) ?? 0) > 0;
}

function responseHeaders(status: number, headers: HeaderMap): OutgoingHttpHeaders | readonly string[] {
  const list = [':status', String(status)];
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (typeof value === 'string') list.push(name, value);
    else if (Array.isArray(value)) for (const each of value) list.push(name, each);
    else if (value !== undefined) list.push(name, String(value));
  }
  return http2Headers(list);
}
