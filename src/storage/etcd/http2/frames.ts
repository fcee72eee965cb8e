import { Http2Error } from './http2-error.ts';

/** RFC 9113, section 6. */
export const frameTypes = {
  data: 0,
  headers: 1,
  resetStream: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

/** An acknowledgement has the bit that ends a stream in others. */
export const flags = { endStream: 1, ack: 1, endHeaders: 4, padded: 8, priority: 0x20 } as const;

export const settingIds = {
  headerTableSize: 1,
  enablePush: 2,
  maxConcurrentStreams: 3,
  initialWindowSize: 4,
  maxFrameSize: 5,
} as const;

/** Until a setting allows more, in either direction. */
export const usualFrameBytes = 16_384;
export const usualWindowBytes = 65_535;

export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  /** A view of what has been received. */
  readonly payload: Buffer;
}

const headBytes = 9;
const priorityBytes = 5;
const pingBytes = 8;

/** The head of a frame, whose payload of so many bytes follows. */
export function frameHead(type: number, { flags: set = 0, stream = 0, length = 0 }): Buffer {
  const head = Buffer.allocUnsafe(headBytes);
  head.writeUIntBE(length, 0, 3);
  head[3] = type;
  head[4] = set;
  head.writeUInt32BE(stream, 5);
  return head;
}

/** A frame that contains one integer of 32 bits. */
export function integerFrame(type: number, stream: number, value: number): Buffer {
  const payload = Buffer.allocUnsafe(4);
  payload.writeUInt32BE(value);
  return Buffer.concat([frameHead(type, { stream, length: payload.length }), payload]);
}

export function settingsFrame(settings: readonly (readonly [id: number, value: number])[]): Buffer {
  const payload = Buffer.alloc(6 * settings.length);
  for (const [index, [id, value]] of settings.entries()) {
    payload.writeUInt16BE(id, 6 * index);
    payload.writeUInt32BE(value, 6 * index + 2);
  }
  return Buffer.concat([frameHead(frameTypes.settings, { length: payload.length }), payload]);
}

/** A PING; of the other side's bytes, its acknowledgement. */
export function pingFrame(acknowledged?: Buffer): Buffer {
  const payload = acknowledged ?? Buffer.alloc(pingBytes);
  const set = acknowledged === undefined ? 0 : flags.ack;
  return Buffer.concat([frameHead(frameTypes.ping, { flags: set, length: payload.length }), payload]);
}

/** A GOAWAY of a side that has processed no stream of the other. */
export function goAwayFrame(code: number): Buffer {
  const payload = Buffer.alloc(8);
  payload.writeUInt32BE(code, 4);
  return Buffer.concat([frameHead(frameTypes.goAway, { length: payload.length }), payload]);
}

/** Calls back with each setting in the payload of a frame. */
export function readSettings(payload: Buffer, each: (id: number, value: number) => void): void {
  if (payload.length % 6 !== 0) throw new Http2Error('frameSize', 'settings of a wrong size');
  for (let at = 0; at < payload.length; at += 6) each(payload.readUInt16BE(at), payload.readUInt32BE(at + 2));
}

/** The payload of a frame of data or headers, without padding and priority. */
export function contentOf({ type, flags: set, payload }: Frame): Buffer {
  const isPadded = (set & flags.padded) !== 0;
  const hasPriority = type === frameTypes.headers && (set & flags.priority) !== 0;
  const start = (isPadded ? 1 : 0) + (hasPriority ? priorityBytes : 0);
  const end = payload.length - (isPadded ? (payload[0] ?? 0) : 0);
  if (end < start) throw new Http2Error('protocol', 'a frame is shorter than its padding');
  return payload.subarray(start, end);
}

/** Finds the frames in the chunks of a connection. */
export class FrameReader {
  readonly #receive: (frame: Frame) => void;
  #rest: Buffer | undefined;

  constructor(receive: (frame: Frame) => void) {
    this.#receive = receive;
  }

  /** Throws an Http2Error. */
  push(chunk: Buffer): void {
    const bytes = this.#rest === undefined ? chunk : Buffer.concat([this.#rest, chunk]);
    let at = 0;
    while (bytes.length - at >= headBytes) {
      const length = bytes.readUIntBE(at, 3);
      if (length > usualFrameBytes) throw new Http2Error('frameSize', `a frame of ${length} bytes`);
      const end = at + headBytes + length;
      if (end > bytes.length) break;
      const [type = 0, set = 0] = [bytes[at + 3], bytes[at + 4]];
      const stream = bytes.readUInt32BE(at + 5) & 0x7fff_ffff;
      const payload = bytes.subarray(at + headBytes, end);
      at = end;
      this.#receive({ type, flags: set, stream, payload });
    }
    this.#rest = at === bytes.length ? undefined : bytes.subarray(at);
  }
}
