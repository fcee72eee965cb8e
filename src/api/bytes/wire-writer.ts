import { wireTypes } from './wire-reader.ts';

/** A varint, bytes, or the fields of a message, whose length precedes it. */
type Part = number | bigint | Uint8Array | WireWriter;

/**
 * Writes the fields of one message, in the order of the calls (protobuf.dev, "Encoding"). Parts are only noted before
 * `finish`, which copies each of them once, however deep it is: bytes and messages may not change until then.
 */
export class WireWriter {
  readonly #parts: Part[] = [];
  #sizeBytes = 0;

  /** An int64, bool or enum. Zero is written as well: omit the call for defaults. */
  integer(number: number, value: number): this {
    this.#tag(number, wireTypes.varint);
    if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is not a safe integer`);
    // Negative numbers are ten bytes of two's complement.
    if (value < 0) this.#bigVarint(BigInt(value));
    else this.#varint(value);
    return this;
  }

  /** An int64 that may exceed the safe integers. */
  bigint(number: number, value: bigint): this {
    this.#tag(number, wireTypes.varint);
    this.#bigVarint(value);
    return this;
  }

  /** A sint32 or sint64. */
  signed(number: number, value: number): this {
    return this.integer(number, value < 0 ? -2 * value - 1 : 2 * value);
  }

  double(number: number, value: number): this {
    this.#tag(number, wireTypes.fixed64);
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleLE(value);
    this.#push(bytes, bytes.length);
    return this;
  }

  bytes(number: number, value: Uint8Array): this {
    this.startOfBytes(number, value.length);
    this.#push(value, value.length);
    return this;
  }

  /** The start of a field of so many bytes, which the caller sends after the message. */
  startOfBytes(number: number, sizeBytes: number): this {
    this.#tag(number, wireTypes.bytes);
    this.#varint(sizeBytes);
    return this;
  }

  message(number: number, content: WireWriter): this {
    this.startOfBytes(number, content.#sizeBytes);
    this.#push(content, content.#sizeBytes);
    return this;
  }

  finish(): Buffer {
    const bytes = Buffer.allocUnsafe(this.#sizeBytes);
    this.#write(bytes, 0);
    return bytes;
  }

  /** The message after its length. */
  finishDelimited(): Buffer {
    const start = varintBytes(this.#sizeBytes);
    const bytes = Buffer.allocUnsafe(start + this.#sizeBytes);
    this.#write(bytes, writeVarint(this.#sizeBytes, bytes, 0));
    return bytes;
  }

  #tag(number: number, wireType: number): void {
    this.#varint(number * 8 + wireType);
  }

  #varint(value: number): void {
    this.#push(value, varintBytes(value));
  }

  #bigVarint(value: bigint): void {
    const bits = BigInt.asUintN(64, value);
    this.#push(bits, bigVarintBytes(bits));
  }

  #push(part: Part, sizeBytes: number): void {
    this.#parts.push(part);
    this.#sizeBytes += sizeBytes;
  }

  /** Returns where the message ends. */
  #write(target: Buffer, position: number): number {
    let at = position;
    for (const part of this.#parts) {
      if (typeof part === 'number') at = writeVarint(part, target, at);
      else if (part instanceof WireWriter) at = part.#write(target, at);
      else if (typeof part === 'bigint') at = writeBigVarint(part, target, at);
      else {
        target.set(part, at);
        at += part.length;
      }
    }
    return at;
  }
}

function varintBytes(value: number): number {
  let bytes = 1;
  for (let rest = value; rest > 127; rest = Math.floor(rest / 128)) bytes += 1;
  return bytes;
}

function bigVarintBytes(value: bigint): number {
  let bytes = 1;
  for (let rest = value >> 7n; rest > 0n; rest >>= 7n) bytes += 1;
  return bytes;
}

function writeVarint(value: number, target: Buffer, position: number): number {
  let at = position;
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) target[at++] = (rest % 128) | 128;
  target[at++] = rest;
  return at;
}

function writeBigVarint(value: bigint, target: Buffer, position: number): number {
  let at = position;
  let rest = value;
  for (; rest > 127n; rest >>= 7n) target[at++] = Number(rest & 127n) | 128;
  target[at++] = Number(rest);
  return at;
}
