import type { Connection } from '../../api/contracts/egress.ts';
import { Writable } from 'node:stream';
import { type SentRequest, type Trailers, UnansweredRequest, type UpstreamCall } from '../upstream-request.ts';
import { Http1Response } from './response.ts';
import { bodyReader } from './body.ts';
import { bodyLengthOf, HeadCollector, readHead } from './head.ts';

export interface Http1RequestOptions {
  readonly socket: Connection;
  readonly call: UpstreamCall;
  /** The head of the request, as it is sent. */
  readonly head: string;
  /** The connection has been used before, so that the server may have closed it. */
  readonly isKept: boolean;
  /** Request and response are complete; another request may follow. */
  readonly onReusable: () => void;
}

/** A request over HTTP/1.1, from its head to the end of the response. */
export class Http1Request implements SentRequest {
  readonly response: Promise<Http1Response>;
  readonly #options: Http1RequestOptions;
  readonly #given = Promise.withResolvers<Http1Response>();
  readonly #heads = new HeadCollector();
  #body: RequestBody | undefined;
  #response: Http1Response | undefined;
  #failure: Error | undefined;
  #isWritten = false;
  #isReleased = false;
  #isSent: boolean;

  constructor(options: Http1RequestOptions) {
    this.#options = options;
    this.response = this.#given.promise;
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
    if (this.#isReleased || this.#response?.isTaken === true) return;
    this.failed(error ?? new Error('context canceled'));
    this.#options.socket.destroy();
  }

  /** What the server has sent. False for what is no part of a response. */
  received(chunk: Buffer): boolean {
    try {
      const rest = this.#response === undefined ? this.#readHead(chunk) : chunk;
      if (rest === undefined || this.#response === undefined) return true;
      this.#response.received(rest);
      this.#release();
      return !this.#response.isExceeded;
    } catch (error) {
      this.failed(error as Error); // of the readers
      return false;
    }
  }

  /** The server sends no more. */
  ended(): void {
    if (this.#response?.endsWithConnection() !== true)
      this.failed(brokenOff(this.#response === undefined ? 'EOF' : 'unexpected EOF'));
  }

  failed(error: Error): void {
    if (this.#isOver) return;
    this.#failure ??= error;
    this.#body?.destroy();
    if (this.#response !== undefined) {
      this.#response.failed(this.#failure);
      return;
    }
    const mayBeSentAgain = this.#options.isKept && error instanceof BrokenConnection && this.#heads.isUnused;
    this.#given.reject(
      mayBeSentAgain ? new UnansweredRequest('EOF', { isUnseen: !this.#isWritten, cause: error }) : error,
    );
  }

  get #isOver(): boolean {
    return this.#failure !== undefined || this.#response?.isComplete === true;
  }

  /** What follows the head, once that is complete. Informational responses are not passed on. */
  #readHead(chunk: Buffer): Buffer | undefined {
    const { socket, call } = this.#options;
    for (let rest = this.#heads.add(chunk); rest !== undefined; rest = this.#heads.add(rest)) {
      const head = readHead(this.#heads.take());
      if (head.status < 200 && head.status !== 101) continue;
      this.#response = new Http1Response(socket, head, bodyReader(bodyLengthOf(head, call.method)));
      this.#given.resolve(this.#response);
      return rest;
    }
    // One chunk per round of the event loop: a server may send heads without end.
    socket.pause();
    setImmediate(() => socket.resume());
    return undefined;
  }

  #release(): void {
    if (this.#isReleased || this.#response?.isReusable !== true || !this.#isSent) return;
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
