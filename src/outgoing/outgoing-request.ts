import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Backoff } from '../api/scheduling/backoff.ts';
import type { Upstream } from './upstream.ts';
import {
  type SentRequest,
  type Trailers,
  UnansweredRequest,
  type UpstreamResponse,
  type UpstreamCall,
} from './upstream-request.ts';

export interface OutgoingRequestOptions {
  readonly upstream: Upstream;
  readonly call: UpstreamCall;
  /** Undefined if there is none, or the call contains it. */
  readonly body?: Readable | undefined;
}

/** As often as the reference sends a request again. */
const maxRepetitions = 7;

/** Methods that servers may be sent twice, as the reference sees it. */
const repeatable: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/** A request on its way to another server: a call that waits for all of the answer, or one that is passed on. */
export class OutgoingRequest {
  readonly #options: OutgoingRequestOptions;
  #given: PromiseWithResolvers<never> | undefined;
  #reason: Error | undefined;
  #isFinished = false;
  #sent: SentRequest | undefined;
  #onLeave: (() => void) | undefined;

  constructor(options: OutgoingRequestOptions) {
    this.#options = options;
  }

  /** Why it was left. */
  get reason(): Error | undefined {
    return this.#reason;
  }

  /** Sends the request, and again if a kept connection turns out to be closed. */
  async response(): Promise<UpstreamResponse> {
    const backoff = new Backoff({ firstMs: 1_000, longestMs: Number.POSITIVE_INFINITY, jitter: 0.1 });
    for (let repetitions = 0; ; repetitions += 1) {
      try {
        // oxlint-disable-next-line no-await-in-loop -- one attempt after the other
        return await this.#attempt();
      } catch (error) {
        if (repetitions === maxRepetitions || !this.#mayRepeat(error)) throw this.#reason ?? error;
        // oxlint-disable-next-line no-await-in-loop -- the server is busy
        if (repetitions > 0) await this.#unlessLeft(sleep(backoff.delayMs(), undefined, { ref: false }));
      }
    }
  }

  /** The body of the answer has been read. */
  finish(): void {
    this.#sent?.finish();
    this.#sent = undefined;
    this.#isFinished = true;
  }

  /** `onLeave` is called when nobody waits for the rest of the answer any longer, which may have arrived already. */
  whenLeft(onLeave: () => void): void {
    this.#onLeave = onLeave;
  }

  /** Nobody waits for the rest; `why`: for those who do. */
  leave(why?: string): void {
    if (this.#isFinished) return;
    const reason = why === undefined ? undefined : new Error(why);
    this.#reason ??= reason;
    this.#sent?.leave(reason);
    this.#onLeave?.();
    if (reason !== undefined) this.#given?.reject(reason);
  }

  async #attempt(): Promise<UpstreamResponse> {
    const { upstream, call, body } = this.#options;
    if (this.#reason !== undefined) throw this.#reason;
    let sent = upstream.send(call);
    for (let attempts = 0; sent === undefined; attempts += 1) {
      // Servers that close every new connection are not asked forever.
      if (attempts > maxRepetitions) throw new Error('unexpected EOF');
      // oxlint-disable-next-line no-await-in-loop -- others may be faster to send
      await this.#unlessLeft(upstream.open(call));
      sent = upstream.send(call);
    }
    this.#sent = sent;
    if (body !== undefined) passBody(body, sent);
    return sent.response;
  }

  async #unlessLeft<T>(waiting: Promise<T>): Promise<T> {
    if (this.#reason !== undefined) throw this.#reason;
    this.#given = Promise.withResolvers<never>();
    const result = await Promise.race([waiting, this.#given.promise]);
    if (this.#reason !== undefined) throw this.#reason;
    return result;
  }

  /** A stream cannot be read again. */
  #mayRepeat(error: unknown): boolean {
    const { call, body } = this.#options;
    if (!(error instanceof UnansweredRequest) || this.#reason !== undefined) return false;
    return body === undefined && (error.isUnseen || repeatable.has(call.method));
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
