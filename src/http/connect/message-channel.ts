import type { WebSocket } from 'ws';

/** Above this, senders have to wait. */
const highWaterMarkBytes = 1 << 20;
/** Above this number of messages, which take memory even if they are empty, senders have to wait. */
const highWaterMarkMessages = 4_096;

/** Messages to and from a WebSocket client, at the pace of the slower side. */
export class MessageChannel {
  readonly #webSocket: WebSocket;
  #onRoom: (() => void) | undefined;
  #unsent = 0;

  /** `received` returns a promise when the next message has to wait. */
  constructor(webSocket: WebSocket, received: (message: Buffer) => Promise<void> | undefined) {
    this.#webSocket = webSocket;
    // A failed connection closes as well.
    webSocket.on('error', () => webSocket.terminate());
    webSocket.on('message', (message: Buffer) => {
      const pending = received(message);
      if (pending === undefined) return;
      webSocket.pause();
      void pending.finally(() => webSocket.resume());
    });
  }

  /** False when the client is slow: `onRoom` is called when there is room again. */
  send(message: Buffer, onRoom: () => void): boolean {
    const webSocket = this.#webSocket;
    this.#unsent += 1;
    webSocket.send(message, { binary: true }, () => this.#sent());
    if (this.#hasRoom) return true;
    this.#onRoom = onRoom;
    return false;
  }

  get #hasRoom(): boolean {
    return this.#webSocket.bufferedAmount < highWaterMarkBytes && this.#unsent < highWaterMarkMessages;
  }

  #sent(): void {
    this.#unsent -= 1;
    if (this.#onRoom === undefined || !this.#hasRoom) return;
    const onRoom = this.#onRoom;
    this.#onRoom = undefined;
    onRoom();
  }

  /** Resolves when the client has disconnected or answered the close. */
  closed(): Promise<void> {
    if (this.#webSocket.readyState === this.#webSocket.CLOSED) return Promise.resolve();
    return new Promise((resolve) => void this.#webSocket.once('close', () => resolve()));
  }

  close(): void {
    this.#webSocket.close(1000);
  }
}
