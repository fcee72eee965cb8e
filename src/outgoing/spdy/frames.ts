/**
 * The frames of SPDY/3.1 that streams to kubelets are made of. A frame is eight bytes and a payload:
 *
 *     control:  1 | version 3 (15 bits) | type (16) | flags (8) | length (24)
 *     data:     0 | stream (31)                     | flags (8) | length (24)
 */
export const controlTypes = { synStream: 1, synReply: 2, rstStream: 3, settings: 4, ping: 6, goAway: 7 } as const;

/** Set in the last frame of a stream's sender. */
const finFlag = 1;
const headBytes = 8;
/** Control frames of kubelets are small; data may be as long as it likes, since it is passed on in parts. */
const maxControlBytes = 64 * 1024;
const maxDataBytes = 0xff_ff_ff;

/** The input is not SPDY, or too long. */
export class SpdyError extends Error {
  override readonly name = 'SpdyError';
  readonly code = 'SPDY';
}

export type SpdyFrame =
  /** A part of a data frame; `isLast`: nothing more comes on the stream. */
  | { readonly type: 'data'; readonly stream: number; readonly data: Buffer; readonly isLast: boolean }
  /** For all frames about one stream, `stream` is its number. */
  | { readonly type: 'control'; readonly control: number; readonly stream: number; readonly isLast: boolean }
  | { readonly type: 'ping'; readonly id: number };

interface Head {
  /** Undefined for data. */
  readonly control: number | undefined;
  readonly stream: number;
  readonly isLast: boolean;
  /** The bytes of the payload that have not come yet. */
  left: number;
}

/** Reads frames from chunks of any size; holds a control frame at most. */
export class FrameReader {
  #pending: Buffer = Buffer.alloc(0);
  /** How much of it has been read. */
  #at = 0;
  #head: Head | undefined;

  /**
   * The frames, and parts of data frames, that are complete with this chunk; read them all before the next chunk.
   * Throws a SpdyError.
   */
  *read(chunk: Buffer): Generator<SpdyFrame, void> {
    const rest = this.#pending.subarray(this.#at);
    this.#pending = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    this.#at = 0;
    for (let frame = this.#next(); frame !== undefined; frame = this.#next()) if (frame !== 'skipped') yield frame;
  }

  get #leftBytes(): number {
    return this.#pending.length - this.#at;
  }

  #next(): SpdyFrame | 'skipped' | undefined {
    if (this.#head === undefined) {
      if (this.#leftBytes < headBytes) return undefined;
      this.#head = headOf(this.#pending, this.#at);
      this.#at += headBytes;
    }
    const head = this.#head;
    return head.control === undefined ? this.#data(head) : this.#control(head, head.control);
  }

  #data(head: Head): SpdyFrame | undefined {
    if (this.#leftBytes === 0 && head.left > 0) return undefined;
    const end = this.#at + Math.min(head.left, this.#leftBytes);
    const data = this.#pending.subarray(this.#at, end);
    this.#at = end;
    head.left -= data.length;
    if (head.left === 0) this.#head = undefined;
    return { type: 'data', stream: head.stream, data, isLast: head.isLast && head.left === 0 };
  }

  #control({ left, isLast }: Head, control: number): SpdyFrame | 'skipped' | undefined {
    if (this.#leftBytes < left) return undefined;
    const start = this.#at;
    this.#at += left;
    this.#head = undefined;
    if (control === controlTypes.settings || left < 4) return 'skipped';
    const number = this.#pending.readUInt32BE(start);
    if (control === controlTypes.ping) return { type: 'ping', id: number };
    return { type: 'control', control, stream: number & 0x7f_ff_ff_ff, isLast };
  }
}

function headOf(bytes: Buffer, at: number): Head {
  const first = bytes.readUInt32BE(at);
  const length = bytes.readUIntBE(at + 5, 3);
  const isLast = (bytes.readUInt8(at + 4) & finFlag) !== 0;
  if (first >>> 31 === 0) return { control: undefined, stream: first, isLast, left: length };
  if ((first >>> 16) % 0x80_00 !== 3) throw new SpdyError('a frame is of another version than SPDY/3');
  if (length > maxControlBytes) throw new SpdyError('a control frame is too long');
  return { control: first & 0xff_ff, stream: 0, isLast, left: length };
}

/** Data frames, in parts to be written in sequence. Splits data that is too long for one frame. */
export function dataFrames(stream: number, data: Buffer, isLast: boolean): Buffer[] {
  const parts: Buffer[] = [];
  let at = 0;
  do {
    const part = data.subarray(at, at + maxDataBytes);
    at += part.length;
    const head = Buffer.alloc(headBytes);
    head.writeUInt32BE(stream, 0);
    head.writeUInt8(isLast && at === data.length ? finFlag : 0, 4);
    head.writeUIntBE(part.length, 5, 3);
    parts.push(head, part);
  } while (at < data.length);
  return parts;
}

/** Opens streams. Header blocks are one zlib stream for the whole connection, so one writer is used for all of them. */
export class StreamOpener {
  #isFirst = true;

  /** A SYN_STREAM frame; header names in lower case. */
  open(stream: number, headers: { readonly [name: string]: string }): Buffer {
    const head = Buffer.alloc(10);
    head.writeUInt32BE(stream, 0);
    return controlFrame(controlTypes.synStream, Buffer.concat([head, this.#compressed(headerBlock(headers))]));
  }

  /** In zlib format (RFC 1950), but stored uncompressed (RFC 1951 section 3.2.4), as it is short. */
  #compressed(block: Buffer): Buffer {
    const head = Buffer.alloc(5);
    head.writeUInt16LE(block.length, 1);
    head.writeUInt16LE(0xff_ff - block.length, 3);
    const parts = this.#isFirst ? [Buffer.from([0x78, 0x01]), head, block, flush] : [head, block, flush];
    this.#isFirst = false;
    return Buffer.concat(parts);
  }
}

/** An empty block: Go's reader passes on what is before it. */
const flush = Buffer.from([0, 0, 0, 0xff, 0xff]);

function headerBlock(headers: { readonly [name: string]: string }): Buffer {
  const entries = Object.entries(headers);
  return Buffer.concat([
    uint32(entries.length),
    ...entries.flat().flatMap((text) => [uint32(Buffer.byteLength(text)), Buffer.from(text)]),
  ]);
}

export function pingFrame(id: number): Buffer {
  return controlFrame(controlTypes.ping, uint32(id));
}

export function goAwayFrame(): Buffer {
  return controlFrame(controlTypes.goAway, Buffer.concat([uint32(0), uint32(0)]));
}

function controlFrame(type: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(headBytes);
  head.writeUInt16BE(0x80_03, 0);
  head.writeUInt16BE(type, 2);
  head.writeUIntBE(payload.length, 5, 3);
  return Buffer.concat([head, payload]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
