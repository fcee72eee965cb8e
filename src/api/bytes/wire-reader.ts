/** Thrown for malformed protobuf. */
export class ProtobufError extends Error {
  override readonly name = 'ProtobufError';
  readonly code = 'PROTOBUF';
}

/** Wire types of the protobuf encoding; the API has no groups. */
export const wireTypes = { varint: 0, fixed64: 1, bytes: 2, startGroup: 3, endGroup: 4, fixed32: 5 } as const;

/** Reads the fields of one message (protobuf.dev, "Encoding"). Never reads past its end. */
export class WireReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get done(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** Number and wire type of the next field. */
  tag(): { readonly number: number; readonly wireType: number } {
    const tag = this.#unsigned();
    const number = Math.floor(tag / 8);
    if (number < 1 || tag > 0xffff_ffff) throw new ProtobufError(`proto: illegal tag ${number} (wire type ${tag % 8})`);
    return { number, wireType: tag % 8 };
  }

  /** An unsigned 64-bit integer. */
  varint(): bigint {
    let low = 0;
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = this.#byte();
      low |= (byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt(low >>> 0);
    }
    let value = BigInt(low >>> 0);
    for (let shift = 28n; shift < 70n; shift += 7n) {
      const byte = this.#byte();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw new ProtobufError('proto: integer overflow');
  }

  /** A signed 64-bit integer that is known to be safe. */
  integer(): number {
    const start = this.#at;
    const value = this.#unsigned();
    if (value <= Number.MAX_SAFE_INTEGER) return value;
    this.#at = start;
    return Number(BigInt.asIntN(64, this.varint()));
  }

  /** A length-delimited field: a view, not a copy. */
  bytes(): Uint8Array {
    const length = this.#unsigned();
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new ProtobufError('unexpected EOF');
    const part = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return part;
  }

  double(): number {
    const value = this.#view.getFloat64(this.#advance(8), true);
    return value;
  }

  float(): number {
    return this.#view.getFloat32(this.#advance(4), true);
  }

  /** Skips an unknown field. */
  skip(wireType: number): void {
    if (wireType === wireTypes.varint) this.varint();
    else if (wireType === wireTypes.bytes) this.bytes();
    else if (wireType === wireTypes.fixed64) this.#advance(8);
    else if (wireType === wireTypes.fixed32) this.#advance(4);
    else throw new ProtobufError(`proto: illegal wireType ${wireType}`);
  }

  /** Exact up to 2^53. */
  #unsigned(): number {
    let value = 0;
    for (let scale = 1; scale <= 2 ** 63; scale *= 128) {
      const byte = this.#byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
    throw new ProtobufError('proto: integer overflow');
  }

  #byte(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw new ProtobufError('unexpected EOF');
    this.#at += 1;
    return byte;
  }

  #advance(count: number): number {
    const start = this.#at;
    if (start + count > this.#bytes.length) throw new ProtobufError('unexpected EOF');
    this.#at = start + count;
    return start;
  }
}
