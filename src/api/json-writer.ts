import { needsEscape, quoteJson } from './json-text.ts';
import type { Soon } from './soon.ts';
import { inTurns, type Work } from './turns.ts';

const initialSize = 64 * 1024;
/** A larger buffer is released after use. */
const keptSize = 1024 * 1024;
/** Longer strings are scanned by a regular expression and copied natively. */
const shortStringLength = 64;
/** Bytes written between two pauses: well under a millisecond. */
const pieceSize = 32 * 1024;
/** Characters of a string that are written between two pauses; shorter ones are not cut. */
const pieceLength = 16 * 1024;
/** Longer than any text. */
const unlimited = 0x3fffffff;
const quote = 0x22;

/** What is written later, at a position that is known now. */
interface SetAside {
  readonly position: number;
  readonly write: () => Work<void>;
}

/**
 * Writes JSON straight into bytes, several times faster than via strings. Reusable: `take` ends one text.
 *
 * A text can be written in pieces, with pauses. Writers stay plain functions: once a piece is full, they set aside the
 * collections they come to, and the rest of those they are in, and return.
 *
 *     {"kind":"Pod","spec":{"containers":[{...},{...}   ],"restartPolicy":"Always"}}
 *                                                     '-- the rest of the list, written later, in further pieces
 */
export class JsonWriter {
  private bytes: Buffer = Buffer.allocUnsafe(initialSize);
  private fullAt = unlimited;
  private pieces: Uint8Array[] = [];
  private aside: SetAside[] = [];
  /** Bytes written so far; in pieces: of the current piece. */
  length = 0;

  /** A copy of the bytes written since the last call. */
  take(): Buffer {
    const taken = Buffer.allocUnsafe(this.length);
    this.bytes.copy(taken, 0, 0, this.length);
    this.reset();
    return taken;
  }

  /** The text written since the last call. */
  takeText(): string {
    const text = this.bytes.toString('utf8', 0, this.length);
    this.reset();
    return text;
  }

  /** Discards what was written. */
  reset(): void {
    this.length = 0;
    this.fullAt = unlimited;
    if (this.aside.length > 0) this.aside = [];
    if (this.bytes.length > keptSize) this.bytes = Buffer.allocUnsafe(initialSize);
  }

  /** From here on, the text is written in pieces. */
  startPieces(): void {
    this.fullAt = pieceSize;
  }

  get isInPieces(): boolean {
    return this.fullAt === pieceSize;
  }

  /** Whether the piece is full: what is still to write should be set aside. */
  get isFull(): boolean {
    return this.length >= this.fullAt;
  }

  /** Whether anything has been set aside. */
  get isIncomplete(): boolean {
    return this.aside.length > 0;
  }

  /** Writes something later, at the current position. It calls `flush` whenever a piece is full. */
  later(write: () => Work<void>): void {
    this.aside.push({ position: this.length, write });
  }

  /** Ends a piece: writes what has been set aside in it. */
  *flush(): Work<void> {
    const { aside } = this;
    const bytes = Buffer.from(this.bytes.subarray(0, this.length));
    this.length = 0;
    this.aside = [];
    let start = 0;
    for (const { position, write } of aside) {
      this.pieces.push(bytes.subarray(start, position));
      start = position;
      yield* write();
      yield* this.flush();
    }
    this.pieces.push(bytes.subarray(start));
    yield;
  }

  /** The whole text, once everything that was set aside has been written. */
  *joined(): Work<Buffer> {
    yield* this.flush();
    const { pieces } = this;
    this.pieces = [];
    this.reset();
    return Buffer.concat(pieces);
  }

  byte(value: number): void {
    if (this.length === this.bytes.length) this.grow(1);
    this.bytes[this.length++] = value;
  }

  /** Overwrites a byte. */
  overwrite(position: number, value: number): void {
    this.bytes[position] = value;
  }

  /** ASCII characters that need no escape. */
  ascii(text: string): void {
    const size = text.length;
    if (this.length + size > this.bytes.length) this.grow(size);
    const { bytes } = this;
    let at = this.length;
    for (let i = 0; i < size; i++) bytes[at++] = text.charCodeAt(i);
    this.length = at;
  }

  /** Pre-encoded bytes, such as field names: faster than text. */
  short(source: Uint8Array): void {
    const size = source.length;
    if (this.length + size > this.bytes.length) this.grow(size);
    const { bytes } = this;
    let at = this.length;
    for (let i = 0; i < size; i++) bytes[at++] = source[i] as number; // within bounds
    this.length = at;
  }

  /** The same, copied natively. */
  long(source: Uint8Array): void {
    if (this.length + source.length > this.bytes.length) this.grow(source.length);
    this.bytes.set(source, this.length);
    this.length += source.length;
  }

  /** Text, unescaped. */
  text(text: string): void {
    if (this.length + text.length * 3 > this.bytes.length) this.grow(text.length * 3);
    this.length += this.bytes.write(text, this.length, 'utf8');
  }

  /** A string literal. */
  string(text: string): void {
    const size = text.length;
    if (size > shortStringLength) return this.longString(text, quoteJson);
    if (this.length + size + 2 > this.bytes.length) this.grow(size + 2);
    const { bytes } = this;
    let at = this.length;
    bytes[at++] = quote;
    for (let i = 0; i < size; i++) {
      const code = text.charCodeAt(i);
      if (code > 127 || needsEscape[code] === 1) return this.text(quoteJson(text));
      bytes[at++] = code;
    }
    bytes[at++] = quote;
    this.length = at;
  }

  /** The same; `encode` gives the literal of a part of the text. In pieces, it is cut. */
  longString(text: string, encode: (text: string) => string): void {
    if (text.length > pieceLength && this.isInPieces) this.later(() => this.stringPieces(text, encode));
    else this.text(encode(text));
  }

  /** Surrogate pairs are not cut. */
  private *stringPieces(text: string, encode: (text: string) => string): Work<void> {
    this.byte(quote);
    for (let start = 0; start < text.length;) {
      const last = text.charCodeAt(start + pieceLength - 1);
      const end = start + pieceLength - ((last & 0xfc00) === 0xd800 ? 1 : 0);
      this.text(encode(text.slice(start, end)).slice(1, -1));
      start = end;
      yield* this.flush();
    }
    this.byte(quote);
  }

  private grow(needed: number): void {
    const larger = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, this.length + needed));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
  }
}

/** Writing is synchronous between pauses and has no callbacks, so texts without pauses share a writer. */
let shared = new JsonWriter();

/** What `write` writes, at once. */
export function written(write: (out: JsonWriter) => void): Buffer {
  shared.reset();
  write(shared);
  return shared.take();
}

/** The same as a string. */
export function writtenText(write: (out: JsonWriter) => void): string {
  shared.reset();
  write(shared);
  return shared.takeText();
}

/** The same with pauses, in turns with other work; short texts cost no more than at once. */
export function writtenSoon(write: (out: JsonWriter) => void): Soon<Buffer> {
  const out = startedPieces(write);
  return out.isIncomplete ? inTurns(out.joined()) : out.take();
}

/** The same as work. */
export function* writtenInTurns(write: (out: JsonWriter) => void): Work<Buffer> {
  const out = startedPieces(write);
  return out.isIncomplete ? yield* out.joined() : out.take();
}

function startedPieces(write: (out: JsonWriter) => void): JsonWriter {
  const out = shared;
  out.reset();
  out.startPieces();
  write(out);
  // It goes on while others write.
  if (out.isIncomplete) shared = new JsonWriter();
  return out;
}
