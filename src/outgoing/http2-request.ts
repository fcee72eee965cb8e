import { type ClientHttp2Session, type ClientHttp2Stream, constants } from 'node:http2';
import {
  type SentRequest,
  StaleConnection,
  type Trailers,
  type UpstreamAnswer,
  type UpstreamCall,
} from './upstream-request.ts';

export interface Http2RequestOptions {
  /** The connection has been used before, so that the server may have closed it. */
  readonly isKept: boolean;
  readonly onClose: () => void;
}

/** How long a server may take to end a stream after all of its body. */
const endTimeoutMs = 1_000;

const ignore = (): void => undefined;

/** A request over HTTP/2. */
export class Http2Request implements SentRequest {
  readonly answer: Promise<UpstreamAnswer>;
  readonly body: ClientHttp2Stream;
  #trailers: Trailers = {};
  #reason: Error | undefined;

  constructor(session: ClientHttp2Session, call: UpstreamCall, { isKept, onClose }: Http2RequestOptions) {
    const { method, authority, target, headers, body } = call;
    const head = [':method', method, ':authority', authority, ':scheme', 'https', ':path', target, ...headers];
    const waitForTrailers = body === 'streamed';
    const stream = session.request(head, { endStream: body === 'none', waitForTrailers });
    this.body = stream;
    if (waitForTrailers) stream.once('wantTrailers', () => stream.sendTrailers(this.#trailers));
    const { promise, resolve, reject } = Promise.withResolvers<UpstreamAnswer>();
    this.answer = promise;
    let isAnswered = false;
    stream.once('response', (_headers, _flags, rawHeaders) => {
      isAnswered = true;
      resolve(new Http2Answer(stream, rawHeaders));
    });
    // Stays, since a server may reset the stream after its answer and before the end of the request.
    stream.on('error', ignore);
    stream.once('close', () => {
      onClose();
      if (!isAnswered) reject(this.#reason ?? failureOf(stream, session, isKept));
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
    if (!this.body.closed) this.body.close(constants.NGHTTP2_CANCEL);
    // What has arrived is held until it is read.
    this.body.resume();
  }
}

class Http2Answer implements UpstreamAnswer {
  readonly body: ClientHttp2Stream;
  readonly #head: readonly string[];
  #trailers: readonly string[] = [];

  constructor(stream: ClientHttp2Stream, head: readonly string[]) {
    this.body = stream;
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

  header(name: string): string | undefined {
    const index = this.#head.findIndex((text, at) => at % 2 === 0 && text === name);
    return index === -1 ? undefined : this.#head[index + 1];
  }

  rawTrailers(): readonly string[] {
    return this.#trailers;
  }
}

/** RFC 9113 section 7, in the order of their codes. */
const errorNames = [
  ...['NO_ERROR', 'PROTOCOL_ERROR', 'INTERNAL_ERROR', 'FLOW_CONTROL_ERROR', 'SETTINGS_TIMEOUT', 'STREAM_CLOSED'],
  ...['FRAME_SIZE_ERROR', 'REFUSED_STREAM', 'CANCEL', 'COMPRESSION_ERROR', 'CONNECT_ERROR', 'ENHANCE_YOUR_CALM'],
  ...['INADEQUATE_SECURITY', 'HTTP_1_1_REQUIRED'],
];

function failureOf(stream: ClientHttp2Stream, session: ClientHttp2Session, isKept: boolean): Error {
  const code = stream.rstCode ?? constants.NGHTTP2_NO_ERROR;
  const isStale = code === constants.NGHTTP2_REFUSED_STREAM || (session.destroyed && isKept);
  const name = errorNames[code] ?? `unknown error code 0x${code.toString(16)}`;
  const words = session.destroyed
    ? 'unexpected EOF'
    : `stream error: stream ID ${stream.id}; ${name}; received from peer`;
  return isStale ? new StaleConnection(words) : new Error(words);
}
