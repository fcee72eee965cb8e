import { isUtf8 } from 'node:buffer';
import { type JsonObject, type JsonValue, setOwn } from '../../api/json/json.ts';
import { compareBytewise } from '../../api/json/json-text.ts';
import { keepNotes, noteFloat } from '../../api/json/written-notes.ts';
import { decodeUtf8 } from '../decode-utf8.ts';
import { CborError, CborTypeError, duplicateKey, quoteBytes, unacceptable } from './cbor-errors.ts';
import { epochTimeText, timeText } from './cbor-times.ts';
import type { ItemReader } from './item-reader.ts';
import { breakByte, majorTypes, maxInt64, nullByte, tags, typeName } from './major-types.ts';
import { isLaterEncoding, laterEncoded } from './text-conversion.ts';

/** The name of the limit for untyped values, in errors. */
const int64 = "Go's int64";

/** Decodes one entry of a map whose Go type has no field per key. */
export interface MapTarget {
  readonly keyType: string;
  /** Decodes a value; `previous` is that of the previous entry, which Go keeps for nulls. */
  value(previous: JsonValue): JsonValue;
  /** Go decodes successive values into the same variable, which null leaves unchanged. */
  readonly keepsPrevious: boolean;
}

/** In place of errors that nobody is told: a map may have hundreds of thousands. */
const furtherError = new CborError('not the first error');

/**
 * Decodes well-formed CBOR to plain data with the semantics of the reference's decoder: the first error is kept and
 * decoding continues, and a container's own errors (duplicates) precede those of its contents. After each item `error`
 * is its error.
 */
export class AnyDecoder {
  readonly reader: ItemReader;
  error: CborError | undefined;
  /** Enclosing "expected later encoding" tags; the innermost counts. */
  protected readonly laterEncodings: number[] = [];
  /** The last string: maps compare keys by their bytes. */
  protected lastString: Uint8Array = new Uint8Array();
  /** Whether the last number of unknown type was a float. */
  #isFloat = false;
  /** An enclosing map has an error: of further ones it only matters that they are there. */
  #hasFirstError = false;

  constructor(reader: ItemReader) {
    this.reader = reader;
  }

  /** The item as Go decodes it into an empty interface. */
  any(): JsonValue {
    const { reader } = this;
    reader.skipSelfDescribed();
    if (!this.checkTags()) return null;
    const before = this.laterEncodings.length;
    while (reader.major === majorTypes.tag && !this.#atTime()) this.enterTag();
    const value = this.#untagged();
    this.laterEncodings.length = before;
    return value;
  }

  /** Whether a time tag follows. */
  #atTime(): boolean {
    const { reader } = this;
    const start = reader.at;
    const tag = reader.head();
    reader.at = start;
    return tag === tags.timeText || tag === tags.epochTime;
  }

  /** Skips a tag; what it means for byte strings holds until `laterEncodings` is truncated again. */
  protected enterTag(): void {
    const tag = this.reader.head();
    if (isLaterEncoding(tag)) this.laterEncodings.push(tag);
  }

  /** True when all tags fit their item; otherwise the item is skipped. */
  protected checkTags(): boolean {
    const { reader } = this;
    const start = reader.at;
    while (reader.major === majorTypes.tag) {
      const why = misplaced(reader.head(), reader);
      if (why === undefined) continue;
      this.error = new CborError(`cbor: ${why}`);
      reader.skip();
      return false;
    }
    reader.at = start;
    return true;
  }

