import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { ResponseStream } from './exchange.ts';
import { UpgradeExchange } from './upgrade-exchange.ts';
import type { UpgradeRequest } from './upgrade-request.ts';
import { type OfferedProtocols, readProtocols } from './websocket-protocols.ts';

/** Clients send nothing on a watch. */
const maxPayloadBytes = 64 * 1024;
const highWaterMarkBytes = 256 * 1024;

/**
 * An exchange that becomes a WebSocket when its verb streams; all other responses are HTTP, and the last on the
 * connection.
 */
export class WebSocketExchange extends UpgradeExchange {
  readonly #offered: OfferedProtocols;

  constructor(upgrade: UpgradeRequest) {
    super(upgrade);
    this.#offered = readProtocols(upgrade.request.headers['sec-websocket-protocol']);
  }

  override get webSocketToken(): string | undefined {
    return this.#offered.token;
  }

  /** Performs the handshake; undefined if it was refused. */
  override async acceptWebSocket(text: boolean, status = 101): Promise<ResponseStream | undefined> {
    this.status = status;
    const { request, socket, head } = this.upgrade;
    const { protocols } = this.#offered;
    const refusal = refusalOf(request.headers.origin, protocols);
    if (refusal !== undefined) {
      this.respond(refusal, {}, '');
      return undefined;
    }
    const { WebSocketServer } = await import('ws');
    if (this.closed) return undefined;
    this.detach();
    const server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      maxPayload: maxPayloadBytes,
      // A chunk may have thousands of messages: other requests run between them.
      allowSynchronousEvents: false,
      handleProtocols: () => protocols[0] ?? false,
    });
    let messages: MessageStream | undefined;
    // For an invalid handshake the library responds itself and does not call back.
    server.handleUpgrade(request, socket, head, (webSocket) => {
      messages = new MessageStream(webSocket, socket, text);
      this.markTaken();
    });
    return messages;
  }
}

/** The reference's library requires a valid origin and at most one protocol. */
function refusalOf(origin: string | undefined, protocols: readonly string[]): number | undefined {
  if (origin === undefined || (!URL.canParse(origin) && !origin.startsWith('/'))) return 403;
  return protocols.length > 1 ? 400 : undefined;
}

/** One message per chunk. */
class MessageStream implements ResponseStream {
  readonly separate = true;
  readonly #webSocket: WebSocket;
  readonly #socket: Duplex;
  readonly #text: boolean;

  constructor(webSocket: WebSocket, socket: Duplex, text: boolean) {
    this.#webSocket = webSocket;
    this.#socket = socket;
    this.#text = text;
    webSocket.on('error', () => socket.destroy());
    // Reads and discards messages, so that the close is noticed.
    webSocket.on('message', () => undefined);
  }

  get queuedBytes(): number {
    return this.#webSocket.bufferedAmount;
  }

  write(chunk: Uint8Array | string): boolean {
    this.#webSocket.send(chunk, { binary: !this.#text });
    return this.queuedBytes < highWaterMarkBytes;
  }

  drained(): Promise<void> {
    if (this.#socket.destroyed || this.queuedBytes < highWaterMarkBytes) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    const settle = (): void => {
      this.#socket.off('drain', settle);
      this.#socket.off('close', settle);
      resolve();
    };
    this.#socket.on('drain', settle);
    this.#socket.on('close', settle);
    return promise;
  }

  end(): void {
    this.#webSocket.close(1000);
  }
}
