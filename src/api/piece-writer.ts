import type { Work } from './turns.ts';

const initialSize = 64 * 1024;
/** A larger buffer is released after use. */
const keptSize = 1024 * 1024;
/** Bytes written between two pauses: well under a millisecond. */
const pieceSize = 32 * 1024;
/** Characters of a string that are written between two pauses; shorter ones are not cut. */
export const pieceLength = 16 * 1024;
/** Collections in collections that are written at once; what is deeper is set aside. */
const mostNested = 200;
/** Longer than any text. */
const unlimited = 0x3fffffff;

/** What is written later, at a position that is known now. */
interface SetAside {
  readonly position: number;
  readonly write: () => Work<void>;
}

/**
 * Writes a text straight into bytes. Reusable: `take` ends one text.
 *
 * A text can be written in pieces, with pauses. Writers stay plain functions: once a piece is full, they set aside the
 * collections they come to, and the rest of those they are in, and return.
 *
 *     {"kind":"Pod","spec":{"containers":[{...},{...}   ],"restartPolicy":"Always"}}
 *                                                     '-- the rest of the list, written later, in further pieces
 */
export class PieceWriter {
  protected bytes: Buffer = Buffer.allocUnsafe(initialSize);
  private fullAt = unlimited;
  private pieces: Uint8Array[] = [];
  private aside: SetAside[] = [];
  /** Bytes written so far; in pieces: of the current piece. */
  length = 0;
  /** Collections in which the current position is, as far as they are written by calls within calls. */
  nested = 0;

  /** A copy of the bytes written since the last call. */
  take(): Buffer {
    const taken = Buffer.allocUnsafe(this.length);
    this.bytes.copy(taken, 0, 0, this.length);
    this.reset();
    return taken;
  }

  /** Discards what was written. */
  reset(): void {
    this.length = 0;
    this.nested = 0;
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

  /** Whether the piece is full, or too deep: what is still to write should be set aside. */
  get isFull(): boolean {
    return this.length >= this.fullAt || (this.nested >= mostNested && this.isInPieces);
  }

  /** Whether anything has been set aside. */
  get isIncomplete(): boolean {
    return this.aside.length > 0;
  }

  /** Writes something later, at the current position. It calls `flush` whenever a piece is full. */
  later(write: () => Work<void>): void {
    this.aside.push({ position: this.length, write });
  }

  /** What has been set aside behind `start` moves by `bytes`. */
  protected moveAside(start: number, bytes: number): void {
    for (let i = this.aside.length - 1; i >= 0; i--) {
      const { position, write } = this.aside[i] as SetAside; // within bounds
      if (position < start) break;
      this.aside[i] = { position: position + bytes, write };
    }
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

  /** Writes a long string part by part. Surrogate pairs are not cut. */
  protected *parts(text: string, write: (part: string) => void): Work<void> {
    for (let start = 0; start < text.length;) {
      const last = text.charCodeAt(start + pieceLength - 1);
      const end = start + pieceLength - ((last & 0xfc00) === 0xd800 ? 1 : 0);
      write(text.slice(start, end));
      start = end;
      yield* this.flush();
    }
  }

  protected grow(needed: number): void {
    const larger = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, this.length + needed));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
  }
}
