import type { Socket } from 'node:net';
import {
  contentOf,
  flags,
  type Frame,
  frameHead,
  goAwayFrame,
  pingFrame,
  FrameReader,
  frameTypes,
  integerFrame,
  readSettings,
  settingIds,
  settingsFrame,
  usualWindowBytes,
} from './frames.ts';
import { type HeaderField, HpackDecoder } from './hpack-decoder.ts';
import { HpackEncoder } from './hpack-encoder.ts';
import { errorCodes, Http2Error } from './http2-error.ts';
import { SendSide } from './send-side.ts';
import { Http2Stream, type StreamConnection, type StreamReceiver } from './stream.ts';

export interface SessionEvents {
  /** The settings of the peer have arrived for the first time. */
  ready(): void;
  /** No new stream may be opened; those that are open go on. */
  leaving(): void;
  /** All streams have been closed. */
  closed(error: Error | undefined): void;
}

interface HeaderBlock {
  /** The first one. */
  readonly frame: Frame;
  readonly parts: Buffer[];
  sizeBytes: number;
}

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
const windowBytes = 1 << 20;
const maxBlockBytes = 1 << 18;
const maxStreamId = 2 ** 31 - 1;

/**
 * The client's side of an HTTP/2 connection (RFC 9113) to a server of gRPC. What is sent in one turn of the event loop
 * leaves in one write.
 *
 * | from the peer | reaction |
 * |---|---|
 * | headers, data | passed to the receiver of the stream |
 * | the end of a stream, a reset | the stream is closed |
 * | GOAWAY | streams that the peer has not looked at are closed as refused; the others go on |
 * | what cannot be read | the connection is destroyed |
 */
export class Http2Session implements StreamConnection {
  readonly #socket: Socket;
  readonly #events: SessionEvents;
  readonly #streams = new Map<number, Http2Stream>();
  /** Streams beyond the number that the peer allows. */
  readonly #unopened = new Set<Http2Stream>();
  readonly #pings: (() => void)[] = [];
  readonly #decoder = new HpackDecoder();
  readonly #encoder = new HpackEncoder();
  readonly #sending = new SendSide({ encoder: this.#encoder, put: (bytes) => this.#put(bytes) });
  /** A block of headers whose end has not arrived. */
  #headers: HeaderBlock | undefined;
  #out: Buffer[] = [];
  #nextId = 1;
  #maxStreams = Infinity;
  #receivedBytes = 0;
  #isReady = false;
  #isLeaving = false;
  #isDestroyed = false;
  #error: Error | undefined;

