import { wireTypes } from '../../api/wire-reader.ts';

const startBytes = 4096;
/** A larger buffer is released after use. */
const maxKeptBytes = 1024 * 1024;
const maxSmall = 0x7fff_ffff;
/** Longer strings are written natively, which costs more to start and less per character. */
const maxShortText = 40;

/**
 * Writes a message backwards (protobuf.dev, "Encoding"): a field's content is complete before its length is needed, so
 * nothing is measured first and nothing is moved. Fields are written in descending order of their numbers, values
 * before their tags.
 */
export class ReverseWriter {
  #buffer = Buffer.allocUnsafe(startBytes);
  #at = startBytes;

  /** Bytes written so far. */
  get size(): number {
    return this.#buffer.length - this.#at;
  }

  /** A copy of all bytes; resets the writer. */
  finish(): Buffer {
    const written = this.since(0);
    if (this.#buffer.length > maxKeptBytes) this.#buffer = Buffer.allocUnsafe(startBytes);
    this.#at = this.#buffer.length;
    return written;
  }

  /** A copy of the bytes written since `size` was `sizeBefore`. */
  since(sizeBefore: number): Buffer {
    const end = this.#buffer.length - sizeBefore;
    const copy = Buffer.allocUnsafe(end - this.#at);
    this.#buffer.copy(copy, 0, this.#at, end);
    return copy;
  }

  tag(number: number, wireType: number): void {
    this.#small(number * 8 + wireType);
  }

  /** Ends a length-delimited field whose content began at `sizeBefore`. */
  close(number: number, sizeBefore: number): void {
    const length = this.#buffer.length - this.#at - sizeBefore;
    if (length < 128 && number < 16) {
      if (this.#at < 2) this.#room(2);
      this.#buffer[--this.#at] = length;
      this.#buffer[--this.#at] = number * 8 + wireTypes.bytes;
      return;
    }
    this.#small(length);
    this.#small(number * 8 + wireTypes.bytes);
  }

  /** An integer field. */
  integer(number: number, value: number | bigint): void {
    this.varint(value);
    this.#small(number * 8 + wireTypes.varint);
  }

  /** An integer; negative ones are ten bytes of two's complement. */
  varint(value: number | bigint): void {
    if (typeof value === 'bigint' || value < 0 || value > maxSmall) this.#bigVarint(BigInt.asUintN(64, BigInt(value)));
    else this.#small(value);
  }

  #small(value: number): void {
    if (value < 128) {
      if (this.#at === 0) this.#room(1);
      this.#buffer[--this.#at] = value;
      return;
    }
    let length = 2;
    for (let rest = value >>> 14; rest > 0; rest >>>= 7) length += 1;
    this.#room(length);
    this.#at -= length;
    let rest = value;
    for (let index = 0; index < length - 1; index += 1, rest >>>= 7)
      this.#buffer[this.#at + index] = (rest & 127) | 128;
    this.#buffer[this.#at + length - 1] = rest;
  }

  double(value: number): void {
    this.#room(8);
    this.#at -= 8;
    this.#buffer.writeDoubleLE(value, this.#at);
  }

  float(value: number): void {
    this.#room(4);
    this.#at -= 4;
    this.#buffer.writeFloatLE(value, this.#at);
  }

  /** Raw bytes, without a length. */
  raw(bytes: Uint8Array): void {
    this.#room(bytes.length);
    this.#at -= bytes.length;
    this.#buffer.set(bytes, this.#at);
  }

  /** As above for a few bytes, copied one by one. */
  short(bytes: Uint8Array): void {
    const { length } = bytes;
    this.#room(length);
    const buffer = this.#buffer;
    const start = this.#at - length;
    for (let index = 0; index < length; index += 1) buffer[start + index] = bytes[index] as number; // within bounds
    this.#at = start;
  }

  /** A string field. */
  text(number: number, value: string): void {
    const before = this.#buffer.length - this.#at;
    if (!this.#shortText(value)) this.#longText(value);
    this.close(number, before);
  }

  /** False unless short and ASCII. */
  #shortText(value: string): boolean {
    const { length } = value;
    if (length > maxShortText) return false;
    this.#room(length);
    const buffer = this.#buffer;
    const start = this.#at - length;
    let bits = 0;
    for (let index = 0; index < length; index += 1) {
      const code = value.charCodeAt(index);
      bits |= code;
      buffer[start + index] = code;
    }
    if (bits > 127) return false;
    this.#at = start;
    return true;
  }

  #longText(value: string): void {
    const length = Buffer.byteLength(value);
    this.#room(length);
    this.#at -= length;
    this.#buffer.write(value, this.#at, length, 'utf8');
  }

  #bigVarint(value: bigint): void {
    const bytes: number[] = [];
    let rest = value;
    for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
    bytes.push(Number(rest));
    this.raw(Uint8Array.from(bytes));
  }

  #room(bytes: number): void {
    if (bytes <= this.#at) return;
    const { size } = this;
    const larger = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, size + bytes));
    larger.set(this.#buffer.subarray(this.#at), larger.length - size);
    this.#at = larger.length - size;
    this.#buffer = larger;
  }
}
