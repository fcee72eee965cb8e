import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { PeerCertificates } from '../../api/contracts/authentication.ts';
import { hasHeaderLike, headersLike } from '../../api/text/header-list.ts';
import { type Exchange, type HeaderMap, type ResponseStream, sizeOf } from './exchange.ts';
import { hasBody, originForm, splitTarget } from './http1-framing.ts';
import { peerOf } from './peer-certificates.ts';
import { type BodyLimits, checkDeclared, dropRest, readAll } from './request-body.ts';
import { stallMs as defaultStallMs } from './transport-limits.ts';
import type { UpgradeRequest } from './upgrade-request.ts';

/** An exchange over HTTP/1.1. */
export class Http1Exchange implements Exchange, ResponseStream {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly httpVersion = '1.1';
  status = 0;
  sentBytes = 0;
  onStart: (() => void) | undefined;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;

  #awaitsContinue: boolean;
  #trailers: (() => HeaderMap) | undefined;

  /** With `awaitsContinue` the client sends the body only after `100 Continue`. */
  constructor(request: IncomingMessage, response: ServerResponse, awaitsContinue = false) {
    this.#request = request;
    this.#response = response;
    this.#awaitsContinue = awaitsContinue;
    this.method = request.method ?? 'GET';
    ({ path: this.path, query: this.query } = splitTarget(originForm(request.url ?? '/')));
  }

  get remotePort(): number {
    return this.#request.socket.remotePort ?? 0;
  }

  get remoteAddress(): string {
    return this.#request.socket.remoteAddress ?? '';
  }

  get host(): string {
    return this.#request.headers.host ?? '';
  }

  get rawHeaders(): readonly string[] {
    return this.#request.rawHeaders;
  }

  get hasBody(): boolean {
    return hasBody(this.#request);
  }

  get connection(): object {
    return this.#request.socket;
  }

  get started(): boolean {
    return this.#response.headersSent;
  }

  get closed(): boolean {
    return this.#response.closed || this.#response.destroyed;
  }

  header(name: string): string | undefined {
    const value = this.#request.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  hasHeaderLike(prefix: string): boolean {
    return hasHeaderLike(this.#request.rawHeaders, prefix);
  }

  headersLike(prefix: string): readonly (readonly [name: string, value: string])[] {
    return headersLike(this.#request.rawHeaders, prefix);
  }

  peer(): PeerCertificates | undefined {
    // The listener is a secure server, so the socket is a TLS socket.
    return peerOf(this.#request.socket as TLSSocket);
  }

  get webSocketToken(): string | undefined {
    return undefined;
  }

  get isHijacked(): boolean {
    return false;
  }

  async readBody(limits: BodyLimits): Promise<Buffer> {
    checkDeclared(Number(this.#request.headers['content-length'] ?? 0), limits);
    this.#continue();
    return readAll(this.#request, limits);
  }

  takeBody(): Readable | undefined {
    if (!this.hasBody) return undefined;
    this.#continue();
    return this.#request;
  }

  /** Asks for the body, once. */
  #continue(): void {
    if (this.#awaitsContinue) this.#response.writeContinue();
    this.#awaitsContinue = false;
  }

  respond(status: number, headers: HeaderMap, body: Uint8Array | string): void {
    this.status ||= status;
    if (this.closed || this.started) return;
    this.onStart?.();
    this.sentBytes = sizeOf(body);
    this.#response.writeHead(status, { ...headers, 'content-length': this.sentBytes });
    this.#response.end(body);
    this.#stopReading();
  }

  start(status: number, headers: HeaderMap, trailers?: () => HeaderMap): ResponseStream {
    this.status ||= status;
    this.#trailers = trailers;
    if (!this.closed) {
      this.onStart?.();
      this.#response.writeHead(status, { ...headers });
      this.#response.flushHeaders();
    }
    return this;
  }

  write(chunk: Uint8Array | string): boolean {
    if (this.closed || this.#response.writableEnded) return true;
    this.sentBytes += sizeOf(chunk);
    return this.#response.write(chunk);
  }

  drained(stallMs = defaultStallMs): Promise<void> {
    if (this.closed || !this.#response.writableNeedDrain) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = Number.isFinite(stallMs) ? setTimeout(() => this.abort(), stallMs) : undefined;
    const settle = (): void => {
      clearTimeout(timer);
      this.#response.off('drain', settle);
      this.#response.off('close', settle);
      resolve();
    };
    this.#response.on('drain', settle);
    this.#response.on('close', settle);
    return promise;
  }

  end(): void {
    if (this.closed) return;
    const trailers = this.#trailers?.();
    // Only chunked responses have room for them.
    if (trailers !== undefined && this.#response.chunkedEncoding) this.#response.addTrailers({ ...trailers });
    this.#response.end();
    this.#stopReading();
  }

  onClose(listener: () => void): void {
    if (this.closed) listener();
    else this.#response.once('close', listener);
  }

  /** Nobody reads what is left of the body, while the client may not read the response before it has sent all. */
  #stopReading(): void {
    if (!this.#request.complete && this.hasBody) dropRest(this.#request, () => this.abort());
    else if (!this.#request.readableEnded) this.#request.resume();
  }

  /** Present for requests that ask for a WebSocket. */
  acceptWebSocket?(text: boolean, status?: number): Promise<ResponseStream | undefined>;

  /** Present for requests that ask for any other protocol. */
  takeConnection?(): UpgradeRequest;

  abort(): void {
    this.#request.socket.destroy();
  }
}
