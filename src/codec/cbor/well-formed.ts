import { checkCollections } from '../body-limits.ts';
import { CborError, unacceptable } from './cbor-errors.ts';
import { halfFloat } from './item-reader.ts';
import {
  breakByte,
  indefinite,
  largestInline,
  majorTypes,
  maxInt64,
  nullByte,
  tags,
  typeName,
  undefinedByte,
} from './major-types.ts';

/**
 * Maximum nesting of containers and tags. The reference allows 10000, which would overflow the stack of recursive
 * readers.
 */
export const maxNestedLevels = 1_000;
const maxArrayElements = 2_147_483_647n;
const maxMapPairs = 2_097_152n;

const unexpectedEnd = 'unexpected EOF';

/** An open array, map or tag. */
interface Level {
  readonly major: number;
  readonly depth: number;
  /** Remaining items, for maps keys and values; undefined for an indefinite length. */
  left: number | undefined;
  /** Items so far, for indefinite lengths. */
  seen: number;
}

/**
 * Accepts exactly one well-formed data item; errors occur in the reference's order. Throws CborError and
 * BodyLimitError.
 */
export function checkWellFormed(bytes: Uint8Array): void {
  if (bytes.length === 0) throw new CborError('EOF');
  const scanner = new Scanner(bytes);
  scanner.scan();
  const rest = bytes.length - scanner.at;
  if (rest > 0) throw new CborError(`cbor: ${rest} bytes of extraneous data starting at index ${scanner.at}`);
}

class Scanner {
  at = 0;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #levels: Level[] = [];
  #major = 0;
  #info = 0;
  /** Counts arrays, maps, nulls (which can stand for them) and chunks of strings. */
  #collections = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  scan(): void {
    this.#item(0);
    for (let level = this.#levels.at(-1); level !== undefined; level = this.#levels.at(-1)) {
      if (this.#ends(level)) this.#levels.pop();
      else this.#item(level.depth);
    }
  }

  /** Whether a level is complete; otherwise counts the next item. */
  #ends(level: Level): boolean {
    if (level.left !== undefined) {
      if (level.left === 0) return true;
      level.left -= 1;
      return false;
    }
    if (level.major === majorTypes.map && level.seen % 2 === 0 && level.seen / 2 > maxMapPairs) {
      throw tooMany(level.major);
    }
    if (this.at === this.#bytes.length) throw new CborError(unexpectedEnd);
    if (this.#bytes[this.at] !== breakByte) {
      level.seen++;
      return false;
    }
    this.at++;
    if (level.major === majorTypes.map && level.seen % 2 === 1) throw unexpectedBreak();
    return true;
  }

  /** One item without its contents. */
  #item(depth: number): void {
    const argument = this.#head();
    switch (this.#major) {
      case majorTypes.bytes:
      case majorTypes.text:
        if (this.#info === indefinite) this.#chunks(this.#major);
        else this.#content(argument);
        return;
      case majorTypes.array:
      case majorTypes.map:
        this.#container(argument, depth + 1);
        return;
      case majorTypes.tag:
        this.#tags(argument, depth);
        return;
    }
  }

  #container(argument: bigint, depth: number): void {
    const major = this.#major;
    checkCollections(++this.#collections);
    checkDepth(depth);
    if (this.#info === indefinite) {
      this.#levels.push({ major, depth, left: undefined, seen: 0 });
      return;
    }
    if (argument > maxInt64) throw tooLong(major, argument, 'it would cause integer overflow');
    if (argument > (major === majorTypes.array ? maxArrayElements : maxMapPairs)) throw tooMany(major);
    const entries = Number(argument);
    this.#levels.push({ major, depth, left: major === majorTypes.map ? entries * 2 : entries, seen: 0 });
  }

