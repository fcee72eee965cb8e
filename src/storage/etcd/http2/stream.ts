import type { HeaderField } from './hpack-decoder.ts';

/** What a stream needs of its connection. */
export interface StreamConnection {
  /** Sends as much of what waits as the windows allow. */
  send(stream: Http2Stream): void;
  /** Sends a reset with the code, unless nothing has been sent, and forgets the stream. */
  reset(stream: Http2Stream, code: number): void;
}

/** Why a stream has ended without having been complete. */
export interface StreamLoss {
  /** That of a reset; undefined: the connection is gone. */
  readonly code: number | undefined;
  readonly error: Error | undefined;
}

export interface StreamReceiver {
  /** Headers, or trailers. */
  headers(fields: readonly HeaderField[]): void;
  data(chunk: Buffer): void;
  /** Nothing follows. */
  closed(loss: StreamLoss | undefined): void;
}

/** A request and its response. */
export class Http2Stream {
  readonly fields: readonly HeaderField[];
  readonly receiver: StreamReceiver;
  /** Zero until it is opened. */
  id = 0;
  /** How much may be sent, and how much has been received since the peer was told. */
  sendWindow = 0;
  receivedBytes = 0;
  /** What waits to be sent. */
  readonly waiting: Buffer[] = [];
  isFinishing = false;
  isFinished = false;
  isClosed = false;
  readonly #connection: StreamConnection;

  constructor(connection: StreamConnection, fields: readonly HeaderField[], receiver: StreamReceiver) {
    this.#connection = connection;
    this.fields = fields;
    this.receiver = receiver;
  }

  write(bytes: Buffer): void {
    if (this.isClosed) return;
    this.waiting.push(bytes);
    this.#connection.send(this);
  }

  /** The last bytes. */
  end(bytes: Buffer): void {
    this.isFinishing = true;
    this.write(bytes);
  }

  /** The receiver hears nothing more. */
  reset(code: number): void {
    if (!this.isClosed) this.#connection.reset(this, code);
  }

  close(loss: StreamLoss | undefined): void {
    this.isClosed = true;
    this.waiting.length = 0;
    this.receiver.closed(loss);
  }
}