  constructor(socket: Socket, events: SessionEvents) {
    this.#socket = socket;
    this.#events = events;
    const reader = new FrameReader((frame) => {
      if (!this.#isDestroyed) this.#take(frame);
    });
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.#read(reader, chunk));
    socket.on('error', (error) => (this.#error ??= error));
    socket.on('close', () => this.#closed());
    this.#put(preface);
    this.#put(
      settingsFrame([
        [settingIds.enablePush, 0],
        [settingIds.initialWindowSize, windowBytes],
      ]),
    );
    this.#put(integerFrame(frameTypes.windowUpdate, 0, windowBytes - usualWindowBytes));
  }

  get isDestroyed(): boolean {
    return this.#isDestroyed;
  }

  request(fields: readonly HeaderField[], receiver: StreamReceiver): Http2Stream {
    const stream = new Http2Stream(this, fields, receiver);
    if (this.#streams.size < this.#maxStreams) this.#open(stream);
    else this.#unopened.add(stream);
    return stream;
  }

  /** `answered` is called when the peer answers. */
  ping(acknowledged: () => void): void {
    this.#pings.push(acknowledged);
    this.#put(pingFrame());
  }

  /** Streams are closed with the error. */
  destroy(error?: Error): void {
    if (this.#isDestroyed) return;
    this.#error ??= error;
    this.#isDestroyed = true;
    this.#socket.destroy();
  }

  send(stream: Http2Stream): void {
    if (stream.id > 0) this.#sending.send(stream);
  }

  reset(stream: Http2Stream, code: number): void {
    if (stream.id > 0) this.#put(integerFrame(frameTypes.resetStream, stream.id, code));
    stream.isClosed = true;
    stream.waiting.length = 0;
    this.#forget(stream);
  }

  #open(stream: Http2Stream): void {
    const id = this.#nextId;
    this.#nextId += 2;
    this.#streams.set(id, stream);
    this.#sending.open(stream, id);
    this.#sending.send(stream);
    if (this.#nextId > maxStreamId) this.#leave();
  }

  #forget(stream: Http2Stream): void {
    this.#unopened.delete(stream);
    this.#sending.forget(stream);
    this.#streams.delete(stream.id);
    for (const next of this.#unopened) {
      if (this.#streams.size >= this.#maxStreams) break;
      this.#unopened.delete(next);
      this.#open(next);
    }
    if (this.#isLeaving && this.#streams.size === 0) this.destroy();
  }

  #leave(): void {
    if (this.#isLeaving) return;
    this.#isLeaving = true;
    this.#events.leaving();
  }

  #put(bytes: Buffer): void {
    if (this.#out.length === 0) setImmediate(() => this.#flush());
    this.#out.push(bytes);
  }

  #flush(): void {
    const bytes = Buffer.concat(this.#out);
    this.#out = [];
    if (!this.#socket.destroyed) this.#socket.write(bytes);
  }

  #read(reader: FrameReader, chunk: Buffer): void {
    try {
      reader.push(chunk);
    } catch (error) {
      if (!(error instanceof Http2Error)) throw error;
      this.#put(goAwayFrame(error.code));
      this.#flush();
      this.destroy(error);
    }
  }

  #closed(): void {
    this.#isDestroyed = true;
    const loss = { code: undefined, error: this.#error };
    for (const stream of [...this.#streams.values(), ...this.#unopened]) stream.close(loss);
    this.#streams.clear();
    this.#unopened.clear();
    this.#events.closed(this.#error);
  }

  #take(frame: Frame): void {
    if (this.#headers !== undefined && frame.type !== frameTypes.continuation) {
      throw new Http2Error('protocol', 'a block of headers is interrupted');
    }
    if (!this.#isReady && frame.type !== frameTypes.settings) {
      throw new Http2Error('protocol', 'the server does not begin with its settings');
    }
    switch (frame.type) {
      case frameTypes.data:
        this.#takeData(frame);
        break;
      case frameTypes.headers:
        this.#takeHeaders({ frame, parts: [], sizeBytes: 0 }, contentOf(frame), frame.flags);
        break;
      case frameTypes.continuation:
        if (this.#headers?.frame.stream !== frame.stream) throw new Http2Error('protocol', 'nothing is continued');
        this.#takeHeaders(this.#headers, frame.payload, frame.flags);
        break;
      case frameTypes.resetStream:
        this.#end(frame.stream, integerOf(frame));
        break;
      case frameTypes.settings:
        this.#takeSettings(frame);
        break;
      case frameTypes.pushPromise:
        throw new Http2Error('protocol', 'the server pushes');
      case frameTypes.ping:
        this.#takePing(frame);
        break;
      case frameTypes.goAway:
        this.#takeGoAway(integerOf(frame) & maxStreamId);
        break;
      case frameTypes.windowUpdate:
        this.#takeWindow(frame);
        break;
    }
  }

  #takeData(frame: Frame): void {
    this.#receivedBytes += frame.payload.length;
    if (this.#receivedBytes >= windowBytes / 2) {
      this.#put(integerFrame(frameTypes.windowUpdate, 0, this.#receivedBytes));
      this.#receivedBytes = 0;
    }
    const stream = this.#streams.get(frame.stream);
    if (stream === undefined) return;
    const content = contentOf(frame);
    const isLast = (frame.flags & flags.endStream) !== 0;
    stream.receivedBytes += frame.payload.length;
    if (!isLast && stream.receivedBytes >= windowBytes / 2) {
      this.#put(integerFrame(frameTypes.windowUpdate, stream.id, stream.receivedBytes));
      stream.receivedBytes = 0;
    }
    if (content.length > 0) stream.receiver.data(content);
    if (isLast) this.#end(frame.stream, undefined);
  }

  #takeHeaders(headers: HeaderBlock, part: Buffer, set: number): void {
    headers.parts.push(part);
    headers.sizeBytes += part.length;
    if (headers.sizeBytes > maxBlockBytes) throw new Http2Error('enhanceYourCalm', 'the headers are too large');
    const isWhole = (set & flags.endHeaders) !== 0;
    this.#headers = isWhole ? undefined : headers;
    if (!isWhole) return;
    const { frame, parts } = headers;
    // Also of a stream that is gone: later blocks refer to the fields of this one.
    const fields = this.#decoder.decode(parts.length === 1 ? part : Buffer.concat(parts));
    this.#streams.get(frame.stream)?.receiver.headers(fields);
    if ((frame.flags & flags.endStream) !== 0) this.#end(frame.stream, undefined);
  }

  /** The peer has ended a stream, or reset it with a code. */
  #end(id: number, code: number | undefined): void {
    const stream = this.#streams.get(id);
    if (stream === undefined) return;
    // It wants no more of a request that it has answered.
    if (code === undefined && !stream.isFinished)
      this.#put(integerFrame(frameTypes.resetStream, id, errorCodes.cancel));
    stream.close(code === undefined ? undefined : { code, error: undefined });
    this.#forget(stream);
  }

  #takeSettings({ flags: set, payload }: Frame): void {
    if ((set & flags.ack) !== 0) return;
    readSettings(payload, (id, value) => {
      if (id === settingIds.headerTableSize) this.#encoder.limit(value);
      else if (id === settingIds.maxConcurrentStreams) this.#maxStreams = value;
      else if (id === settingIds.initialWindowSize) this.#sending.setStreamWindow(value, this.#streams.values());
    });
    this.#put(frameHead(frameTypes.settings, { flags: flags.ack }));
    if (this.#isReady) return;
    this.#isReady = true;
    this.#events.ready();
  }

  #takePing({ flags: set, payload }: Frame): void {
    if ((set & flags.ack) !== 0) {
      this.#pings.shift()?.();
      return;
    }
    this.#put(pingFrame(payload));
  }

  #takeGoAway(lastId: number): void {
    this.#leave();
    const loss = { code: errorCodes.refusedStream, error: undefined };
    const refused = [...this.#streams.values()].filter(({ id }) => id > lastId);
    for (const stream of [...refused, ...this.#unopened]) {
      this.#unopened.delete(stream);
      this.#streams.delete(stream.id);
      this.#sending.forget(stream);
      stream.close(loss);
    }
    if (this.#streams.size === 0) this.destroy();
  }

  #takeWindow(frame: Frame): void {
    const stream = this.#streams.get(frame.stream);
    if (frame.stream === 0 || stream !== undefined) this.#sending.widen(stream, integerOf(frame) & maxStreamId);
  }
}

function integerOf({ payload }: Frame): number {
  if (payload.length < 4) throw new Http2Error('frameSize', 'a frame is too short');
  return payload.readUInt32BE(0);
}