  #tags(first: bigint, start: number): void {
    let number = first;
    let depth = start;
    for (;;) {
      if (this.at === this.#bytes.length) throw new CborError(unexpectedEnd);
      if (number === BigInt(tags.positiveBignum) || number === BigInt(tags.negativeBignum)) {
        throw unacceptable('tag', 'bignum');
      }
      if ((this.#bytes[this.at] ?? 0) >> 5 !== majorTypes.tag) break;
      number = this.#head();
      depth++;
      checkDepth(depth);
    }
    this.#levels.push({ major: majorTypes.tag, depth, left: 1, seen: 0 });
  }

  #content(length: bigint): void {
    if (length > maxInt64) throw tooLong(this.#major, length, 'causing integer overflow');
    if (BigInt(this.#bytes.length - this.at) < length) throw new CborError(unexpectedEnd);
    this.at += Number(length);
  }

  #chunks(major: number): void {
    for (;;) {
      const byte = this.#bytes[this.at];
      if (byte === undefined) throw new CborError(unexpectedEnd);
      if (byte === breakByte) break;
      if (byte >> 5 !== major) {
        throw new CborError(`cbor: wrong element type ${typeName(byte >> 5)} for indefinite-length ${typeName(major)}`);
      }
      if ((byte & 31) === indefinite) {
        throw new CborError(`cbor: indefinite-length ${typeName(major)} chunk is not definite-length`);
      }
      checkCollections(++this.#collections);
      this.#content(this.#head());
    }
    this.at++;
  }

  /** Skips a head and returns its argument. */
  #head(): bigint {
    const byte = this.#bytes[this.at];
    if (byte === undefined) throw new CborError(unexpectedEnd);
    this.at++;
    const major = byte >> 5;
    const info = byte & 31;
    this.#major = major;
    this.#info = info;
    if (byte === nullByte || byte === undefinedByte) checkCollections(++this.#collections);
    if (info <= largestInline) return BigInt(info);
    if (info > 27) return this.#withoutArgument(major, info);
    const size = 1 << (info - 24);
    const start = this.at;
    if (this.#bytes.length - start < size) throw new CborError(unexpectedEnd);
    this.at += size;
    if (major === majorTypes.primitive) this.#checkPrimitive(info, start);
    if (size === 1) return BigInt(this.#view.getUint8(start));
    if (size === 2) return BigInt(this.#view.getUint16(start));
    return size === 4 ? BigInt(this.#view.getUint32(start)) : this.#view.getBigUint64(start);
  }

  #withoutArgument(major: number, info: number): bigint {
    const isOpen = info === indefinite;
    if (isOpen && major === majorTypes.primitive) throw unexpectedBreak();
    if (!isOpen || major === majorTypes.positive || major === majorTypes.negative || major === majorTypes.tag) {
      throw new CborError(`cbor: invalid additional information ${info} for type ${typeName(major)}`);
    }
    return BigInt(info);
  }

  #checkPrimitive(info: number, start: number): void {
    if (info === 24) {
      const value = this.#view.getUint8(start);
      if (value < 32) throw new CborError(`cbor: invalid simple value ${value} for type ${typeName(7)}`);
      return;
    }
    const float =
      info === 25
        ? halfFloat(this.#view.getUint16(start))
        : info === 26
          ? this.#view.getFloat32(start)
          : this.#view.getFloat64(start);
    if (Number.isNaN(float)) throw unacceptable(typeName(7), 'floating-point NaN');
    if (!Number.isFinite(float)) throw unacceptable(typeName(7), 'floating-point infinity');
  }
}

function checkDepth(depth: number): void {
  if (depth > maxNestedLevels) throw new CborError(`cbor: exceeded max nested level ${maxNestedLevels}`);
}

function tooLong(major: number, length: bigint, why: string): CborError {
  return new CborError(`cbor: ${typeName(major)} length ${length} is too large, ${why}`);
}

function tooMany(major: number): CborError {
  return major === majorTypes.array
    ? new CborError(`cbor: exceeded max number of elements ${maxArrayElements} for CBOR array`)
    : new CborError(`cbor: exceeded max number of key-value pairs ${maxMapPairs} for CBOR map`);
}

function unexpectedBreak(): CborError {
  return new CborError('cbor: unexpected "break" code');
}
