import { hasHeaderLike, headersLike } from '../../../api/text/header-list.ts';
import type { BodyLimits } from '../../transport/request-body.ts';
import { checkDeclared } from '../../transport/request-body.ts';
import type { Exchange, HeaderMap, ResponseStream } from '../../transport/exchange.ts';

/** A request without a connection. */
export interface MemoryRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** By lower-case name. */
  readonly headers?: { readonly [name: string]: string };
  /** Strings are sent as they are, objects as JSON. */
  readonly body?: string | Uint8Array | object;
}

/** The response, which may not have ended. */
export interface MemoryResponse {
  readonly status: number;
  readonly headers: HeaderMap;
  /** What has been sent of the body. */
  readonly text: string;
  /** The body, as JSON. */
  json(): unknown;
  readonly closed: boolean;
  /** The client leaves. */
  leave(): void;
}

/** A request and its response in memory. */
export class MemoryExchange implements Exchange, ResponseStream, MemoryResponse {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly httpVersion = '2';
  readonly remoteAddress = '127.0.0.1';
  readonly remotePort = 1;
  readonly host = 'memory';
  readonly connection = {};
  readonly rawHeaders: readonly string[];
  readonly webSocketToken = undefined;
  readonly hasBody: boolean;
  readonly isHijacked = false;
  status = 0;
  headers: HeaderMap = {};
  onStart: (() => void) | undefined;
  closed = false;
  /** Resolves once there is a head. */
  readonly responded = Promise.withResolvers<MemoryResponse>();
  readonly #body: Buffer;
  readonly #chunks: Uint8Array[] = [];
  readonly #closeListeners: (() => void)[] = [];

  constructor({ method, target, headers = {}, body }: MemoryRequest) {
    const [path = '', ...query] = target.split('?');
    this.method = method;
    this.path = path;
    this.query = query.join('?');
    this.hasBody = body !== undefined;
    this.#body = bytesOf(body);
    const sized = this.hasBody ? { 'content-length': String(this.#body.length) } : {};
    this.rawHeaders = Object.entries({ ...sized, ...headers }).flat();
  }

  get sentBytes(): number {
    return this.#chunks.reduce((sum, { length }) => sum + length, 0);
  }

  get started(): boolean {
    return this.status !== 0;
  }

  get text(): string {
    return Buffer.concat(this.#chunks).toString();
  }

  json(): unknown {
    return JSON.parse(this.text);
  }

  header(name: string): string | undefined {
    const at = this.rawHeaders.findIndex((header, index) => index % 2 === 0 && header === name);
    return at === -1 ? undefined : this.rawHeaders[at + 1];
  }

  hasHeaderLike(prefix: string): boolean {
    return hasHeaderLike(this.rawHeaders, prefix);
  }

  headersLike(prefix: string): readonly (readonly [name: string, value: string])[] {
    return headersLike(this.rawHeaders, prefix);
  }

  peer(): undefined {
    return undefined;
  }

  async readBody(limits: BodyLimits): Promise<Buffer> {
    checkDeclared(this.#body.length, limits);
    return this.#body;
  }

  takeBody(): undefined {
    return undefined;
  }

  respond(status: number, headers: HeaderMap, body: Uint8Array | string): void {
    this.start(status, headers);
    this.write(body);
    this.end();
  }

  start(status: number, headers: HeaderMap): ResponseStream {
    this.status = status;
    this.headers = headers;
    this.onStart?.();
    this.responded.resolve(this);
    return this;
  }

  write(chunk: Uint8Array | string): boolean {
    if (!this.closed) this.#chunks.push(Buffer.from(chunk));
    return true;
  }

  async drained(): Promise<void> {
    // There is always room.
  }

  end(): void {
    if (this.closed) return;
    this.closed = true;
    for (const listener of this.#closeListeners) listener();
  }

  abort(): void {
    this.end();
    this.responded.reject(new Error('the exchange was aborted'));
  }

  leave(): void {
    this.end();
  }

  onClose(listener: () => void): void {
    if (this.closed) listener();
    else this.#closeListeners.push(listener);
  }
}

function bytesOf(body: MemoryRequest['body']): Buffer {
  if (body === undefined) return Buffer.alloc(0);
  if (body instanceof Uint8Array) return Buffer.from(body);
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}
