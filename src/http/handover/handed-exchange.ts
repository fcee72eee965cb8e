import type { Readable } from 'node:stream';
import type { PeerCertificates } from '../../api/contracts/authentication.ts';
import type { BegunRequest } from '../../api/contracts/request-passing.ts';
import { hasHeaderLike, headersLike } from '../../api/text/header-list.ts';
import { type Exchange, type HeaderMap, type ResponseStream, sizeOf } from '../transport/exchange.ts';
import { type BodyLimits, checkDeclared, readAll } from '../transport/request-body.ts';
import { stallMs as defaultStallMs } from '../transport/transport-limits.ts';
import { HandedBody } from './handed-body.ts';
import {
  type ExchangeHead,
  type FromServing,
  responseWindowBytes,
  type ToExchange,
  type Unnumbered,
} from './messages.ts';
import { portable } from './portable.ts';

type Post = (message: Unnumbered<FromServing>, transferred?: readonly ArrayBuffer[]) => void;

/** The client's connection to the other thread. */
export interface HandedConnection {
  readonly peer: PeerCertificates | undefined;
}

/** An exchange that another thread has accepted, for the pipeline of this one. */
export class HandedExchange implements Exchange, ResponseStream {
  readonly connection: HandedConnection;
  readonly isHijacked = false;
  status = 0;
  sentBytes = 0;
  onStart: (() => void) | undefined;
  readonly endConnection?: () => void;
  readonly release?: () => void;
  readonly #head: ExchangeHead;
  readonly #post: Post;
  readonly #closeListeners: (() => void)[] = [];
  #body: HandedBody | undefined;
  #trailers: (() => HeaderMap) | undefined;
  #started = false;
  #ended = false;
  #closed = false;
  /** Bytes of the response for which the other thread has not made room. */
  #underWay = 0;
  #drained: PromiseWithResolvers<void> | undefined;
  #stalled: NodeJS.Timeout | undefined;

  constructor(head: ExchangeHead, connection: HandedConnection, post: Post) {
    this.#head = head;
    this.connection = connection;
    this.#post = post;
    if (head.canEndConnection) this.endConnection = () => post({ type: 'endConnection' });
    if (head.isCounted) this.release = () => post({ type: 'release' });
  }

  get method(): string {
    return this.#head.method;
  }

  get path(): string {
    return this.#head.path;
  }

  get query(): string {
    return this.#head.query;
  }

  get httpVersion(): '1.1' | '2' {
    return this.#head.httpVersion;
  }

  get remoteAddress(): string {
    return this.#head.remoteAddress;
  }

  get remotePort(): number {
    return this.#head.remotePort;
  }

  get host(): string {
    return this.#head.host;
  }

  get begun(): BegunRequest | undefined {
    return this.#head.begun;
  }

  get rawHeaders(): readonly string[] {
    return this.#head.rawHeaders;
  }

  get webSocketToken(): string | undefined {
    return this.#head.webSocketToken;
  }

  get hasBody(): boolean {
    return this.#head.hasBody;
  }

  get started(): boolean {
    return this.#started;
  }

  get closed(): boolean {
    return this.#closed;
  }

  header(name: string): string | undefined {
    return this.#head.headers.get(name);
  }

  hasHeaderLike(prefix: string): boolean {
    return hasHeaderLike(this.#head.rawHeaders, prefix);
  }

  headersLike(prefix: string): readonly (readonly [name: string, value: string])[] {
    return headersLike(this.#head.rawHeaders, prefix);
  }

  peer(): PeerCertificates | undefined {
    return this.connection.peer;
  }

  async readBody(limits: BodyLimits): Promise<Buffer> {
    const declaredBytes = Number(this.header('content-length') ?? 0);
    checkDeclared(declaredBytes, limits);
    return this.hasBody ? readAll(this.#read(declaredBytes), limits) : Buffer.alloc(0);
  }

  takeBody(): Readable | undefined {
    return this.hasBody ? this.#read(0) : undefined;
  }

  respond(status: number, headers: HeaderMap, body: Uint8Array | string): void {
    this.status ||= status;
    if (this.#closed || this.#started) return;
    this.#started = true;
    this.onStart?.();
    this.sentBytes = sizeOf(body);
    const sent = portable(body);
    this.#post({ type: 'respond', status, headers, body: sent.bytes }, sent.transferred);
  }

  start(status: number, headers: HeaderMap, trailers?: () => HeaderMap): ResponseStream {
    this.status ||= status;
    this.#started = true;
    this.#trailers = trailers;
    if (!this.#closed) {
      this.onStart?.();
      this.#post({ type: 'start', status, headers, hasTrailers: trailers !== undefined });
    }
    return this;
  }

  write(chunk: Uint8Array | string): boolean {
    if (this.#closed || this.#ended) return true;
    const sizeBytes = sizeOf(chunk);
    this.sentBytes += sizeBytes;
    this.#underWay += sizeBytes;
    const sent = portable(chunk);
    this.#post({ type: 'write', chunk: sent.bytes }, sent.transferred);
    return this.#hasRoom;
  }

  drained(stallMs = defaultStallMs): Promise<void> {
    if (this.#closed || this.#hasRoom) return Promise.resolve();
    if (this.#drained === undefined) {
      this.#drained = Promise.withResolvers();
      if (Number.isFinite(stallMs)) this.#stalled = setTimeout(() => this.abort(), stallMs);
    }
    return this.#drained.promise;
  }

  end(): void {
    if (this.#closed || this.#ended) return;
    this.#ended = true;
    this.#post({ type: 'end', trailers: this.#trailers?.() });
  }

  onClose(listener: () => void): void {
    if (this.#closed) listener();
    else this.#closeListeners.push(listener);
  }

  /** The other thread tells when it is closed. */
  abort(): void {
    if (!this.#closed) this.#post({ type: 'abort' });
  }

  /** What the other thread tells of this exchange. */
  receive(message: ToExchange): void {
    if (message.type === 'body') this.#body?.receive(message.memory, message.sizeBytes);
    else if (message.type === 'bodyEnd') this.#body?.end();
    else if (message.type === 'bodyLost') this.#loseBody(message.message);
    else if (message.type === 'room') this.#makeRoom(message.sizeBytes);
    else this.close();
  }

  /** The client is gone, or has the whole response, or the other thread has ended. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#release();
    this.#body?.destroy();
    for (const listener of this.#closeListeners.splice(0)) listener();
  }

  get #hasRoom(): boolean {
    return this.#underWay < responseWindowBytes;
  }

  #read(expectedBytes: number): HandedBody {
    this.#body = new HandedBody((sizeBytes) => this.#post({ type: 'consumed', sizeBytes }));
    if (this.#closed) this.#body.destroy();
    else this.#post({ type: 'read', expectedBytes });
    return this.#body;
  }

  #loseBody(message: string | undefined): void {
    this.#body?.destroy(message === undefined ? undefined : new Error(message));
  }

  #makeRoom(sizeBytes: number): void {
    this.#underWay -= sizeBytes;
    if (this.#hasRoom) this.#release();
  }

  #release(): void {
    clearTimeout(this.#stalled);
    this.#drained?.resolve();
    this.#drained = undefined;
  }
}
