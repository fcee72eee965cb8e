import { candidates, type NumberRange, reservedCount } from './number-range.ts';

/** `base <= port < base + size`. */
export interface NodePortRange {
  readonly base: number;
  readonly size: number;
}

/** `30000-32767` */
export function formatPortRange({ base, size }: NodePortRange): string {
  return `${base}-${base + size - 1}`;
}

/** Undefined for malformed ranges. */
export function parsePortRange(text: string): NodePortRange | undefined {
  const [, first = '', last = ''] = /^(\d{1,5})-(\d{1,5})$/.exec(text) ?? [];
  if (first === '' || Number(last) < Number(first)) return undefined;
  return { base: Number(first), size: Number(last) - Number(first) + 1 };
}

/**
 * The allocated ports of a range. Stored as the number whose bit n stands for port `base + n`, big-endian in as few
 * bytes as possible:
 *
 *     30000-32767, with 30000 and 30009 allocated: 2^0 + 2^9 = 0x0201
 */
export class PortBitmap {
  readonly range: NodePortRange;
  /** Little-endian. */
  readonly #bytes: Uint8Array;

  constructor(range: NodePortRange, stored: Uint8Array = new Uint8Array()) {
    this.range = range;
    this.#bytes = new Uint8Array(Math.max(Math.ceil(range.size / 8), stored.length));
    this.#bytes.set(stored.toReversed());
  }

  includes(port: number): boolean {
    return port >= this.range.base && port < this.range.base + this.range.size;
  }

  has(port: number): boolean {
    const bit = port - this.range.base;
    return this.includes(port) && ((this.#bytes[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0;
  }

  set(port: number): void {
    const bit = port - this.range.base;
    if (this.includes(port)) this.#bytes[bit >> 3] = (this.#bytes[bit >> 3] ?? 0) | (1 << (bit & 7));
  }

  clear(port: number): void {
    const bit = port - this.range.base;
    if (this.includes(port)) this.#bytes[bit >> 3] = (this.#bytes[bit >> 3] ?? 0) & ~(1 << (bit & 7));
  }

  /** Undefined when all are allocated. */
  findFree(): number | undefined {
    for (const number of candidates(this.#numbers())) if (!this.has(Number(number))) return Number(number);
    return undefined;
  }

  *ports(): Generator<number> {
    for (const [index, byte] of this.#bytes.entries()) {
      if (byte === 0) continue;
      const first = this.range.base + index * 8;
      for (let port = first; port < first + 8; port++) if (this.has(port)) yield port;
    }
  }

  get taken(): number {
    return [...this.ports()].length;
  }

  copy(): PortBitmap {
    return new PortBitmap(this.range, this.stored());
  }

  stored(): Uint8Array {
    const length = this.#bytes.findLastIndex((byte) => byte !== 0) + 1;
    return this.#bytes.subarray(0, length).toReversed();
  }

  equals(other: PortBitmap): boolean {
    return Buffer.from(this.stored()).equals(other.stored());
  }

  #numbers(): NumberRange {
    const first = BigInt(this.range.base);
    const size = BigInt(this.range.size);
    return { first, last: first + size - 1n, dynamicFrom: first + reservedCount(size, { step: 32n, max: 128n }) };
  }
}
