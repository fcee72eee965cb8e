import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { Upstream } from '../../outgoing/upstream.ts';
import {
  type SentRequest,
  StaleConnection,
  type Trailers,
  type UpstreamAnswer,
  type UpstreamCall,
} from '../../outgoing/upstream-request.ts';
import type { Exchange } from '../transport/exchange.ts';

export interface PassedRequestOptions {
  readonly upstream: Upstream;
  readonly call: UpstreamCall;
  /** Undefined if there is none. */
  readonly body?: Readable | undefined;
}

/** A request on its way to another server. */
export class PassedRequest {
  readonly #options: PassedRequestOptions;
  readonly #left = Promise.withResolvers<never>();
  #reason: Error | undefined;
  #sent: SentRequest | undefined;

  /** `exchange`: the client's; without the client the request ends. */
  constructor(exchange: Pick<Exchange, 'onClose'>, options: PassedRequestOptions) {
    this.#options = options;
    // Only who waits for a connection is told.
    this.#left.promise.catch(() => undefined);
    exchange.onClose(() => this.leave(new Error('context canceled')));
  }

  /** Sends the request, once more if a kept connection turns out to be closed. */
  async answer(): Promise<UpstreamAnswer> {
    try {
      return await this.#attempt();
    } catch (error) {
      if (!(error instanceof StaleConnection) || this.#options.body !== undefined) throw error;
      return this.#attempt();
    }
  }

  /** The body of the answer has been read. */
  finish(): void {
    this.#sent?.finish();
    this.#sent = undefined;
  }

  /** Nobody waits for the rest. */
  leave(reason?: Error): void {
    this.#reason ??= reason;
    this.#sent?.leave(reason);
    if (reason !== undefined) this.#left.reject(reason);
  }

  async #attempt(): Promise<UpstreamAnswer> {
    const { upstream, call, body } = this.#options;
    const opening = upstream.open(call);
    if (opening !== undefined) await Promise.race([opening, this.#left.promise]);
    if (this.#reason !== undefined) throw this.#reason;
    const sent = upstream.send(call);
    this.#sent = sent;
    if (body === undefined) sent.body.end();
    else passBody(body, sent);
    return sent.answer;
  }
}

/** A client that breaks off breaks off the request. */
function passBody(body: Readable, sent: SentRequest): void {
  body.on('data', (chunk: Buffer) => {
    if (sent.body.destroyed || sent.body.write(chunk)) return;
    body.pause();
    sent.body.once('drain', () => body.resume());
  });
  let trailers: Trailers | undefined;
  // Of HTTP/2; over HTTP/1.1 they are there when the body ends.
  body.once('trailers', (received: Trailers) => (trailers = received));
  body.once('end', () => {
    trailers ??= (body as Partial<IncomingMessage>).trailers;
    if (trailers !== undefined) sent.addTrailers(trailers);
    sent.body.end();
  });
  body.once('close', () => {
    if (!body.readableEnded) sent.leave(new Error('context canceled'));
  });
  // The rest is dropped, so that the client gets to read the answer.
  sent.body.once('close', () => body.resume());
}
