import { needsEscape, quoteJson } from './json-text.ts';

const initialSize = 64 * 1024;
/** A larger buffer is released after use. */
const keptSize = 1024 * 1024;
/** Longer strings are scanned by a regular expression and copied natively. */
const shortStringLength = 64;
const quote = 0x22;

/** Writes JSON straight into bytes, several times faster than via strings. Reusable: `take` ends one text. */
export class JsonWriter {
  private bytes: Buffer = Buffer.allocUnsafe(initialSize);
  /** Bytes written so far. */
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
    if (this.bytes.length > keptSize) this.bytes = Buffer.allocUnsafe(initialSize);
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
    if (size > shortStringLength) return this.text(quoteJson(text));
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

  private grow(needed: number): void {
    const larger = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, this.length + needed));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
  }
}
