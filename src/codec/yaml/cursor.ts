import type { YamlText } from './decode-text.ts';
import { scannerError, YamlError } from './error.ts';

/** A position in the text; `index` and `column` count characters, `line` starts at 0. */
export interface Mark {
  readonly index: number;
  readonly line: number;
  readonly column: number;
}

/** Marks the end of the text, as in the reference: the character itself is not allowed. */
export const end = '';
/** Marks the end of the text in place of a code unit. */
export const endCode = -1;

export const tab = 0x09;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
export const space = 0x20;
export const hash = 0x23;
const nextLine = 0x85;
const lineSeparator = 0x2028;
const paragraphSeparator = 0x2029;
const zero = 0x30;
const upperA = 0x41;
const lowerA = 0x61;
const minus = 0x2d;
const point = 0x2e;

/** Reads characters, and runs of them at once, and tracks the position. */
export class Cursor {
  readonly text: string;
  private readonly problem: string | undefined;
  private readonly failsFrom: number;
  /** Up to where the text can be read. */
  private readonly limit: number;
  /** Whether some characters are two code units. */
  private readonly hasPairs: boolean;
  /** In `text`. */
  offset = 0;
  index = 0;
  line = 0;
  column = 0;

  constructor({ text, problem, failsFrom }: YamlText) {
    this.text = text;
    this.problem = problem;
    this.failsFrom = failsFrom;
    this.limit = Math.min(failsFrom, text.length);
    this.hasPairs = highSurrogate.test(text);
  }

  get mark(): Mark {
    return { index: this.index, line: this.line, column: this.column };
  }

  /** The character at the cursor, or `ahead` of it (with only ASCII in between). */
  peek(ahead = 0): string {
    const at = this.offset + ahead;
    if (at >= this.failsFrom) throw this.unreadable();
    return at < this.text.length ? (this.text[at] as string) : end; // within bounds
  }

  /** The code unit at the cursor, or `ahead` of it (with only ASCII in between). */
  code(ahead = 0): number {
    return this.codeAt(this.offset + ahead);
  }

  private codeAt(at: number): number {
    if (at >= this.failsFrom) throw this.unreadable();
    return at < this.text.length ? this.text.charCodeAt(at) : endCode;
  }

  private unreadable(): YamlError {
    return new YamlError(`yaml: ${this.problem}`);
  }

  startsWith(text: string): boolean {
    this.peek();
    return this.text.startsWith(text, this.offset);
  }

  /** Consumes one character other than a line break, and returns it. */
  take(): string {
    const first = this.text[this.offset] ?? end;
    const isPair = first >= '\ud800' && first <= '\udbff';
    const character = isPair ? this.text.slice(this.offset, this.offset + 2) : first;
    this.offset += character.length;
    this.index++;
    this.column++;
    return character;
  }

  /** Consumes and returns a match of the sticky `pattern`, which has no line breaks: faster than one by one. */
  takeRun(pattern: RegExp): string {
    pattern.lastIndex = this.offset;
    if (!pattern.test(this.text)) return '';
    const start = this.offset;
    this.skipTo(Math.min(pattern.lastIndex, this.failsFrom));
    return this.text.slice(start, this.offset);
  }

  /** Consumes characters up to a line break or one of `stops`. */
  skipUntil(stops: AsciiSet): void {
    const { text, limit } = this;
    let at = this.offset;
    for (; at < limit; at++) {
      const code = text.charCodeAt(at);
      if (code < 0x80 ? stops[code] !== 0 : isBreakCode(code)) break;
    }
    this.skipTo(at);
  }

  private skipTo(end: number): void {
    const characters = this.hasPairs ? countCharacters(this.text, this.offset, end) : end - this.offset;
    this.offset = end;
    this.index += characters;
    this.column += characters;
  }

  /** The hexadecimal number of `length` digits, `ahead` of the cursor; undefined if it is none. */
  peekHexadecimal(length: number, ahead = 0): number | undefined {
    let number = 0;
    for (let i = ahead; i < ahead + length; i++) {
      const digit = hexadecimalDigit(this.code(i));
      if (digit === undefined) return undefined;
      number = number * 16 + digit;
    }
    return number;
  }

  /** Consumes `count` characters of the Basic Multilingual Plane; steps back if it is negative. */
  skip(count = 1): void {
    this.offset += count;
    this.index += count;
    this.column += count;
  }

