import type { BegunRequest } from '../../api/contracts/request-passing.ts';
import { statusObject } from '../../api/errors/status.ts';
import { internalError } from '../../api/errors/status-errors.ts';
import { type Exchange, type HeaderMap, type ResponseStream, sizeOf } from '../transport/exchange.ts';
import { BodyRelay } from './body-relay.ts';
import { type FromServing, responseWindowBytes, type ToExchange, type Unnumbered } from './messages.ts';

/** What the thread that hands an exchange over has already done with it. */
export interface Begun {
  readonly request: BegunRequest;
  /** What it has read of the body; undefined: nothing. */
  readonly body: Buffer | undefined;
}

interface SentExchangeOptions {
  readonly begun: Begun | undefined;
  readonly post: (message: Unnumbered<ToExchange>) => void;
  /** Called once nothing more can come of the other thread. */
  readonly ended: () => void;
}

/** An exchange of this thread that another one serves: does what that one tells. */
export class SentExchange {
  readonly #exchange: Exchange;
  readonly #options: SentExchangeOptions;
  #body: BodyRelay | undefined;
  #response: ResponseStream | undefined;
  #trailers: HeaderMap = {};
  /** Bytes of the response that have been written, and for which no room was reported. */
  #written = 0;
  #isDraining = false;
  #isClosed = false;
  #isReleased: boolean;

  constructor(exchange: Exchange, options: SentExchangeOptions) {
    this.#exchange = exchange;
    this.#options = options;
    this.#isReleased = exchange.release === undefined;
  }

  /** Tells the other thread when the exchange ends. */
  follow(): void {
    this.#exchange.onClose(() => {
      this.#isClosed = true;
      this.#options.post({ type: 'closed' });
      this.#endIfDone();
    });
  }

  receive(message: FromServing): void {
    switch (message.type) {
      case 'read':
        return this.#read(message.expectedBytes);
      case 'consumed':
        return this.#body?.consumed(message.sizeBytes);
      case 'respond':
        // What is left of the body is dropped by the exchange.
        this.#body?.stop();
        return this.#exchange.respond(message.status, message.headers, message.body);
      case 'start':
        return this.#start(message);
      case 'write':
        return this.#write(message.chunk);
      case 'end':
        this.#body?.stop();
        this.#trailers = message.trailers ?? {};
        return this.#response?.end();
      case 'abort':
        return this.#exchange.abort();
      case 'endConnection':
        return this.#exchange.endConnection?.();
      case 'release':
        this.#release();
        return this.#endIfDone();
    }
  }

  /** The other thread has ended. */
  lose(): void {
    this.#body?.stop();
    if (this.#exchange.started) this.#exchange.abort();
    else this.#exchange.respond(500, failureHeaders, failure());
    this.#release();
  }

  #read(expectedBytes: number): void {
    const stream = this.#exchange.takeBody();
    if (stream === undefined) return;
    const post = (message: Unnumbered<ToExchange>): void => this.#tell(message);
    this.#body = new BodyRelay(stream, { expectedBytes, begun: this.#options.begun?.body, post });
  }

  #start({ status, headers, hasTrailers }: FromServing & { readonly type: 'start' }): void {
    this.#response = this.#exchange.start(status, headers, hasTrailers ? () => this.#trailers : undefined);
  }

  #write(chunk: Uint8Array | string): void {
    if (this.#response === undefined) return;
    const hasRoom = this.#response.write(chunk);
    this.#written += sizeOf(chunk);
    if (hasRoom) this.#reportRoom();
    else if (!this.#isDraining) void this.#drain(this.#response);
  }

  /** How long a client may take is the other thread's affair. */
  async #drain(response: ResponseStream): Promise<void> {
    this.#isDraining = true;
    await response.drained(Number.POSITIVE_INFINITY);
    this.#isDraining = false;
    this.#reportRoom();
  }

  #reportRoom(): void {
    if (this.#isDraining || this.#written < responseWindowBytes / 4) return;
    this.#tell({ type: 'room', sizeBytes: this.#written });
    this.#written = 0;
  }

  #tell(message: Unnumbered<ToExchange>): void {
    if (!this.#isClosed) this.#options.post(message);
  }

  #release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#exchange.release?.();
  }

  #endIfDone(): void {
    if (this.#isClosed && this.#isReleased) this.#options.ended();
  }
}

const failureHeaders: HeaderMap = { 'content-type': 'application/json', 'cache-control': 'no-cache, private' };

function failure(): string {
  const { status } = internalError('the thread that served the request has ended');
  return `${JSON.stringify(statusObject(status))}\n`;
}
