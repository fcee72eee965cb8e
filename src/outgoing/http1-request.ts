import type { ClientRequest, IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { type SentRequest, type Trailers, UnansweredRequest, type UpstreamAnswer } from './upstream-request.ts';

/** A request over HTTP/1.1. */
export class Http1Request implements SentRequest {
  readonly answer: Promise<UpstreamAnswer>;
  readonly body: ClientRequest;
  #message: IncomingMessage | undefined;
  #failure: Error | undefined;

  constructor(sent: ClientRequest) {
    this.body = sent;
    const { promise, resolve, reject } = Promise.withResolvers<UpstreamAnswer>();
    this.answer = promise;
    // What follows a complete body does not matter.
    const failure = (): Error | undefined => (this.#message?.complete === true ? undefined : this.#failure);
    sent.once('response', (message) => {
      this.#message = message;
      resolve(new Http1Answer(message, { body: message, failure }));
    });
    // A server that leaves HTTP has no body to send.
    sent.once('upgrade', (message, socket) => {
      socket.destroy();
      resolve(new Http1Answer(message, { body: Readable.from([]), failure }));
    });
    // Stays, since a server may close after its answer and before the end of the request.
    sent.on('error', (error: Error & { readonly code?: string }) => {
      this.#failure = error;
      const isClosed = sent.reusedSocket && error.code === 'ECONNRESET';
      reject(isClosed ? new UnansweredRequest('EOF', { isUnseen: false, cause: error }) : error);
    });
    sent.once('close', () => reject(new Error('EOF')));
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
  readonly body: Readable;
  readonly failure: () => Error | undefined;
  readonly #message: IncomingMessage;

  constructor(message: IncomingMessage, { body, failure }: Pick<UpstreamAnswer, 'body' | 'failure'>) {
    this.#message = message;
    this.body = body;
    this.failure = failure;
  }

  get status(): number {
    return this.#message.statusCode ?? 0;
  }

  get rawHeaders(): readonly string[] {
    return this.#message.rawHeaders;
  }

  header(name: string): string | undefined {
    return this.#message.headers[name]?.toString();
  }

  rawTrailers(): readonly string[] {
    return this.#message.rawTrailers;
  }
}
