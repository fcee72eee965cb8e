import { breakByte, indefinite, largestInline, majorTypes, nullByte, tags, undefinedByte } from './major-types.ts';

/** Reads bytes known to be well-formed CBOR (`well-formed.ts`), without bounds checks. */
export class ItemReader {
  readonly bytes: Uint8Array;
  at = 0;
  readonly #view: DataView;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Major type of the next item. */
  get major(): number {
    return (this.bytes[this.at] as number) >> 5; // within bounds
  }

  get info(): number {
    return (this.bytes[this.at] as number) & 31; // within bounds
  }

  /** Null or undefined, which are equivalent for pointers. */
  get isNil(): boolean {
    const byte = this.bytes[this.at];
    return byte === nullByte || byte === undefinedByte;
  }

  /** Skips a head and returns its argument; 31 for indefinite lengths. */
  head(): number {
    const { info } = this;
    const start = this.at + 1;
    this.at = start;
    if (info <= largestInline || info === indefinite) return info;
    this.at += 1 << (info - 24);
    if (info === 24) return this.#view.getUint8(start);
    if (info === 25) return this.#view.getUint16(start);
    if (info === 26) return this.#view.getUint32(start);
    return this.#view.getUint32(start) * 2 ** 32 + this.#view.getUint32(start + 4);
  }

  /** Skips a head and returns its argument, which may exceed a double. */
  bigHead(): bigint {
    const start = this.at + 1;
    if (this.info !== 27) return BigInt(this.head());
    this.at = start + 8;
    return this.#view.getBigUint64(start);
  }

  /** The float at the current head. */
  float(): number {
    const { info } = this;
    const start = this.at + 1;
    this.head();
    if (info === 25) return halfFloat(this.#view.getUint16(start));
    return info === 26 ? this.#view.getFloat32(start) : this.#view.getFloat64(start);
  }

  /** Number of entries or items of the array or map at the current head; undefined for an indefinite length. */
  count(): number | undefined {
    const isOpen = this.info === indefinite;
    const count = this.head();
    return isOpen ? undefined : count;
  }

  /** Skips a break, if present. */
  atBreak(): boolean {
    if (this.bytes[this.at] !== breakByte) return false;
    this.at++;
    return true;
  }

  /** Content of a string, chunk by chunk. */
  chunks(): Uint8Array[] {
    if (this.info !== indefinite) return [this.#chunk()];
    this.at++;
    const chunks: Uint8Array[] = [];
    while (!this.atBreak()) chunks.push(this.#chunk());
    return chunks;
  }

  /** Skips one item. */
  skip(): void {
    if (!this.#skipScalar()) this.#skipNested();
  }

  /** Skips one item that has no items of its own; false if it has. */
  #skipScalar(): boolean {
    const byte = this.bytes[this.at] as number; // within bounds
    const major = byte >> 5;
    const info = byte & 31;
    if (major === majorTypes.array || major === majorTypes.map || major === majorTypes.tag) return false;
    const isString = major === majorTypes.bytes || major === majorTypes.text;
    if (info <= largestInline) this.at += isString ? 1 + info : 1;
    else if (info === indefinite) this.chunks();
    else {
      const argument = this.head();
      if (isString) this.at += argument;
    }
    return true;
  }

  #skipNested(): void {
    // Remaining items per level; infinite for indefinite lengths.
    const left: number[] = [1];
    while (left.length > 0) {
      const top = left.length - 1;
      if (left[top] === 0 || (left[top] === Infinity && this.atBreak())) {
        left.pop();
        continue;
      }
      left[top] = (left[top] as number) - 1; // within bounds; infinity minus one is infinity
      if (this.#skipScalar()) continue;
      const { major, info } = this;
      const argument = this.head();
      if (major === majorTypes.tag) left.push(1);
      else if (major === majorTypes.array) left.push(info === indefinite ? Infinity : argument);
      else if (major === majorTypes.map) left.push(info === indefinite ? Infinity : argument * 2);
    }
  }

  /** Skips self-described CBOR tags. */
  skipSelfDescribed(): void {
    while (this.major === majorTypes.tag) {
      const start = this.at;
      if (this.head() === tags.selfDescribed) continue;
      this.at = start;
      return;
    }
  }

  #chunk(): Uint8Array {
    const length = this.head();
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }
}

/** RFC 8949 appendix D. */
export function halfFloat(bits: number): number {
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  const sign = bits >> 15 === 0 ? 1 : -1;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
  return sign * (fraction + 1024) * 2 ** (exponent - 25);
}
