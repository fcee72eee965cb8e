import type { Credentials } from '../../api/authentication.ts';
import type { BodyLimits } from './request-body.ts';

/** Header values by lower-case name. */
export type HeaderMap = { readonly [name: string]: string | number | string[] };

/** Whether any name in a list of names and values, as node hands it out, begins with `prefix`; every request is asked. */
export function someName(rawHeaders: readonly string[], prefix: string): boolean {
  const initial = prefix.charCodeAt(0);
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    // Letters in capitals lack the sixth bit.
    if ((name.charCodeAt(0) | 0x20) === initial && name.toLowerCase().startsWith(prefix)) return true;
  }
  return false;
}

/** Names, in lower case, and values of the headers whose names begin with `prefix`. */
export function headersLike(rawHeaders: readonly string[], prefix: string): (readonly [name: string, value: string])[] {
  const found: (readonly [string, string])[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    if (name.startsWith(prefix)) found.push([name, rawHeaders[index + 1] ?? '']);
  }
  return found;
}

/** One request and its answer, whatever the HTTP version. Everything above speaks to this and not to `node:http*`. */
export interface Exchange extends Credentials {
  readonly method: string;
  /** Path without the query, percent-decoded once per segment by whoever splits it. */
  readonly path: string;
  /** The query without the question mark. */
  readonly query: string;
  readonly httpVersion: '1.1' | '2';
  readonly remoteAddress: string;
  /** Whether there is a request header whose lower-case name begins so. */
  hasHeaderLike(prefix: string): boolean;
  /** The whole body; rejects with a StatusError past the limits. `RequestContext.readBody` is what verbs call. */
  readBody(limits: BodyLimits): Promise<Buffer>;
  /** Sends the whole answer. */
  respond(status: number, headers: HeaderMap, body: Uint8Array | string): void;
  /** Starts an answer of unknown length. */
  start(status: number, headers: HeaderMap): ResponseStream;
  /**
   * When the client asks for a WebSocket: makes it one, with messages of text or bytes, instead of `start`.
   * Undefined: the client's offer was refused, and has been answered.
   */
  acceptWebSocket?(text: boolean): Promise<ResponseStream | undefined>;
  /** True once the connection has left HTTP. */
  readonly isHijacked: boolean;
  /** Called once when the head of the answer goes out; the pipeline sets it for stages that want to know. */
  onStart: (() => void) | undefined;
  /** True once the head of the answer has gone out. */
  readonly started: boolean;
  /** True once the client is gone or the answer is complete. */
  readonly closed: boolean;
  /** Closes the connection once the requests in flight have been answered; only HTTP/2 shares one among many. */
  endConnection?(): void;
  /** Called once when the exchange ends, whoever ends it. */
  onClose(listener: () => void): void;
  /** Ends the exchange without a proper end of the answer. */
  abort(): void;
}

/** An answer under way. */
export interface ResponseStream {
  /** Each chunk arrives as a message of its own. */
  readonly separate?: boolean;
  /** Queues a chunk; false when the client is slower than the writer: wait for `drained`. */
  write(chunk: Uint8Array | string): boolean;
  /** Resolves when there is room again, or the exchange is closed. */
  drained(): Promise<void>;
  end(): void;
}
