import type { Socket } from 'node:net';
import { Backoff, type BackoffOptions } from '../../api/scheduling/backoff.ts';
import { msUntil, timerMsUntil } from '../../api/time/deadline.ts';
import { type CallReceiver, GrpcCall } from './grpc-call.ts';
import { GrpcError } from './grpc-status.ts';
import type { HeaderField } from './http2/hpack-decoder.ts';
import { Http2Session } from './http2/session.ts';

/** Where a server is. */
export interface GrpcAddress {
  /** `http://127.0.0.1:2379` */
  readonly origin: string;
  /** Begins to connect. */
  readonly open: () => Socket;
}

/** How often a server that owes answers is asked whether it is there, and how long it may take to say so. */
export interface Keepalive {
  readonly everyMs: number;
  readonly limitMs: number;
}

export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>;
}

const usualKeepalive: Keepalive = { everyMs: 30_000, limitMs: 10_000 };
const connectLimitMs = 20_000;
/** From 100 ms to 2 s, a fifth more or less: servers that lost the same peer do not come back to it together. */
const backoff: BackoffOptions = { firstMs: 80, longestMs: 1_600, factor: 1.6, jitter: 0.5 };

/**
 * The connection to a gRPC server, made on demand:
 *
 * | state | entered by | calls |
 * |---|---|---|
 * | none | the beginning; a lost connection; a failed attempt, until its pause is over | fail, unsent |
 * | connecting | somebody asks whether it is ready | fail, unsent |
 * | ready | the settings of the server arrive | are sent |
 * | closed | `close` | fail, unsent |
 *
 * A connection that its server wants to end (GOAWAY) carries the calls that it has, and is replaced.
 */
export class GrpcConnection {
  readonly #address: GrpcAddress;
  readonly #origin: URL;
  readonly #keepalive: Keepalive;
  readonly #calls = new Set<GrpcCall>();
  readonly #backoff = new Backoff(backoff);
  /** The one being made, or the one in use. */
  #session: Http2Session | undefined;
  #isReady = false;
  #isClosed = false;
  #failure: string | undefined;
  #failures = 0;
  #pausedUntilMs = 0;

  constructor(address: GrpcAddress, keepalive: Keepalive = usualKeepalive) {
    this.#address = address;
    this.#origin = new URL(address.origin);
    this.#keepalive = keepalive;
  }

  /** Whether calls can be sent. If not, connecting begins unless it has. */
  get isReady(): boolean {
    if (this.#session === undefined && !this.#isClosed && performance.now() >= this.#pausedUntilMs) this.#connect();
    return this.#isReady;
  }

  /** Why the last attempt to connect failed; undefined: none has failed since the last connection. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** Number of failed attempts. */
  get failures(): number {
    return this.#failures;
  }

  /** A call with one message in either direction. Rejects with a GrpcError. */
  unary(path: string, message: Uint8Array, untilMs: number, options: CallOptions = {}): Promise<Buffer> {
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
    const remainingMs = msUntil(untilMs);
    if (remainingMs <= 0) {
      reject(new GrpcError('DEADLINE_EXCEEDED', 'the deadline has passed', { isUnsent: true }));
      return promise;
    }
    let response: Buffer | undefined;
    let timer: NodeJS.Timeout | undefined;
    const receiver: CallReceiver = {
      message: (bytes) => (response = bytes),
      ended(error) {
        clearTimeout(timer);
        if (error === undefined && response !== undefined) resolve(response);
        else reject(error ?? new GrpcError('INTERNAL', 'the server sent no message'));
      },
    };
    try {
      const call = this.#begin(path, { ...options.headers, 'grpc-timeout': timeoutText(remainingMs) }, receiver);
      timer = setTimeout(() => call.fail(late(remainingMs)), timerMsUntil(untilMs));
      call.finish(message);
    } catch (error) {
      reject(error);
    }
    return promise;
  }

  /** A call with any number of messages in both directions. Throws a GrpcError. */
  stream(path: string, receiver: CallReceiver, { headers }: CallOptions = {}): GrpcCall {
    return this.#begin(path, headers, receiver);
  }

  /** Calls that have not ended fail. */
  close(): void {
    this.#isClosed = true;
    this.#isReady = false;
    for (const call of this.#calls) call.fail(new GrpcError('CANCELLED', 'the connection was closed'));
    this.#session?.destroy();
  }

  #begin(path: string, headers: CallOptions['headers'], receiver: CallReceiver): GrpcCall {
    const session = this.#session;
    if (!this.#isReady || session === undefined) throw unsent(this.#failure ?? 'not connected');
    const call = new GrpcCall(session, this.#fieldsOf(path, headers), {
      message: (bytes) => receiver.message(bytes),
      ended: (error) => {
        this.#calls.delete(call);
        receiver.ended(error);
      },
    });
    this.#calls.add(call);
    return call;
  }

  #fieldsOf(path: string, headers: CallOptions['headers'] = {}): HeaderField[] {
    const { protocol, host } = this.#origin;
    return [
      [':method', 'POST'],
      [':scheme', protocol.slice(0, -1)],
      [':path', path],
      [':authority', host],
      ['te', 'trailers'],
      ['content-type', 'application/grpc'],
      ...Object.entries(headers),
    ];
  }

