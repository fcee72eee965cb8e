import { checkCollections } from '../body-limits.ts';
import { decodeUtf8 } from '../decode-utf8.ts';
import { ProtobufError, wireTypes } from '../../api/bytes/wire-reader.ts';
import { ShortTexts } from './short-texts.ts';

/** A level of a schema takes two messages: a property entry, and the schema in it. */
export const maxDepth = 400;
/** Seven bytes of a varint hold 49 bits, which fit a number. */
const plainScale = 2 ** 49;

const texts = new ShortTexts();

/**
 * Reads a message and its nested messages (protobuf.dev, "Encoding") from one buffer. Errors are those of Go's
 * generated code.
 *
 *   const outer = reader.open();
 *   while (reader.at < reader.end) read(reader.tag());
 *   reader.close(outer);
 */
export class MessageReader {
  readonly bytes: Buffer;
  /** Current offset. */
  at = 0;
  /** End of the current message. */
  end: number;
  /** The current field may have occurred before. */
  again = false;
  #depth = 0;
  #collections = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.end = bytes.length;
  }

  /** Enters the message of a field; pass the result to `close`. */
  open(): number {
    const outer = this.end;
    const length = this.length();
    this.end = this.at + length;
    if (++this.#depth > maxDepth) throw new ProtobufError('proto: nested too deeply');
    return outer;
  }

  /** Counts an object or a list. */
  begin(): void {
    checkCollections(++this.#collections);
  }

  close(outer: number): void {
    this.#depth--;
    this.end = outer;
  }

  /**
   * Number and wire type of the next field: `number * 8 + wireType`. `message` is its Go name; map entries have none,
   * and allow any number.
   */
  tag(message?: string): number {
    const byte = this.bytes[this.at] as number; // checked by the caller
    if (byte > 7 && byte < 128 && (byte & 7) !== 4) {
      this.at++;
      return byte;
    }
    const raw = this.#unsigned();
    const tag = typeof raw === 'number' ? raw : Number(BigInt.asUintN(35, raw));
    const wireType = tag % 8;
    const number = Math.floor(tag / 8) | 0;
    if (message === undefined) return Math.max(number, 0) * 8 + wireType;
    if (wireType === 4) throw new ProtobufError(`proto: ${message}: wiretype end group for non-group`);
    if (number <= 0) throw new ProtobufError(`proto: ${message}: illegal tag ${number} (wire type ${raw})`);
    return number * 8 + wireType;
  }

  /** Length of the content that follows, which is complete. */
  length(): number {
    const { at } = this;
    const byte = this.bytes[at] as number; // checked against the end below
    let length = byte;
    if (at < this.end && byte < 128) this.at = at + 1;
    else {
      const long = this.int64();
      if (long < 0) throw new ProtobufError('proto: negative length found during unmarshaling');
      length = Number(long);
    }
    if (this.at + length > this.end) throw unexpectedEnd();
    return length;
  }

  int32(): number {
    const value = this.#unsigned();
    return typeof value === 'number' ? value | 0 : Number(BigInt.asIntN(32, value));
  }

  int64(): number | bigint {
    const value = this.#unsigned();
    return typeof value === 'number' ? value : plain(BigInt.asIntN(64, value));
  }

  uint64(): number | bigint {
    const value = this.#unsigned();
    return typeof value === 'number' ? value : plain(BigInt.asUintN(64, value));
  }

  boolean(): boolean {
    return Number(this.#unsigned()) !== 0;
  }

  double(): number {
    return this.bytes.readDoubleLE(this.#pass(8));
  }

  float(): number {
    return this.bytes.readFloatLE(this.#pass(4));
  }

  /** Content as a view. */
  content(): Buffer {
    const length = this.length();
    const start = this.at;
    this.at = start + length;
    return this.bytes.subarray(start, this.at);
  }

  text(): string {
    const length = this.length();
    const start = this.at;
    this.at = start + length;
    const short = texts.find(this.bytes, start, length);
    if (short !== undefined) return short;
    const text = this.bytes.toString('utf8', start, this.at);
    return text.includes('\ufffd') ? decodeUtf8(this.bytes.subarray(start, this.at)) : text;
  }

  /** Skips an unknown field. */
  skip(tag: number): void {
    // Groups are long obsolete, and may nest.
    for (let groups = 0, wireType = tag % 8; ; wireType = Number(BigInt(this.#unsigned()) & 7n)) {
      if (wireType === wireTypes.varint) this.#unsigned();
      else if (wireType === wireTypes.fixed64) this.#pass(8);
      else if (wireType === wireTypes.bytes) this.#pass(this.length());
      else if (wireType === wireTypes.startGroup) groups++;
      else if (wireType === wireTypes.endGroup) groups--;
      else if (wireType === wireTypes.fixed32) this.#pass(4);
      else throw new ProtobufError(`proto: illegal wireType ${wireType}`);
      if (groups === 0) return;
      if (groups < 0) throw new ProtobufError('proto: unexpected end of group');
    }
  }

  /** As a number where it is exact. */
  #unsigned(): number | bigint {
    const { bytes, end } = this;
    const start = this.at;
    let value = 0;
    for (let scale = 1; scale < plainScale; scale *= 128) {
      if (this.at >= end) throw unexpectedEnd();
      const byte = bytes[this.at++] as number; // before the end
      if (byte < 128) return value + byte * scale;
      value += (byte - 128) * scale;
    }
    this.at = start;
    return this.#large();
  }

  #large(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      if (this.at >= this.end) throw unexpectedEnd();
      const byte = this.bytes[this.at++] as number; // before the end
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return BigInt.asUintN(64, value);
    }
    throw new ProtobufError('proto: integer overflow');
  }

  #pass(count: number): number {
    const start = this.at;
    if (start + count > this.end) throw unexpectedEnd();
    this.at = start + count;
    return start;
  }
}

function plain(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

function unexpectedEnd(): ProtobufError {
  return new ProtobufError('unexpected EOF');
}
