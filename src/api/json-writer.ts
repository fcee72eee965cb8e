import { needsEscape, quoteJson } from './json-text.ts';
import type { Soon } from './soon.ts';
import { PieceWriter, pieceLength } from './piece-writer.ts';
import { SharedWriter } from './shared-writer.ts';
import { inTurns, type Work } from './turns.ts';

/** Longer strings are scanned by a regular expression and copied natively. */
const shortStringLength = 64;
const quote = 0x22;

/** Writes JSON straight into bytes, several times faster than via strings. */
export class JsonWriter extends PieceWriter {
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

  private *stringPieces(text: string, encode: (text: string) => string): Work<void> {
    this.byte(quote);
    yield* this.parts(text, (part) => this.text(encode(part).slice(1, -1)));
    this.byte(quote);
  }
}

const shared = new SharedWriter(() => new JsonWriter());

/** What `write` writes, at once. */
export function written(write: (out: JsonWriter) => void): Buffer {
  return shared.written(write).take();
}

/** The same as a string. */
export function writtenText(write: (out: JsonWriter) => void): string {
  return shared.written(write).takeText();
}

/** The same with pauses, in turns with other work; short texts cost no more than at once. */
export function writtenSoon(write: (out: JsonWriter) => void): Soon<Buffer> {
  const out = shared.started(write);
  return out.isIncomplete ? inTurns(out.joined()) : out.take();
}

/** The same as work. */
export function writtenInTurns(write: (out: JsonWriter) => void): Work<Buffer> {
  return shared.inTurns(write);
}
