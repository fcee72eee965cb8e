import { wireTypes } from './wire-reader.ts';

/** Writes the fields of one message, in the order of the calls (protobuf.dev, "Encoding"). */
export class WireWriter {
  readonly #parts: Uint8Array[] = [];
  #sizeBytes = 0;

  /** An int64, bool or enum. Zero is written as well: omit the call for defaults. */
  integer(number: number, value: number): this {
    this.#varint(number * 8 + wireTypes.varint);
    this.#varint(value);
    return this;
  }

  /** An int64 that may exceed the safe integers. */
  bigint(number: number, value: bigint): this {
    this.#varint(number * 8 + wireTypes.varint);
    this.#push(Uint8Array.from(bigVarint(BigInt.asUintN(64, value))));
    return this;
  }

  /** A sint32 or sint64. */
  signed(number: number, value: number): this {
    return this.integer(number, value < 0 ? -2 * value - 1 : 2 * value);
  }

  double(number: number, value: number): this {
    this.#varint(number * 8 + wireTypes.fixed64);
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleLE(value);
    this.#push(bytes);
    return this;
  }

  /** Not copied before `finish`. */
  bytes(number: number, value: Uint8Array): this {
    this.#varint(number * 8 + wireTypes.bytes);
    this.#varint(value.length);
    this.#push(value);
    return this;
  }

  /** The start of a field of so many bytes, which the caller sends after the message. */
  startOfBytes(number: number, sizeBytes: number): this {
    this.#varint(number * 8 + wireTypes.bytes);
    this.#varint(sizeBytes);
    return this;
  }

  message(number: number, content: WireWriter): this {
    return this.bytes(number, content.finish());
  }

  finish(): Buffer {
    return Buffer.concat(this.#parts, this.#sizeBytes);
  }

  /** The message after its length. */
  finishDelimited(): Buffer {
    const length = varint(this.#sizeBytes);
    return Buffer.concat([Uint8Array.from(length), ...this.#parts], length.length + this.#sizeBytes);
  }

  #varint(value: number): void {
    if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is not a safe integer`);
    // Negative numbers are ten bytes of two's complement.
    this.#push(Uint8Array.from(value < 0 ? bigVarint(BigInt.asUintN(64, BigInt(value))) : varint(value)));
  }

  #push(part: Uint8Array): void {
    this.#parts.push(part);
    this.#sizeBytes += part.length;
  }
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  bytes.push(rest);
  return bytes;
}

function bigVarint(value: bigint): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) + 128);
  bytes.push(Number(rest));
  return bytes;
}