  #connect(): void {
    let keepalive: NodeJS.Timeout | undefined;
    const limit = setTimeout(() => session.destroy(new Error('the server did not respond in time')), connectLimitMs);
    const session = new Http2Session(this.#address.open(), {
      ready: () => {
        clearTimeout(limit);
        if (session.isDestroyed || this.#session !== session) return;
        keepalive = setInterval(() => this.#keepAlive(session), this.#keepalive.everyMs).unref();
        this.#isReady = true;
        this.#failure = undefined;
        this.#backoff.startOver();
      },
      leaving: () => this.#leave(session),
      closed: (error) => {
        clearTimeout(limit);
        clearInterval(keepalive);
        const failure = error === undefined ? 'the connection was closed' : failureText(error);
        if (this.#session === session && !this.#isReady) this.#pause(failure);
        this.#leave(session);
      },
    });
    this.#session = session;
  }

  #leave(session: Http2Session): void {
    if (this.#session !== session) return;
    this.#session = undefined;
    this.#isReady = false;
  }

  #pause(failure: string): void {
    this.#failure = failure;
    this.#failures += 1;
    this.#pausedUntilMs = performance.now() + this.#backoff.delayMs();
  }

  /** A peer that is gone without a word is noticed while calls wait for it; without calls, servers refuse pings. */
  #keepAlive(session: Http2Session): void {
    if (this.#calls.size === 0 || session.isDestroyed) return;
    const lost = setTimeout(
      () => session.destroy(new Error('the server did not answer a ping')),
      this.#keepalive.limitMs,
    ).unref();
    session.ping(() => clearTimeout(lost));
  }
}

const maxTimeoutDigits = 99_999_999;

/** Whole seconds are the same text for many calls, which HTTP/2 then sends as one byte. */
function timeoutText(remainingMs: number): string {
  if (remainingMs < 1000) return `${Math.ceil(remainingMs)}m`;
  return `${Math.min(Math.ceil(remainingMs / 1000), maxTimeoutDigits)}S`;
}

function late(limitMs: number): GrpcError {
  return new GrpcError('DEADLINE_EXCEEDED', `no response after ${(limitMs / 1000).toFixed(3)}s`);
}

function unsent(why: string): GrpcError {
  return new GrpcError('UNAVAILABLE', why, { isUnsent: true });
}

/** The text of an error; for an attempt with several addresses, the texts of all errors. */
function failureText(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(failureText).join('; ');
  return error instanceof Error ? error.message : String(error);
}