  #untagged(): JsonValue {
    const { reader } = this;
    switch (reader.major) {
      case majorTypes.positive:
      case majorTypes.negative:
        return this.#integer();
      case majorTypes.bytes:
        return this.byteString();
      case majorTypes.text:
        return this.textString();
      case majorTypes.array:
        return this.items(() => this.any());
      case majorTypes.map:
        return this.anyMap();
      case majorTypes.tag:
        return this.#time();
      default:
        return this.#primitive();
    }
  }

  #integer(): JsonValue {
    const { major } = this.reader;
    const argument = this.reader.bigHead();
    if (argument <= maxInt64) return plainInteger(major === majorTypes.negative ? -1n - argument : argument);
    this.error = overflow(major, argument, 'int64', int64);
    return null;
  }

  #primitive(): JsonValue {
    const { reader } = this;
    const { info } = reader;
    this.#isFloat = info >= 25;
    if (this.#isFloat) return reader.float();
    const value = reader.head();
    if (value === 20 || value === 21) return value === 21;
    if (value !== 22) this.error = notRecognized(value);
    return null;
  }

  /** A tagged time, as text. */
  #time(): JsonValue {
    const { reader } = this;
    try {
      if (reader.head() === tags.timeText) {
        const text = this.textString();
        return this.error === undefined ? timeText(text) : null;
      }
      const { major } = reader;
      if (major === majorTypes.primitive) return epochTimeText(reader.float());
      const argument = reader.bigHead();
      if (argument > maxInt64) throw overflow(major, argument, 'time.Time', int64);
      return epochTimeText(Number(major === majorTypes.negative ? -1n - argument : argument));
    } catch (error) {
      if (!(error instanceof CborError)) throw error;
      this.error = error;
      return null;
    }
  }

  /** Text of a byte string, which need not be valid UTF-8. */
  protected byteString(): string {
    this.lastString = joined(this.reader.chunks());
    const tag = this.laterEncodings.at(-1);
    return tag === undefined ? decodeUtf8(this.lastString) : laterEncoded(this.lastString, tag);
  }

  protected textString(): string {
    const chunks = this.reader.chunks();
    this.lastString = joined(chunks);
    if (chunks.every((chunk) => isUtf8(chunk))) return Buffer.from(this.lastString).toString('utf8');
    this.error = new CborError('cbor: invalid UTF-8 string');
    return '';
  }

  /** All items of an array; the first error of an item is that of the array. */
  protected items(item: () => JsonValue): JsonValue[] {
    const { reader } = this;
    const count = reader.count();
    const values: JsonValue[] = [];
    for (let i = 0; this.more(i, count); i++) {
      values.push(this.#noted(item(), values, i));
      if (this.error === undefined) continue;
      // Neither values nor errors of the others matter.
      this.#skipItems(i + 1, count);
      break;
    }
    return values;
  }

  /** A map of unknown type. */
  protected anyMap(): JsonValue {
    return sorted(this.entries({ keyType: 'string', keepsPrevious: false, value: () => this.any() }));
  }

  /** All entries of a map. */
  protected entries(target: MapTarget): JsonObject {
    const count = this.reader.count();
    const object: JsonObject = {};
    const seen = new Set<string>();
    let first: CborError | undefined;
    let key = '';
    let keyBytes: Uint8Array = new Uint8Array();
    let previous: JsonValue = null;
    const hadError = this.#hasFirstError;
    for (let i = 0; this.more(i, count); i++) {
      this.#hasFirstError ||= first !== undefined;
      this.lastString = keyBytes;
      key = this.string(target.keyType, key);
      keyBytes = this.laterEncodings.length === 0 ? this.lastString : Buffer.from(key);
      const badKey = this.takeError();
      if (badKey !== undefined) {
        first ??= badKey;
        this.reader.skip();
        continue;
      }
      const value: JsonValue = target.value(previous);
      if (target.keepsPrevious) previous = value;
      const badValue = this.takeError();
      first ??= badValue;
      if (badValue !== undefined) continue;
      const identity = Buffer.from(keyBytes.buffer, keyBytes.byteOffset, keyBytes.length).toString('latin1');
      if (seen.has(identity)) {
        this.skipEntries(i + 1, count);
        first = duplicateKey(quoteBytes(keyBytes), i);
        break;
      }
      seen.add(identity);
      setOwn(object, key, this.#noted(value, object, key));
    }
    this.#hasFirstError = hadError;
    this.error = first;
    return object;
  }

  /** A member, of which its container notes whether it is a float although it is whole. */
  #noted(value: JsonValue, container: object, key: string | number): JsonValue {
    if (this.#isFloat && Number.isSafeInteger(value)) noteFloat(container, key);
    this.#isFloat = false;
    return value;
  }

  /** A Go string; null leaves the previous value. */
  protected string(goType: string, previous: string): string {
    const { reader } = this;
    reader.skipSelfDescribed();
    if (!this.checkTags()) return previous;
    const before = this.laterEncodings.length;
    while (reader.major === majorTypes.tag) this.enterTag();
    const { major } = reader;
    const isString = major === majorTypes.bytes || major === majorTypes.text;
    const value = isString ? this.anyString(major) : this.mismatch(goType, previous);
    this.laterEncodings.length = before;
    return value;
  }

  protected anyString(major: number): string {
    return major === majorTypes.bytes ? this.byteString() : this.textString();
  }

  /** Skips an item that does not fit the Go type; null fits, and leaves the previous value. */
  protected mismatch<T extends JsonValue>(goType: string, previous: T): T {
    const { reader } = this;
    const { major, info } = reader;
    if (major === majorTypes.primitive && info < 25) {
      const value = reader.head();
      if (value === (nullByte & 31)) return previous;
      this.error = value === 20 || value === 21 ? this.#mismatchOf(major, goType) : notRecognized(value);
      return previous;
    }
    if (major === majorTypes.negative) {
      const argument = reader.bigHead();
      this.error = argument > maxInt64 ? overflow(major, argument, goType, int64) : this.#mismatchOf(major, goType);
      return previous;
    }
    if (major === majorTypes.text) {
      this.textString();
      if (this.error !== undefined) return previous;
    } else reader.skip();
    this.error = this.#mismatchOf(major, goType);
    return previous;
  }

  #mismatchOf(major: number, goType: string): CborError {
    return this.#hasFirstError ? furtherError : new CborTypeError(typeName(major), goType);
  }

  protected takeError(): CborError | undefined {
    const { error } = this;
    this.error = undefined;
    return error;
  }

  /** Whether there is an item or entry `i`; skips the break of indefinite-length containers. */
  protected more(i: number, count: number | undefined): boolean {
    return count === undefined ? !this.reader.atBreak() : i < count;
  }

  protected skipEntries(from: number, count: number | undefined): void {
    for (let i = from; this.more(i, count); i++) {
      this.reader.skip();
      this.reader.skip();
    }
  }

  #skipItems(from: number, count: number | undefined): void {
    for (let i = from; this.more(i, count); i++) {
      this.reader.skip();
    }
  }
}

