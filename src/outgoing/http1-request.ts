import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { type SentRequest, StaleConnection, type Trailers, type UpstreamAnswer } from './upstream-request.ts';

/** A request over HTTP/1.1. */
export class Http1Request implements SentRequest {
  readonly answer: Promise<UpstreamAnswer>;
  readonly body: ClientRequest;
  #message: IncomingMessage | undefined;

  constructor(sent: ClientRequest) {
    this.body = sent;
    const { promise, resolve, reject } = Promise.withResolvers<UpstreamAnswer>();
    this.answer = promise;
    sent.once('response', (message) => {
      this.#message = message;
      resolve(new Http1Answer(message));
    });
    // Stays, since a server may close after its answer and before the end of the request.
    sent.on('error', (error: Error & { readonly code?: string }) => {
      reject(sent.reusedSocket && error.code === 'ECONNRESET' ? new StaleConnection('EOF') : error);
    });
  }

  addTrailers(trailers: Trailers): void {
    if (this.body.chunkedEncoding) this.body.addTrailers({ ...trailers });
  }

  finish(): void {
    this.#message?.resume();
  }

  leave(error?: Error): void {
    if (this.#message?.complete === true && this.body.writableFinished) this.finish();
    else this.body.destroy(error);
  }
}

class Http1Answer implements UpstreamAnswer {
  readonly #message: IncomingMessage;

  constructor(message: IncomingMessage) {
    this.#message = message;
  }

  get status(): number {
    return this.#message.statusCode ?? 0;
  }

  get rawHeaders(): readonly string[] {
    return this.#message.rawHeaders;
  }

  get body(): Readable {
    return this.#message;
  }

  header(name: string): string | undefined {
    return this.#message.headers[name]?.toString();
  }

  rawTrailers(): readonly string[] {
    return this.#message.rawTrailers;
  }
}
