import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** A queued request. */
interface Turn {
  readonly response: ServerResponse;
  readonly run: () => void;
}

/**
 * One HTTP/1.1 connection. Pipelined requests are handled one after the other, as in the reference: a later one sees
 * the effects of an earlier one, and at most one read from the socket is queued.
 *
 *     GET a, GET b, garbage   ->   response to a, response to b, 400, end
 */
export class Http1Connection {
  readonly #socket: Socket;
  readonly #waiting: Turn[] = [];
  #current: ServerResponse | undefined;
  #throughStream = false;
  readonly openedMs = performance.now();
  #used = false;
  #leaving = false;
  /** Runs after the last response. */
  #last: (() => void) | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
    // Node resumes after each response.
    socket.on('resume', () => {
      if (this.#waiting.length > 0) socket.pause();
      else if (this.#throughStream) socket._read(0);
    });
    socket.on('close', () => this.#waiting.splice(0));
  }

  /** Whether a response is still owed. */
  get busy(): boolean {
    return this.#current !== undefined || this.#last !== undefined;
  }

  /** Whether there has been a request. */
  get used(): boolean {
    return this.#used;
  }

  /** Whether the next response is the last one. */
  get leaving(): boolean {
    return this.#leaving;
  }

  /** The next response, or the one that is owed if it has not begun, tells the client that it is the last one. */
  leave(): void {
    this.#leaving = true;
    this.close();
  }

  /** The response that is owed, if it has not begun, tells the client that it is the last one. */
  close(): void {
    if (this.#current?.headersSent === false) this.#current.shouldKeepAlive = false;
  }

  /** Calls `run` when all earlier requests have been answered. */
  take(response: ServerResponse, run: () => void): void {
    if (this.#last !== undefined) return;
    this.#used = true;
    if (this.#current !== undefined || this.#socket.writableNeedDrain) this.#readThroughStream();
    if (this.#current === undefined) {
      this.#start({ response, run });
      return;
    }
    this.#waiting.push({ response, run });
    this.#socket.pause();
  }

  /** The connection leaves HTTP or ends: calls `run` when all requests so far have been answered, and takes no more. */
  finally(run: () => void): void {
    if (this.#last !== undefined) return;
    this.#last = run;
    if (this.#current === undefined) run();
    // After an upgrade request node no longer forwards this event.
    else this.#socket.on('drain', () => this.#current?.emit('drain'));
  }

  /** The client's further input is malformed or timed out. */
  fail(error: Error & { readonly code?: string }): void {
    const socket = this.#socket;
    // Anything after a request with `Connection: close` is ignored.
    if (error.code === 'HPE_CLOSED_CONNECTION' && this.#current !== undefined) return;
    const current = this.#current;
    if (current !== undefined && !current.req.complete) {
      // The body of the current request is malformed. Its response no longer reaches anyone.
      if (current.headersSent) socket.destroy();
      else this.#sayAndClose(error);
      return;
    }
    socket.pause();
    this.finally(() => this.#sayAndClose(error));
  }

  #start({ response, run }: Turn): void {
    this.#current = response;
    response.once('close', () => this.#next());
    run();
  }

  #next(): void {
    this.#current = undefined;
    const turn = this.#waiting.shift();
    if (turn !== undefined) this.#start(turn);
    else if (this.#last !== undefined) this.#last();
    if (this.#waiting.length === 0 && this.#last === undefined) this.#socket.resume();
  }

  /**
   * A TLS socket that node's parser reads directly keeps reading when the parser is paused, and the parser then fails
   * (HPE_PAUSED). A listener makes node read through the stream, permanently; that is slower, so only pipelining
   * clients get it. If node has stopped reading by then, the stream does not know, and does not start again by itself:
   * it takes itself to be reading since the connection was opened.
   */
  #readThroughStream(): void {
    if (this.#throughStream) return;
    this.#throughStream = true;
    this.#socket.on('data', ignore).off('data', ignore);
  }

  #sayAndClose({ code = '' }: { readonly code?: string }): void {
    const socket = this.#socket;
    if (!socket.writable) {
      socket.destroy();
      return;
    }
    const status = statuses.get(code) ?? '400 Bad Request';
    socket.end(
      `HTTP/1.1 ${status}\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n${status}`,
      () => socket.destroy(),
    );
  }
}

function ignore(): void {
  // A listener only by its presence.
}

/** Status by node's error code; all other errors are bad requests. */
const statuses: ReadonlyMap<string, string> = new Map([
  ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large'],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', '413 Payload Too Large'],
  ['ERR_HTTP_REQUEST_TIMEOUT', '408 Request Timeout'],
]);
