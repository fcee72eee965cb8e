import { breakByte, indefinite, largestInline, majorTypes, nullByte, tags, undefinedByte } from './major-types.ts';

/** Walks over bytes that are known to be well-formed CBOR (`well-formed.ts`), so nothing here looks for their end. */
export class ItemReader {
  readonly bytes: Uint8Array;
  at = 0;
  readonly #view: DataView;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Major type of the item that comes. */
  get major(): number {
    return (this.bytes[this.at] as number) >> 5; // within bounds
  }

  get info(): number {
    return (this.bytes[this.at] as number) & 31; // within bounds
  }

  /** Null, or undefined, which pointers take for it. */
  get isNil(): boolean {
    const byte = this.bytes[this.at];
    return byte === nullByte || byte === undefinedByte;
  }

  /** Steps over a head and returns its argument; of items without a length that is 31. */
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

  /** The same for arguments that a double may not hold. */
  bigHead(): bigint {
    const start = this.at + 1;
    if (this.info !== 27) return BigInt(this.head());
    this.at = start + 8;
    return this.#view.getBigUint64(start);
  }

  /** The float whose head comes. */
  float(): number {
    const { info } = this;
    const start = this.at + 1;
    this.head();
    if (info === 25) return halfFloat(this.#view.getUint16(start));
    return info === 26 ? this.#view.getFloat32(start) : this.#view.getFloat64(start);
  }

  /** Entries or items of an array or map whose head comes; undefined when a break ends them. */
  count(): number | undefined {
    const isOpen = this.info === indefinite;
    const count = this.head();
    return isOpen ? undefined : count;
  }

  /** Steps over a break if one comes. */
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

  /** Steps over one item. */
  skip(): void {
    // Items that are still to come on each level; those of open levels have no number.
    const left: number[] = [1];
    while (left.length > 0) {
      const top = left.length - 1;
      if (left[top] === 0 || (left[top] === Infinity && this.atBreak())) {
        left.pop();
        continue;
      }
      left[top] = (left[top] as number) - 1; // within bounds; infinity stays what it is
      const { major, info } = this;
      if (major === majorTypes.bytes || major === majorTypes.text) {
        this.chunks();
        continue;
      }
      const argument = this.head();
      if (major === majorTypes.tag) left.push(1);
      else if (major === majorTypes.array) left.push(info === indefinite ? Infinity : argument);
      else if (major === majorTypes.map) left.push(info === indefinite ? Infinity : argument * 2);
    }
  }

  /** Steps over the tags that only say that this is CBOR. */
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
