import { ByteWriter } from '../bytes/byte-writer.ts';
import { needsEscape, quoteJson } from './json-text.ts';

/** Longer strings are scanned by a regular expression and copied natively. */
const shortStringLength = 64;
const quote = 0x22;

/** Writes JSON. */
export class JsonWriter extends ByteWriter {
  /** The text written since the last call. */
  takeText(): string {
    const text = this.bytes.toString('utf8', 0, this.length);
    this.reset();
    return text;
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
}

/** Shared by all texts: writing is synchronous and calls nothing that writes. */
const shared = new JsonWriter();

/** What `write` writes. */
export function written(write: (out: JsonWriter) => void): Buffer {
  shared.reset();
  write(shared);
  return shared.take();
}

/** What `write` writes, as a string. */
export function writtenText(write: (out: JsonWriter) => void): string {
  shared.reset();
  write(shared);
  return shared.takeText();
}
