import { ByteWriter } from '../../api/bytes/byte-writer.ts';
import { wireTypes } from '../../api/bytes/wire-reader.ts';

const maxSmall = 0x7fff_ffff;
/** Longer strings are written natively, which costs more to start and less per character. */
const maxShortText = 12;
/** A tag and a length. */
const maxHeadBytes = 10;

/**
 * Writes a message (protobuf.dev, "Encoding"). The length of a field comes before its content, and in one to five
 * bytes: as many are left free as the last field of its kind took, and the content is moved if that was wrong.
 *
 *   const start = writer.open(number, lengthBytes);
 *   ...
 *   lengthBytes = writer.close(start, lengthBytes);
 */
export class MessageWriter extends ByteWriter {
  /** A copy of the bytes written since `length` was `start`. */
  since(start: number): Buffer {
    return Buffer.from(this.bytes.subarray(start, this.length));
  }

  /** Begins a length-delimited field, and leaves bytes for its length. Returns where the content starts. */
  open(number: number, lengthBytes = 1): number {
    if (this.length + maxHeadBytes > this.bytes.length) this.grow(maxHeadBytes);
    this.tag(number, wireTypes.bytes);
    this.length += lengthBytes;
    return this.length;
  }

  /** Ends a length-delimited field. Returns how many bytes its length takes. */
  close(start: number, lengthBytes = 1): number {
    const size = this.length - start;
    if (lengthBytes !== 1 || size > 127) return this.#closeLong(start, lengthBytes, size);
    this.bytes[start - 1] = size;
    return 1;
  }

  #closeLong(start: number, lengthBytes: number, size: number): number {
    const needed = varintBytes(size);
    const { length } = this;
    if (needed !== lengthBytes) {
      const moved = needed - lengthBytes;
      if (length + moved > this.bytes.length) this.grow(moved);
      this.bytes.copyWithin(start + moved, start, length);
    }
    this.length = start - lengthBytes;
    this.#small(size);
    this.length += size;
    return needed;
  }

  tag(number: number, wireType: number): void {
    this.#small(number * 8 + wireType);
  }

  /** An integer field. */
  integer(number: number, value: number | bigint): void {
    this.#small(number * 8 + wireTypes.varint);
    this.varint(value);
  }

  /** An integer; negative ones are ten bytes of two's complement. */
  varint(value: number | bigint): void {
    if (typeof value === 'bigint' || value < 0 || value > maxSmall) this.#bigVarint(BigInt.asUintN(64, BigInt(value)));
    else this.#small(value);
  }

  /** Up to `maxSmall`. */
  #small(value: number): void {
    if (this.length + maxHeadBytes > this.bytes.length) this.grow(maxHeadBytes);
    const { bytes } = this;
    let at = this.length;
    let rest = value;
    for (; rest > 127; rest >>>= 7) bytes[at++] = (rest & 127) | 128;
    bytes[at++] = rest;
    this.length = at;
  }

  /** Big-endian. */
  uint32(value: number): void {
    if (this.length + 4 > this.bytes.length) this.grow(4);
    this.length = this.bytes.writeUInt32BE(value, this.length);
  }

  double(value: number): void {
    if (this.length + 8 > this.bytes.length) this.grow(8);
    this.length = this.bytes.writeDoubleLE(value, this.length);
  }

  float(value: number): void {
    if (this.length + 4 > this.bytes.length) this.grow(4);
    this.length = this.bytes.writeFloatLE(value, this.length);
  }

  /** A string field. */
  text(number: number, value: string): void {
    const size = value.length;
    if (size > maxShortText) return this.#longText(number, value);
    if (this.length + size + maxHeadBytes > this.bytes.length) this.grow(size + maxHeadBytes);
    const start = this.length;
    this.tag(number, wireTypes.bytes);
    const { bytes } = this;
    let at = this.length;
    bytes[at++] = size;
    let bits = 0;
    for (let index = 0; index < size; index += 1) {
      const code = value.charCodeAt(index);
      bits |= code;
      bytes[at++] = code;
    }
    this.length = at;
    if (bits < 128) return undefined;
    this.length = start;
    return this.#longText(number, value);
  }

  #longText(number: number, value: string): void {
    const mostBytes = value.length * 3;
    // If it is ASCII.
    const lengthBytes = varintBytes(value.length);
    const start = this.open(number, lengthBytes);
    if (start + mostBytes > this.bytes.length) this.grow(mostBytes);
    this.length += this.bytes.write(value, start, mostBytes, 'utf8');
    this.close(start, lengthBytes);
  }

  #bigVarint(value: bigint): void {
    let rest = value;
    for (; rest > 127n; rest >>= 7n) this.byte(Number(rest & 127n) | 128);
    this.byte(Number(rest));
  }
}

function varintBytes(value: number): number {
  let bytes = 1;
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) bytes += 1;
  return bytes;
}
