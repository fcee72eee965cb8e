import { flags, frameHead, frameTypes, usualFrameBytes, usualWindowBytes } from './frames.ts';
import type { HpackEncoder } from './hpack-encoder.ts';
import type { Http2Stream } from './stream.ts';

export interface SendSideOptions {
  readonly encoder: HpackEncoder;
  readonly put: (bytes: Buffer) => void;
}

/**
 * What is sent of the streams of one connection: their headers in the order of their numbers, then their data as the
 * windows of stream and connection allow.
 */
export class SendSide {
  readonly #encoder: HpackEncoder;
  readonly #put: (bytes: Buffer) => void;
  /** Streams that have data and no window. */
  readonly #blocked = new Set<Http2Stream>();
  #window = usualWindowBytes;
  #streamWindow = usualWindowBytes;

  constructor({ encoder, put }: SendSideOptions) {
    this.#encoder = encoder;
    this.#put = put;
  }

  open(stream: Http2Stream, id: number): void {
    stream.id = id;
    stream.sendWindow = this.#streamWindow;
    const block = this.#encoder.encode(stream.fields);
    for (let at = 0; at === 0 || at < block.length; at += usualFrameBytes) {
      const part = block.subarray(at, at + usualFrameBytes);
      const set = at + part.length === block.length ? flags.endHeaders : 0;
      const type = at === 0 ? frameTypes.headers : frameTypes.continuation;
      this.#put(frameHead(type, { flags: set, stream: id, length: part.length }));
      this.#put(part);
    }
  }

  send(stream: Http2Stream): void {
    const { waiting } = stream;
    while (waiting.length > 0) {
      const bytes = waiting[0] ?? Buffer.alloc(0);
      const length = Math.min(bytes.length, usualFrameBytes, this.#window, stream.sendWindow);
      if (length <= 0 && bytes.length > 0) {
        this.#blocked.add(stream);
        return;
      }
      if (length < bytes.length) waiting[0] = bytes.subarray(length);
      else waiting.shift();
      stream.isFinished = stream.isFinishing && waiting.length === 0;
      this.#window -= length;
      stream.sendWindow -= length;
      this.#put(
        frameHead(frameTypes.data, { flags: stream.isFinished ? flags.endStream : 0, stream: stream.id, length }),
      );
      this.#put(bytes.subarray(0, length));
    }
    this.#blocked.delete(stream);
  }

  forget(stream: Http2Stream): void {
    this.#blocked.delete(stream);
  }

  /** The peer takes more, of all streams together or of one. */
  widen(stream: Http2Stream | undefined, bytes: number): void {
    if (stream === undefined) this.#window += bytes;
    else stream.sendWindow += bytes;
    this.#resume();
  }

  /** The window that streams begin with; what those that are open have got is kept. */
  setStreamWindow(bytes: number, open: Iterable<Http2Stream>): void {
    for (const stream of open) stream.sendWindow += bytes - this.#streamWindow;
    this.#streamWindow = bytes;
    this.#resume();
  }

  #resume(): void {
    for (const stream of Array.from(this.#blocked)) this.send(stream);
  }
}