  skipSpaces(): void {
    const { text, limit } = this;
    let at = this.offset;
    while (at < limit && text.charCodeAt(at) === space) at++;
    this.skip(at - this.offset);
  }

  /** Skips spaces and tabs, and returns the offset after them. */
  skipBlanks(): number {
    const { text, limit } = this;
    let at = this.offset;
    while (at < limit && isBlankCode(text.charCodeAt(at))) at++;
    this.skip(at - this.offset);
    return at;
  }

  /**
   * Skips line breaks, spaces in columns before `spacesTo`, and tabs in columns from `tabsFrom` on, where the line has
   * nothing else so far.
   */
  skipWhiteSpace(spacesTo: number, tabsFrom: number): void {
    const { text, limit, offset: start } = this;
    let at = start;
    let lineAt = start - this.column;
    let lines = 0;
    while (at < limit) {
      const code = text.charCodeAt(at);
      const column = at - lineAt;
      if ((code === space && column < spacesTo) || (code === tab && column >= tabsFrom)) at++;
      else if (isBreakCode(code)) {
        at += this.breakWidth(at);
        lineAt = at;
        lines++;
      } else break;
    }
    this.offset = at;
    this.index += at - start;
    this.line += lines;
    this.column = at - lineAt;
  }

  /** Skips a comment, if present. */
  skipComment(): void {
    if (this.code() === hash) this.skipUntil(lineStops);
  }

  /** Consumes a line break and returns it as it counts in a scalar: a line feed, except for those of Unicode. */
  takeBreak(): string {
    const first = this.peek();
    const width = this.breakWidth(this.offset);
    this.offset += width;
    this.index += width;
    this.line++;
    this.column = 0;
    return first === '\u2028' || first === '\u2029' ? first : '\n';
  }

  private breakWidth(at: number): number {
    return this.text.charCodeAt(at) === carriageReturn && this.codeAt(at + 1) === lineFeed ? 2 : 1;
  }

  /** The stream ends with a line of its own. */
  endLine(): void {
    if (this.column === 0) return;
    this.column = 0;
    this.line++;
  }

  /** Whether `---` or `...` is here and ends the document. */
  atDocumentMark(): boolean {
    if (this.column !== 0) return false;
    const code = this.code();
    if (code !== minus && code !== point) return false;
    return (this.startsWith('---') || this.startsWith('...')) && isBlankOrEnd(this.peek(3));
  }

  fail(problem: string): YamlError {
    return scannerError(this.line, problem);
  }
}

/** By code: 1 for a member. */
export type AsciiSet = Uint8Array;

export function asciiSet(characters: string): AsciiSet {
  const set = new Uint8Array(0x80);
  for (let i = 0; i < characters.length; i++) set[characters.charCodeAt(i)] = 1;
  return set;
}

/** The line breaks of ASCII. */
export const lineStops = asciiSet('\n\r');

const highSurrogate = /[\ud800-\udbff]/;

/** Surrogates are paired. */
function countCharacters(text: string, start: number, end: number): number {
  let count = 0;
  for (let i = start; i < end; i++) if ((text.charCodeAt(i) & 0xfc00) !== 0xdc00) count++;
  return count;
}

function hexadecimalDigit(code: number): number | undefined {
  if (code >= zero && code < zero + 10) return code - zero;
  if (code >= upperA && code < upperA + 6) return code - upperA + 10;
  return code >= lowerA && code < lowerA + 6 ? code - lowerA + 10 : undefined;
}

export function isBlank(character: string): boolean {
  return character === ' ' || character === '\t';
}

export function isBlankCode(code: number): boolean {
  return code === space || code === tab;
}

export function isBreak(character: string): boolean {
  return (
    character === '\n' ||
    character === '\r' ||
    character === '\u0085' ||
    character === '\u2028' ||
    character === '\u2029'
  );
}

export function isBreakCode(code: number): boolean {
  return (
    code === lineFeed ||
    code === carriageReturn ||
    code === nextLine ||
    code === lineSeparator ||
    code === paragraphSeparator
  );
}

export function isBreakOrEnd(character: string): boolean {
  return character === end || isBreak(character);
}

export function isBlankOrEnd(character: string): boolean {
  return isBlank(character) || isBreakOrEnd(character);
}

export function isBlankOrEndCode(code: number): boolean {
  return code === endCode || isBlankCode(code) || isBreakCode(code);
}
