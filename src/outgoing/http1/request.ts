import type { Connection } from '../../api/egress.ts';
import { Readable, Writable } from 'node:stream';
import { type BodyReader, bodyReader } from './body.ts';
import { bodyLengthOf, HeadCollector, type Http1Head, keepsConnection, readHead, valuesOf } from './head.ts';
import {
  type SentRequest,
  type Trailers,
  UnansweredRequest,
  type UpstreamAnswer,
  type UpstreamCall,
} from '../upstream-request.ts';

export interface Http1RequestOptions {
  readonly socket: Connection;
  readonly call: UpstreamCall;
  /** Of the request, as it is sent. */
  readonly head: string;
  /** The connection has been used before, so that the server may have closed it. */
  readonly isKept: boolean;
  /** Request and response are complete; another request may follow. */
  readonly onReusable: () => void;
}

/** A request over HTTP/1.1, from its head to the end of the response. */
export class Http1Request implements SentRequest {
  readonly answer: Promise<Http1Answer>;
  readonly #options: Http1RequestOptions;
  readonly #given = Promise.withResolvers<Http1Answer>();
  readonly #heads = new HeadCollector();
  #body: RequestBody | undefined;
  #answer: Http1Answer | undefined;
  #failure: Error | undefined;
  #isWritten = false;
  #isReleased = false;
  #isSent: boolean;

  constructor(options: Http1RequestOptions) {
    this.#options = options;
    this.answer = this.#given.promise;
    const { socket, call, head } = options;
    const { body } = call;
    this.#isSent = body !== 'sized' && body !== 'streamed';
    const written = (error?: Error | null): void => void (this.#isWritten ||= error === undefined || error === null);
    if (typeof body !== 'string') {
      socket.write(Buffer.concat([Buffer.from(head, 'latin1'), body]), written);
      return;
    }
    // What is written in this turn is sent in one piece.
    if (!this.#isSent) {
      socket.cork();
      process.nextTick(() => socket.uncork());
    }
    socket.write(head, 'latin1', written);
  }

  get body(): Writable {
    return (this.#body ??= new RequestBody(this.#options, () => {
      this.#isSent = true;
      this.#release();
    }));
  }

  addTrailers(trailers: Trailers): void {
    this.#body?.addTrailers(trailers);
  }

  finish(): void {
    this.leave();
  }

  leave(error?: Error): void {
    if (this.#isReleased || this.#answer?.isTaken === true) return;
    this.failed(error ?? new Error('context canceled'));
    this.#options.socket.destroy();
  }

  /** What the server has sent. False for what is no part of a response. */
  received(chunk: Buffer): boolean {
    try {
      const rest = this.#answer === undefined ? this.#readHead(chunk) : chunk;
      if (rest === undefined || this.#answer === undefined) return true;
      this.#answer.received(rest);
      this.#release();
      return !this.#answer.isExceeded;
    } catch (error) {
      this.failed(error as Error); // of the readers
      return false;
    }
  }

  /** The server sends no more. */
  ended(): void {
    if (this.#answer?.endsWithConnection() !== true)
      this.failed(brokenOff(this.#answer === undefined ? 'EOF' : 'unexpected EOF'));
  }

  failed(error: Error): void {
    if (this.#isOver) return;
    this.#failure ??= error;
    this.#body?.destroy();
    if (this.#answer !== undefined) {
      this.#answer.failed(this.#failure);
      return;
    }
    const mayBeSentAgain = this.#options.isKept && error instanceof BrokenConnection && this.#heads.isUnused;
    this.#given.reject(
      mayBeSentAgain ? new UnansweredRequest('EOF', { isUnseen: !this.#isWritten, cause: error }) : error,
    );
  }

  get #isOver(): boolean {
    return this.#failure !== undefined || this.#answer?.isComplete === true;
  }

  /** What follows the head, once that is complete. Informational responses are not passed on. */
  #readHead(chunk: Buffer): Buffer | undefined {
    const { socket, call } = this.#options;
    for (let rest = this.#heads.add(chunk); rest !== undefined; rest = this.#heads.add(rest)) {
      const head = readHead(this.#heads.take());
      if (head.status < 200 && head.status !== 101) continue;
      this.#answer = new Http1Answer(socket, head, bodyReader(bodyLengthOf(head, call.method)));
      this.#given.resolve(this.#answer);
      return rest;
    }
    // One chunk per round of the event loop: a server may send heads without end.
    socket.pause();
    setImmediate(() => socket.resume());
    return undefined;
  }

  #release(): void {
    if (this.#isReleased || this.#answer?.isReusable !== true || !this.#isSent) return;
    this.#isReleased = true;
    this.#options.onReusable();
  }
}

/** The server, or the network, has ended a connection. */
export class BrokenConnection extends Error {
  override readonly name = 'BrokenConnection';
  readonly code = 'ECONNRESET';
}

export function brokenOff(words: string, options?: ErrorOptions): BrokenConnection {
  return new BrokenConnection(words, options);
}

/** The body of a request, in chunks if its length is not known. */
class RequestBody extends Writable {
  readonly #socket: Connection;
  readonly #isChunked: boolean;
  readonly #ended: () => void;
  #trailers: Trailers = {};

  constructor({ socket, call }: Http1RequestOptions, ended: () => void) {
    super();
    // Of the connection, which the request learns of.
    this.on('error', () => undefined);
    this.#socket = socket;
    this.#isChunked = call.body === 'streamed';
    this.#ended = ended;
  }

  addTrailers(trailers: Trailers): void {
    this.#trailers = trailers;
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    if (!this.#isChunked) {
      this.#socket.write(chunk, done);
      return;
    }
    this.#socket.cork();
    this.#socket.write(`${chunk.length.toString(16)}\r\n`, 'latin1');
    this.#socket.write(chunk);
    this.#socket.write('\r\n', 'latin1', done);
    this.#socket.uncork();
  }

  override _final(done: (error?: Error | null) => void): void {
    const ended = (error?: Error | null): void => {
      this.#ended();
      done(error);
    };
    if (this.#isChunked) this.#socket.write(`0\r\n${trailerLines(this.#trailers)}\r\n`, 'latin1', ended);
    else ended();
  }
}

function trailerLines(trailers: Trailers): string {
  const lines: string[] = [];
  for (const [name, values = []] of Object.entries(trailers)) {
    for (const value of [values].flat()) lines.push(`${name}: ${value}\r\n`);
  }
  return lines.join('');
}

/** Of a body that nobody reads yet. */
const maxEarlyBytes = 64 * 1024;

/** A response over HTTP/1.1, from the end of its head on. */
export class Http1Answer implements UpstreamAnswer {
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
  #body: AnswerBody | undefined;
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

  get body(): AnswerBody {
    if (this.#body !== undefined) return this.#body;
    this.#body = new AnswerBody(this.#socket, () => this.#isComplete);
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
    const values = valuesOf(this.rawHeaders, name);
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
class AnswerBody extends Readable {
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
