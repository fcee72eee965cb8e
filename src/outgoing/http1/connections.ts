import type { Connection } from '../../api/contracts/egress.ts';
import { isResetError } from '../call-words.ts';
import { type Endpoint, placeKey } from '../dial.ts';
import { requestHead } from './head.ts';
import { brokenOff, Http1Request } from './request.ts';
import type { UpstreamCall } from '../upstream-request.ts';

/** Idle connections that are kept, and for how long; as in the reference. */
const maxIdlePerPlace = 25;
const idleTimeoutMs = 90_000;

/** Connections over HTTP/1.1. */
export class Http1Connections implements Disposable {
  readonly #idle = new Map<string, Http1Connection[]>();
  readonly #open = new Set<Http1Connection>();
  #sweep: NodeJS.Timeout | undefined;
  #state: 'open' | 'closed' | 'ended' = 'open';

  /** Takes over a connection that has just been opened, for a request that waits for it even after `close`. */
  add(place: Endpoint, socket: Connection): void {
    const connection = this.#adopt(place, socket);
    if (this.#state === 'ended') socket.destroy();
    else this.#keep(placeKey(place), connection);
  }

  /** Undefined without an idle connection. The latest is used first. */
  send(call: UpstreamCall): Http1Request | undefined {
    const key = placeKey(call);
    const idle = this.#idle.get(key);
    const connection = idle?.pop();
    if (idle?.length === 0) this.#idle.delete(key);
    return connection?.send(call);
  }

  /** Over a connection that has just been opened for this request, and may leave HTTP. */
  sendAlone(call: UpstreamCall, socket: Connection): Http1Request {
    return this.#adopt(call, socket).send(call);
  }

  /** Closes idle connections, and others when their request has ended. */
  close(): void {
    this.#state = 'closed';
    for (const connection of [...this.#idle.values()].flat()) connection.socket.destroy();
  }

  /** Ends all requests, and what their connections became. */
  [Symbol.dispose](): void {
    this.#state = 'ended';
    for (const { socket } of this.#open) socket.destroy();
  }

  #adopt(place: Endpoint, socket: Connection): Http1Connection {
    const key = placeKey(place);
    const connection = new Http1Connection(socket, () => this.#release(key, connection));
    this.#open.add(connection);
    socket.once('close', () => {
      this.#open.delete(connection);
      this.#forget(key, connection);
    });
    return connection;
  }

  #release(key: string, connection: Http1Connection): void {
    if (this.#state === 'open') this.#keep(key, connection);
    else connection.socket.destroy();
  }

  #keep(key: string, connection: Http1Connection): void {
    const idle = this.#idle.get(key) ?? [];
    if (idle.length === maxIdlePerPlace || connection.socket.destroyed) {
      connection.socket.destroy();
      return;
    }
    connection.idleSinceMs = performance.now();
    idle.push(connection);
    this.#idle.set(key, idle);
    if (this.#sweep === undefined) this.#sweep = this.#sweepIn(idleTimeoutMs);
  }

  #forget(key: string, connection: Http1Connection): void {
    const idle = this.#idle.get(key);
    const index = idle?.indexOf(connection) ?? -1;
    if (index !== -1) idle?.splice(index, 1);
    if (idle?.length === 0) this.#idle.delete(key);
  }

  #sweepIn(delayMs: number): NodeJS.Timeout {
    return setTimeout(() => this.#closeIdle(), delayMs).unref();
  }

  #closeIdle(): void {
    const idle = [...this.#idle.values()].flat();
    const nowMs = performance.now();
    const kept = idle.filter(({ idleSinceMs }) => nowMs - idleSinceMs < idleTimeoutMs);
    for (const connection of idle) if (!kept.includes(connection)) connection.socket.destroy();
    const oldestMs = Math.min(...kept.map(({ idleSinceMs }) => idleSinceMs));
    this.#sweep = kept.length === 0 ? undefined : this.#sweepIn(oldestMs + idleTimeoutMs - nowMs);
  }
}

class Http1Connection {
  readonly socket: Connection;
  idleSinceMs = 0;
  readonly #onIdle: () => void;
  #request: Http1Request | undefined;
  #isKept = false;
  #failure: Error | undefined;

  constructor(socket: Connection, onIdle: () => void) {
    this.socket = socket;
    this.#onIdle = onIdle;
    socket.unref();
    socket.on('data', this.#read);
    socket.on('error', (error) => (this.#failure = error));
    socket.once('end', () => {
      // After an error, such as an alert of TLS, that is what is told.
      if (this.#failure === undefined) this.#request?.ended();
    });
    socket.once('close', () => {
      const cause = this.#failure;
      const isBroken = cause === undefined || isResetError(cause);
      this.#request?.failed(isBroken ? brokenOff(cause?.message ?? 'EOF', { cause }) : cause);
    });
  }

  send(call: UpstreamCall): Http1Request {
    const { socket } = this;
    const isKept = this.#isKept;
    this.#isKept = true;
    let head: string;
    try {
      head = requestHead(call);
    } catch (error) {
      this.#onIdle();
      throw error;
    }
    const request = new Http1Request({ socket, call, head, isKept, onReusable: this.#finished });
    this.#request = request;
    return request;
  }

  /** Nobody asked for what comes over an idle connection. */
  readonly #read = (chunk: Buffer): void => {
    if (this.#request?.received(chunk) !== true) this.socket.destroy();
  };

  readonly #finished = (): void => {
    if (this.#request === undefined) return;
    this.#request = undefined;
    if (this.socket.destroyed) return;
    if (this.socket.isPaused()) this.socket.resume();
    this.#onIdle();
  };
}
