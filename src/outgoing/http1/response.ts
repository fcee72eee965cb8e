import { Readable } from 'node:stream';
import type { Connection } from '../../api/contracts/egress.ts';
import { headerValues } from '../../api/text/header-list.ts';
import type { UpstreamResponse } from '../upstream-request.ts';
import type { BodyReader } from './body.ts';
import { type Http1Head, keepsConnection } from './head.ts';

/** How much of a body is kept that nobody reads yet. */
const maxEarlyBytes = 64 * 1024;

/** A response over HTTP/1.1, from the end of its head on. */
export class Http1Response implements UpstreamResponse {
  readonly status: number;
  readonly reason: string;
  readonly rawHeaders: readonly string[];
  readonly #socket: Connection;
  readonly #reader: BodyReader;
  readonly #keepsConnection: boolean;
  isTaken = false;
  /** What has arrived before anyone reads it. */
  #early: Buffer[] = [];
  #earlyBytes = 0;
  #body: ResponseBody | undefined;
  #beyond: Buffer | undefined;
  #isComplete: boolean;
  #failure: Error | undefined;

  constructor(socket: Connection, head: Http1Head, reader: BodyReader) {
    this.status = head.status;
    this.reason = head.reason;
    this.rawHeaders = head.rawHeaders;
    this.#socket = socket;
    this.#reader = reader;
    this.#keepsConnection = head.status !== 101 && !reader.mayBeCut && keepsConnection(head);
    this.#isComplete = reader.isComplete;
    // Whoever takes the connection over reads it.
    if (head.status === 101) socket.pause();
  }

  get body(): ResponseBody {
    if (this.#body !== undefined) return this.#body;
    this.#body = new ResponseBody(this.#socket, () => this.#isComplete);
    for (const chunk of this.#early) this.#body.push(chunk);
    this.#early = [];
    if (this.#failure !== undefined) this.#body.destroy(this.#failure);
    else if (this.#isComplete) this.#body.push(null);
    return this.#body;
  }

  whole(): Buffer | undefined {
    if (!this.#isComplete || this.#body !== undefined || this.#failure !== undefined) return undefined;
    const [first] = this.#early;
    return this.#early.length === 1 ? first : Buffer.concat(this.#early);
  }

  get isComplete(): boolean {
    return this.#isComplete;
  }

  get isReusable(): boolean {
    return this.#isComplete && this.#keepsConnection && !this.isExceeded;
  }

  get isExceeded(): boolean {
    return this.status !== 101 && this.#reader.isExceeded;
  }

  header(name: string): string | undefined {
    const values = headerValues(this.rawHeaders, name);
    return values.length === 0 ? undefined : values.join(', ');
  }

  rawTrailers(): readonly string[] {
    return this.#reader.trailers;
  }

  failure(): Error | undefined {
    return this.#failure;
  }

  /** The connection, when the server has agreed to another protocol, and what has already come over it. */
  takeConnection(): { readonly socket: Connection; readonly head: Buffer } {
    this.isTaken = true;
    this.#socket.removeAllListeners('data');
    return { socket: this.#socket, head: this.#beyond ?? Buffer.alloc(0) };
  }

  received(chunk: Buffer): void {
    if (this.status === 101) {
      this.#beyond = this.#beyond === undefined ? chunk : Buffer.concat([this.#beyond, chunk]);
      return;
    }
    if (this.#isComplete) return;
    const data = this.#reader.read(chunk);
    this.#isComplete = this.#reader.isComplete;
    if (data.length > 0 && !this.#keep(data) && !this.#isComplete) this.#socket.pause();
    if (this.#isComplete) this.#body?.push(null);
  }

  /** False when enough has been kept for now. */
  #keep(data: Buffer): boolean {
    if (this.#body !== undefined) return this.#body.push(data);
    this.#early.push(data);
    this.#earlyBytes += data.length;
    return this.#earlyBytes < maxEarlyBytes;
  }

  /** Whether the end of the connection is that of the body. */
  endsWithConnection(): boolean {
    if (!this.#reader.mayBeCut || this.#isComplete) return this.#isComplete;
    this.#isComplete = true;
    this.#body?.push(null);
    return true;
  }

  failed(error: Error): void {
    this.#failure = error;
    this.#body?.destroy(error);
  }
}

/** Comes at the pace of its reader. */
class ResponseBody extends Readable {
  readonly #socket: Connection;
  readonly #isComplete: () => boolean;

  constructor(socket: Connection, isComplete: () => boolean) {
    super();
    this.#socket = socket;
    this.#isComplete = isComplete;
    // Readers get the error; without a reader nobody is interested.
    this.on('error', () => undefined);
  }

  override _read(): void {
    if (!this.#isComplete() && this.#socket.isPaused()) this.#socket.resume();
  }

  /** Without a reader the rest is of no use, and the connection neither. */
  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    if (!this.#isComplete()) this.#socket.destroy();
    done(error);
  }
}
