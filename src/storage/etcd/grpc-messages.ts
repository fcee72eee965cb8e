import { GrpcError } from './grpc-status.ts';

/** A flag for compression, and the length of the message as a big-endian integer ("Length-Prefixed-Message"). */
const headBytes = 5;

/** A message as it is sent. */
export function framed(message: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(headBytes + message.length);
  frame[0] = 0;
  frame.writeUInt32BE(message.length, 1);
  frame.set(message, headBytes);
  return frame;
}

/** Finds the messages in the chunks of a stream. A message is a view of its chunk, if it is in one. */
export class MessageReader {
  readonly #receive: (message: Buffer) => void;
  #chunks: Buffer[] = [];
  #held = 0;
  /** With so many bytes there is something to do. */
  #wanted = headBytes;

  constructor(receive: (message: Buffer) => void) {
    this.#receive = receive;
  }

  /** Throws a GrpcError. */
  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#held += chunk.length;
    while (this.#held >= this.#wanted) this.#take(this.#joined());
  }

  #joined(): Buffer {
    const [first] = this.#chunks;
    return this.#chunks.length === 1 && first !== undefined ? first : Buffer.concat(this.#chunks, this.#held);
  }

  #take(bytes: Buffer): void {
    if (bytes[0] !== 0) throw new GrpcError('INTERNAL', 'the server compresses what it was not asked to compress');
    const end = headBytes + bytes.readUInt32BE(1);
    if (bytes.length < end) {
      this.#keep(bytes, end);
      return;
    }
    this.#keep(bytes.subarray(end), headBytes);
    this.#receive(bytes.subarray(headBytes, end));
  }

  #keep(bytes: Buffer, wanted: number): void {
    this.#chunks = bytes.length === 0 ? [] : [bytes];
    this.#held = bytes.length;
    this.#wanted = wanted;
  }
}
