import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import { constants } from 'node:http2';
import type { Readable } from 'node:stream';
import type { PeerCertificate, TLSSocket } from 'node:tls';
import { badRequest, requestEntityTooLarge } from '../api/status-errors.ts';
import { type Exchange, type HeaderMap, type ResponseStream, someName } from './exchange.ts';
import { holdSession } from './held-sessions.ts';

/** An exchange on HTTP/2, on node's stream API. */
export class Http2Exchange implements Exchange, ResponseStream {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly httpVersion = '2';
  readonly #stream: ServerHttp2Stream;
  readonly #headers: IncomingHttpHeaders;
  #started = false;
  #drained: { promise: Promise<void>; resolve: () => void } | undefined;

  constructor(stream: ServerHttp2Stream, headers: IncomingHttpHeaders) {
    this.#stream = stream;
    this.#headers = headers;
    this.method = String(headers[':method'] ?? 'GET');
    const target = String(headers[':path'] ?? '/');
    const question = target.indexOf('?');
    this.path = question === -1 ? target : target.slice(0, question);
    this.query = question === -1 ? '' : target.slice(question + 1);
  }

  get remoteAddress(): string {
    return this.#stream.session?.socket.remoteAddress ?? '';
  }

  get connection(): object {
    return this.#stream.session ?? this.#stream;
  }

  get started(): boolean {
    return this.#started;
  }

  get closed(): boolean {
    return this.#stream.closed || this.#stream.destroyed;
  }

  header(name: string): string | undefined {
    const value = this.#headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  hasHeaderLike(prefix: string): boolean {
    return someName(this.#headers, prefix);
  }

  clientCertificate(): PeerCertificate | undefined {
    // The session of a secure server runs on a TLS socket; its proxy type does not say so.
    const socket = this.#stream.session?.socket as TLSSocket | undefined;
    return verifiedCertificate(socket);
  }

  readBody(limitBytes: number): Promise<Buffer> {
    return readAll(this.#stream, Number(this.#headers['content-length'] ?? 0), limitBytes);
  }

  respond(status: number, headers: HeaderMap, body: Uint8Array | string): void {
    if (this.closed || this.#started) return;
    this.#started = true;
    const bodyless = this.method === 'HEAD' || body.length === 0;
    this.#stream.respond({ ':status': status, ...headers }, { endStream: bodyless });
    if (!bodyless) this.#stream.end(body);
    this.#stopReading();
  }

  start(status: number, headers: HeaderMap): ResponseStream {
    this.#started = true;
    if (!this.closed) {
      this.#stream.respond({ ':status': status, ...headers });
      this.#stream.on('drain', () => this.#release());
      this.#stream.on('close', () => this.#release());
      holdSession(this.#stream);
    }
    return this;
  }

  write(chunk: Uint8Array | string): boolean {
    return this.closed || this.#stream.writableEnded ? true : this.#stream.write(chunk);
  }

  drained(): Promise<void> {
    if (this.closed || !this.#stream.writableNeedDrain) return Promise.resolve();
    if (this.#drained === undefined) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#drained = { promise, resolve };
    }
    return this.#drained.promise;
  }

  end(): void {
    if (!this.closed) this.#stream.end();
  }

  onClose(listener: () => void): void {
    if (this.closed) listener();
    else this.#stream.once('close', listener);
  }

  abort(): void {
    if (!this.closed) this.#stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  }

  #release(): void {
    this.#drained?.resolve();
    this.#drained = undefined;
  }

  /** A body that nobody reads must not hold the stream open. Where there is none, node ends the stream itself, and cheaper. */
  #stopReading(): void {
    if (!this.#stream.endAfterHeaders && !this.#stream.readableEnded) this.#stream.resume();
  }
}

/** The peer's certificate when the handshake verified it against the client CA. */
export function verifiedCertificate(socket: TLSSocket | undefined): PeerCertificate | undefined {
  if (socket === undefined || !socket.authorized) return undefined;
  const certificate = socket.getPeerCertificate();
  return certificate?.subject === undefined ? undefined : certificate;
}

/** Collects a request body of at most `limitBytes`. */
export function readAll(stream: Readable, declaredBytes: number, limitBytes: number): Promise<Buffer> {
  if (declaredBytes > limitBytes) return Promise.reject(tooLarge(limitBytes));
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  const onData = (chunk: Buffer): void => {
    sizeBytes += chunk.length;
    if (sizeBytes <= limitBytes) {
      chunks.push(chunk);
      return;
    }
    // What still comes is read and dropped, so that the answer can be sent.
    stream.off('data', onData);
    stream.resume();
    reject(tooLarge(limitBytes));
  };
  stream.on('data', onData);
  stream.once('end', () => {
    const [only] = chunks;
    resolve(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, sizeBytes));
  });
  stream.once('error', reject);
  stream.once('close', () => {
    if (!stream.readableEnded) reject(badRequest('the request was cut off before the end of its body'));
  });
  return promise;
}

function tooLarge(limitBytes: number): Error {
  return requestEntityTooLarge(`limit is ${limitBytes}`);
}
