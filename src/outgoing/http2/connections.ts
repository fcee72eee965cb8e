import { type ClientHttp2Session, connect } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { type Endpoint, placeKey } from '../dial.ts';
import { Http2Request } from './request.ts';
import { initialStreams, type UpstreamCall } from '../upstream-request.ts';

/** A silent connection is probed after the first, and given up after the second; as in the reference. */
const silenceMs = 30_000;
const pongTimeoutMs = 15_000;
/** How many times the first an idle connection is kept. */
const idleSilences = 3;

/** Flow control windows: how much is sent of a body that is not read, and of all bodies of a connection. */
const streamWindowBytes = 256 * 1024;
const connectionWindowBytes = 4 * 1024 * 1024;

/** Connections over HTTP/2. */
export class Http2Connections implements Disposable {
  readonly #byPlace = new Map<string, Http2Connection[]>();

  /** Takes over a connection that has just been opened. */
  add(place: Endpoint, socket: TLSSocket): void {
    const key = placeKey(place);
    const connections = this.#byPlace.get(key) ?? [];
    const connection = new Http2Connection(socket, () => {
      connections.splice(connections.indexOf(connection), 1);
      if (connections.length === 0 && this.#byPlace.get(key) === connections) this.#byPlace.delete(key);
    });
    connections.push(connection);
    this.#byPlace.set(key, connections);
  }

  /** Undefined without a connection that has room for it. */
  send(call: UpstreamCall): Http2Request | undefined {
    return this.#byPlace
      .get(placeKey(call))
      ?.find(({ hasRoom }) => hasRoom)
      ?.send(call);
  }

  /** Lets requests complete. */
  close(): void {
    for (const each of [...this.#byPlace.values()].flat()) each.session.close();
  }

  /** Ends all requests. */
  [Symbol.dispose](): void {
    for (const each of [...this.#byPlace.values()].flat()) each.session.destroy();
  }
}

/**
 * No limit: node keeps counting what it had not yet sent of requests that were given up, and refuses the responses of a
 * connection beyond it.
 */
const sessionMemoryMegabytes = 1_000_000;

class Http2Connection {
  readonly session: ClientHttp2Session;
  #streams = 0;
  #maxStreams = initialStreams;
  #silences = 0;
  #isKept = false;
  #isProbed = false;
  readonly #onStreamClose = (): void => void (this.#streams -= 1);

  constructor(socket: TLSSocket, onClose: () => void) {
    const session = connect(`https://${socket.servername || 'localhost'}`, {
      createConnection: () => socket,
      settings: { enablePush: false, initialWindowSize: streamWindowBytes },
      maxSessionMemory: sessionMemoryMegabytes,
    });
    this.session = session;
    session.on('error', () => undefined);
    session.once('close', onClose);
    session.once('connect', () => session.setLocalWindowSize(connectionWindowBytes));
    // One stream at least: otherwise every request would open a connection.
    session.on('remoteSettings', ({ maxConcurrentStreams = Number.POSITIVE_INFINITY }) => {
      this.#maxStreams = Math.max(1, maxConcurrentStreams);
    });
    session.setTimeout(silenceMs, () => this.#silent());
    // Requests keep the process alive where somebody waits for them.
    session.unref();
  }

  get isUsable(): boolean {
    return !this.session.closed && !this.session.destroyed;
  }

  get hasRoom(): boolean {
    return this.isUsable && this.#streams < this.#maxStreams;
  }

  send(call: UpstreamCall): Http2Request {
    this.#streams += 1;
    const isKept = this.#isKept;
    this.#isKept = true;
    this.#silences = 0;
    const [onClose, onAbandoned] = [this.#onStreamClose, this.#probe];
    return new Http2Request(this.session, call, { isKept, onClose, onAbandoned });
  }

  #silent(): void {
    this.#silences += 1;
    if (this.#streams === 0 && this.#silences >= idleSilences) this.session.close();
    this.#probe();
  }

  /** A server that has died without closing the connection does not answer. */
  readonly #probe = (): void => {
    if (!this.isUsable || this.#isProbed) return;
    this.#isProbed = true;
    const timer = setTimeout(() => this.session.destroy(), pongTimeoutMs);
    timer.unref();
    this.session.ping(() => {
      this.#isProbed = false;
      clearTimeout(timer);
    });
  };
}
