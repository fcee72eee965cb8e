import { type ClientHttp2Session, type ClientHttp2Stream, constants } from 'node:http2';
import { paceFrames } from '../../api/scheduling/paced-frames.ts';
import { headerValues, http2Headers } from '../../api/text/header-list.ts';
import {
  type SentRequest,
  type Trailers,
  UnansweredRequest,
  type UpstreamResponse,
  type UpstreamCall,
} from '../upstream-request.ts';

export interface Http2RequestOptions {
  /** The connection has been used before, so that the server may have closed it. */
  readonly isKept: boolean;
  readonly onClose: () => void;
  /** Nobody waits for an answer any longer. */
  readonly onAbandoned: () => void;
}

/** How long a server may take to end a stream after all of its body. */
const endTimeoutMs = 1_000;

const ignore = (): void => undefined;

/** A request over HTTP/2. */
export class Http2Request implements SentRequest {
  readonly response: Promise<UpstreamResponse>;
  readonly body: ClientHttp2Stream;
  readonly #onAbandoned: () => void;
  #trailers: Trailers = {};
  #isAnswered = false;
  #reason: Error | undefined;

  constructor(session: ClientHttp2Session, call: UpstreamCall, { isKept, onClose, onAbandoned }: Http2RequestOptions) {
    this.#onAbandoned = onAbandoned;
    const { method, authority, target, headers, body } = call;
    const head = [':method', method, ':authority', authority, ':scheme', 'https', ':path', target, ...headers];
    const waitForTrailers = body === 'streamed';
    const stream = session.request(http2Headers(head), { endStream: body === 'none', waitForTrailers });
    paceFrames(stream);
    this.body = stream;
    if (body === 'none') stream.end();
    else if (typeof body !== 'string') stream.end(body);
    if (waitForTrailers) stream.once('wantTrailers', () => stream.sendTrailers(this.#trailers));
    const { promise, resolve, reject } = Promise.withResolvers<UpstreamResponse>();
    this.response = promise;
    stream.once('response', (_headers, _flags, rawHeaders) => {
      this.#isAnswered = true;
      resolve(new Http2Response(stream, session, rawHeaders));
    });
    // Stays, since a server may reset the stream after its answer and before the end of the request.
    stream.on('error', ignore);
    stream.once('close', () => {
      onClose();
      if (!this.#isAnswered) reject(this.#reason ?? failureOf(stream, session, isKept));
    });
  }

  addTrailers(trailers: Trailers): void {
    this.#trailers = trailers;
  }

  finish(): void {
    this.body.resume();
    if (!this.body.closed) this.body.setTimeout(endTimeoutMs, () => this.leave());
  }

  leave(error?: Error): void {
    this.#reason ??= error;
    if (!this.#isAnswered) this.#onAbandoned();
    if (!this.body.closed) this.body.close(constants.NGHTTP2_CANCEL);
    // What has arrived is held until it is read.
    this.body.resume();
  }
}

class Http2Response implements UpstreamResponse {
  readonly body: ClientHttp2Stream;
  readonly #head: readonly string[];
  readonly #session: ClientHttp2Session;
  #trailers: readonly string[] = [];

  constructor(stream: ClientHttp2Stream, session: ClientHttp2Session, head: readonly string[]) {
    this.body = stream;
    this.#session = session;
    this.#head = head;
    stream.once('trailers', (_headers, _flags, rawHeaders) => (this.#trailers = rawHeaders));
  }

  get status(): number {
    return Number(this.#head[1]);
  }

  get rawHeaders(): readonly string[] {
    // The status comes first.
    return this.#head.slice(2);
  }

  whole(): undefined {
    return undefined;
  }

  header(name: string): string | undefined {
    return headerValues(this.#head, name)[0];
  }

  /** Node ends a body that is cut off like a complete one. */
  failure(): Error | undefined {
    const { rstCode } = this.body;
    if (rstCode === constants.NGHTTP2_NO_ERROR) return undefined;
    return new Error(this.#session.destroyed ? 'unexpected EOF' : resetWords(this.body, rstCode));
  }

  rawTrailers(): readonly string[] {
    return this.#trailers;
  }
}

function resetWords({ id }: ClientHttp2Stream, code: number): string {
  const name = errorNames[code] ?? `unknown error code 0x${code.toString(16)}`;
  return `stream error: stream ID ${id}; ${name}; received from peer`;
}

/** RFC 9113 section 7, in the order of their codes. */
const errorNames = [
  'NO_ERROR',
  'PROTOCOL_ERROR',
  'INTERNAL_ERROR',
  'FLOW_CONTROL_ERROR',
  'SETTINGS_TIMEOUT',
  'STREAM_CLOSED',
  'FRAME_SIZE_ERROR',
  'REFUSED_STREAM',
  'CANCEL',
  'COMPRESSION_ERROR',
  'CONNECT_ERROR',
  'ENHANCE_YOUR_CALM',
  'INADEQUATE_SECURITY',
  'HTTP_1_1_REQUIRED',
];

/** The reference takes requests that are answered with these for unprocessed. */
const unseenCodes: ReadonlySet<number> = new Set([constants.NGHTTP2_REFUSED_STREAM, constants.NGHTTP2_PROTOCOL_ERROR]);

function failureOf(stream: ClientHttp2Stream, session: ClientHttp2Session, isKept: boolean): Error {
  const code = stream.rstCode ?? constants.NGHTTP2_NO_ERROR;
  const isUnseen = unseenCodes.has(code);
  const words = session.destroyed ? 'unexpected EOF' : resetWords(stream, code);
  return isUnseen || (session.destroyed && isKept) ? new UnansweredRequest(words, { isUnseen }) : new Error(words);
}
