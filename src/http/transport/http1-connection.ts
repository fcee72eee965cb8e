import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** One request in line. */
interface Turn {
  readonly response: ServerResponse;
  readonly run: () => void;
}

/**
 * One HTTP/1.1 connection. Requests that are sent ahead of answers (pipelined) are worked on one after the other, as the
 * reference does it: a later one sees what an earlier one did, and what waits is no more than what one read from the socket brings.
 *
 *     GET a, GET b, garbage   ->   answer of a, answer of b, 400, end
 */
export class Http1Connection {
  readonly #socket: Socket;
  readonly #waiting: Turn[] = [];
  #current: ServerResponse | undefined;
  #throughStream = false;
  /** Runs when all answers have been given. */
  #last: (() => void) | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
    // Node resumes after each answer.
    socket.on('resume', () => {
      if (this.#waiting.length > 0) socket.pause();
    });
    socket.on('close', () => this.#waiting.splice(0));
  }

  /** Whether an answer is owed. */
  get busy(): boolean {
    return this.#current !== undefined || this.#last !== undefined;
  }

  /** Calls `run` when all earlier requests have been answered. */
  take(response: ServerResponse, run: () => void): void {
    if (this.#last !== undefined) return;
    if (this.#current !== undefined || this.#socket.writableNeedDrain) this.#readThroughStream();
    if (this.#current === undefined) {
      this.#start({ response, run });
      return;
    }
    this.#waiting.push({ response, run });
    this.#socket.pause();
  }

  /** The connection leaves HTTP, or ends: `run` is called when all requests so far have been answered, and none is taken any more. */
  finally(run: () => void): void {
    if (this.#last !== undefined) return;
    this.#last = run;
    if (this.#current === undefined) run();
    // Node has stopped passing this on when another protocol was asked for.
    else this.#socket.on('drain', () => this.#current?.emit('drain'));
  }

  /** The rest of what the client sends makes no sense, or did not come in time. */
  fail(error: Error & { readonly code?: string }): void {
    const socket = this.#socket;
    // What follows a request that has asked for the end of the connection is not looked at.
    if (error.code === 'HPE_CLOSED_CONNECTION' && this.#current !== undefined) return;
    const current = this.#current;
    if (current !== undefined && !current.req.complete) {
      // It is the request in work whose body makes no sense. What it answers from now on reaches nobody.
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
   * A TLS socket that node's parser reads from directly goes on when the parser has paused, and the parser then fails (HPE_PAUSED).
   * A listener makes node read through the stream, for good; it is slower, so only those who send requests ahead of answers get it.
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
  // Its presence is what counts.
}

/** Node's codes; whatever else is wrong is a bad request. */
const statuses: ReadonlyMap<string, string> = new Map([
  ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large'],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', '413 Payload Too Large'],
  ['ERR_HTTP_REQUEST_TIMEOUT', '408 Request Timeout'],
]);
