import { ByteWriter } from '../../api/bytes/byte-writer.ts';
import { doubleByte, selfDescribedPrefix } from './major-types.ts';

/** Longer strings are measured and copied natively. */
const shortStringLength = 40;
const scratch = new DataView(new ArrayBuffer(8));

/** Writes CBOR. */
export class CborWriter extends ByteWriter {
  /** At which field structs begin; 0: at the first. */
  rotation = 0;

  override reset(): void {
    super.reset();
    this.rotation = 0;
  }

  selfDescribed(): void {
    this.short(selfDescribedPrefix);
  }

  /** A head in its shortest form; the argument is at most 2^53. */
  head(major: number, argument: number): void {
    if (this.length + 9 > this.bytes.length) this.grow(9);
    this.length = writeHead(this.bytes, this.length, { major, argument });
  }

  integer(value: number | bigint): void {
    const isNegative = value < 0;
    if (typeof value === 'number') return this.head(isNegative ? 1 : 0, isNegative ? -1 - value : value);
    if (this.length + 9 > this.bytes.length) this.grow(9);
    this.bytes[this.length] = isNegative ? 0x3b : 0x1b;
    this.length = this.bytes.writeBigUInt64BE(isNegative ? -1n - value : value, this.length + 1);
  }

  /** A float in the shortest lossless form (RFC 8949 section 4.2.1). */
  float(value: number): void {
    if (this.length + 9 > this.bytes.length) this.grow(9);
    const bytes = this.bytes;
    if (Math.fround(value) !== value) {
      bytes[this.length] = doubleByte;
      this.length = bytes.writeDoubleBE(value, this.length + 1);
      return;
    }
    const half = halfBits(value);
    bytes[this.length] = half === undefined ? 0xfa : 0xf9;
    this.length =
      half === undefined ? bytes.writeFloatBE(value, this.length + 1) : bytes.writeUInt16BE(half, this.length + 1);
  }

  /** A string, encoded as a byte string. */
  string(text: string): void {
    const size = text.length;
    if (size > shortStringLength) return this.#longString(text);
    if (this.length + size + 2 > this.bytes.length) this.grow(size + 2);
    const bytes = this.bytes;
    const start = this.length;
    let at = start;
    if (size < 24) bytes[at++] = 0x40 + size;
    else {
      bytes[at++] = 0x58;
      bytes[at++] = size;
    }
    for (let i = 0; i < size; i++) {
      const code = text.charCodeAt(i);
      if (code > 127) return this.#longString(text);
      bytes[at++] = code;
    }
    this.length = at;
  }

  /** Starts a map of unknown size; ended by `endMap`. */
  startMap(): number {
    this.byte(0xa0);
    return this.length;
  }

  /** Ends the map started by `startMap`; the head of a large map moves its content. */
  endMap(start: number, entries: number): void {
    if (entries < 24) {
      this.bytes[start - 1] = 0xa0 + entries;
      return;
    }
    const extra = entries < 0x100 ? 1 : entries < 0x10000 ? 2 : 4;
    if (this.length + extra > this.bytes.length) this.grow(extra);
    this.bytes.copyWithin(start + extra, start, this.length);
    writeHead(this.bytes, start - 1, { major: 5, argument: entries });
    this.length += extra;
  }

  #longString(text: string): void {
    const size = Buffer.byteLength(text);
    if (this.length + size + 9 > this.bytes.length) this.grow(size + 9);
    const at = writeHead(this.bytes, this.length, { major: 2, argument: size });
    this.length = at + this.bytes.write(text, at, 'utf8');
  }
}

/** Shared by all items: writing is synchronous and calls nothing that writes. */
const shared = new CborWriter();

/** What `write` writes. */
export function written(write: (writer: CborWriter) => void): Buffer {
  shared.reset();
  write(shared);
  return shared.take();
}

/** Writes a head and returns the position after it. */
function writeHead(
  bytes: Buffer,
  position: number,
  { major, argument }: { readonly major: number; readonly argument: number },
): number {
  const first = major << 5;
  if (argument < 24) {
    bytes[position] = first + argument;
    return position + 1;
  }
  if (argument < 0x100) {
    bytes[position] = first + 24;
    bytes[position + 1] = argument;
    return position + 2;
  }
  if (argument < 0x10000) {
    bytes[position] = first + 25;
    return bytes.writeUInt16BE(argument, position + 1);
  }
  if (argument < 0x1_0000_0000) {
    bytes[position] = first + 26;
    return bytes.writeUInt32BE(argument, position + 1);
  }
  bytes[position] = first + 27;
  const high = Math.floor(argument / 2 ** 32);
  return bytes.writeUInt32BE(argument - high * 2 ** 32, bytes.writeUInt32BE(high, position + 1));
}

/** The bits of a 16-bit float; undefined when it cannot represent the value, which a 32-bit float can. */
function halfBits(value: number): number | undefined {
  scratch.setFloat32(0, value);
  const bits = scratch.getUint32(0);
  const sign = (bits >>> 16) & 0x8000;
  const exponent = ((bits >>> 23) & 0xff) - 127;
  const fraction = bits & 0x7f_ffff;
  if (value === 0) return sign;
  if (exponent >= -14 && exponent <= 15) {
    return (fraction & 0x1fff) === 0 ? sign | ((exponent + 15) << 10) | (fraction >> 13) : undefined;
  }
  // Subnormal numbers: multiples of 2^-24.
  const steps = Math.abs(value) * 2 ** 24;
  return exponent < -14 && Number.isInteger(steps) ? sign | steps : undefined;
}
