import { constants, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';

/** Streams refused in succession before the connection is closed. */
export const maxRefused = 100;
/** Requests that the server still works on, for each stream that a client may have open: most were cancelled. */
export const unfinishedPerStream = 10;

/**
 * Counts what one HTTP/2 connection asks of the server, and ends those that ask too much (CVE-2023-44487, rapid reset):
 * a client may cancel as many requests as it likes, but not many more than the server can begin and end meanwhile.
 */
export class Http2Connection {
  readonly #session: ServerHttp2Session;
  readonly #maxStreams: number;
  readonly #open = new Set<ServerHttp2Stream>();
  #unfinished = 0;
  #refused = 0;

  constructor(session: ServerHttp2Session, maxStreams: number) {
    this.#session = session;
    this.#maxStreams = maxStreams;
  }

  /** Whether a new stream may be answered; otherwise it, or all of the connection, is closed. */
  admit(stream: ServerHttp2Stream): boolean {
    if (this.#open.size >= this.#maxStreams && !this.#hasClosed()) {
      this.#refused += 1;
      if (this.#refused > maxRefused) this.#end();
      else stream.close(constants.NGHTTP2_REFUSED_STREAM);
      return false;
    }
    if (this.#unfinished >= this.#maxStreams * unfinishedPerStream) {
      this.#end();
      return false;
    }
    this.#refused = 0;
    this.#open.add(stream);
    this.#unfinished += 1;
    stream.once('close', () => this.#open.delete(stream));
    return true;
  }

  /** The server has ended its work for a request. */
  finish(): void {
    this.#unfinished -= 1;
  }

  /** Whether the client may have seen streams end of which node has not told yet; they are open no more. */
  #hasClosed(): boolean {
    for (const stream of this.#open) if (stream.closed || stream.destroyed) this.#open.delete(stream);
    return this.#open.size < this.#maxStreams;
  }

  #end(): void {
    this.#session.destroy(undefined, constants.NGHTTP2_ENHANCE_YOUR_CALM);
  }
}