/** Why an item must not follow a tag; undefined when it may. */
function misplaced(tag: number, reader: ItemReader): string | undefined {
  const { major } = reader;
  if (tag === tags.timeText && major !== majorTypes.text) {
    return `tag number 0 must be followed by text string, got ${typeName(major)}`;
  }
  if (tag !== tags.epochTime || major === majorTypes.positive || major === majorTypes.negative) return undefined;
  const head = reader.bytes[reader.at] ?? breakByte;
  if (head >= 0xf9 && head <= 0xfb) return undefined;
  return `tag number 1 must be followed by integer or floating-point number, got ${typeName(major)}`;
}

function notRecognized(value: number): CborError {
  return unacceptable(typeName(majorTypes.primitive), `simple value ${value} is not recognized`);
}

/** An integer above `limit`. */
export function overflow(major: number, argument: bigint, goType: string, limit: string): CborTypeError {
  const value = major === majorTypes.negative ? -1n - argument : argument;
  return new CborTypeError(typeName(major), goType, { why: `${value} overflows ${limit}` });
}

export function plainInteger(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

export function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const [only] = chunks;
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
}

/** Raw values are kept as the JSON that Go writes for a map: with sorted keys. */
export function sorted(object: JsonObject): JsonObject {
  const keys = Object.keys(object);
  let inOrder = true;
  for (let i = 1; i < keys.length && inOrder; i++) inOrder = compareBytewise(keys[i - 1] ?? '', keys[i] ?? '') < 0;
  if (inOrder) return object;
  const copy: JsonObject = {};
  for (const key of keys.sort(compareBytewise)) setOwn(copy, key, object[key] ?? null);
  return keepNotes(object, copy);
}
