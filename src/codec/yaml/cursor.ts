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

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;
const zero = 0x30;
const upperA = 0x41;
const lowerA = 0x61;

/** Reads characters, and runs of them at once, and tracks the position. */
export class Cursor {
  private readonly text: string;
  private readonly problem: string | undefined;
  private readonly failsFrom: number;
  /** Up to where the text can be read. */
  private readonly limit: number;
  /** Whether some characters are two code units. */
  private readonly hasPairs: boolean;
  private offset = 0;
  private index = 0;
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
    if (at >= this.failsFrom) throw new YamlError(`yaml: ${this.problem}`);
    return at < this.text.length ? (this.text[at] as string) : end; // within bounds
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
    return this.takeTo(Math.min(pattern.lastIndex, this.failsFrom));
  }

  /** Consumes and returns the rest of the line. */
  takeLine(): string {
    let at = this.offset;
    while (at < this.limit && !isBreakCode(this.text.charCodeAt(at))) at++;
    return this.takeTo(at);
  }

  private takeTo(end: number): string {
    const run = this.text.slice(this.offset, end);
    this.offset = end;
    const characters = this.hasPairs ? countCharacters(run) : run.length;
    this.index += characters;
    this.column += characters;
    return run;
  }

  /** Consumes and returns successive line breaks, except for those of Unicode. */
  takeBreaks(): string {
    const { text, limit, offset: start } = this;
    let at = start;
    let pairs = 0;
    for (; at < limit; at++) {
      const code = text.charCodeAt(at);
      if (code !== lineFeed && code !== carriageReturn) break;
      // Whether a line feed follows may be unknown.
      if (code === carriageReturn && at + 1 === this.failsFrom) break;
      if (code === lineFeed && at > start && text.charCodeAt(at - 1) === carriageReturn) pairs++;
    }
    if (at === start) return '';
    const lines = at - start - pairs;
    this.offset = at;
    this.index += at - start;
    this.line += lines;
    this.column = 0;
    const breaks = text.slice(start, at);
    return breaks.includes('\r') ? '\n'.repeat(lines) : breaks;
  }

  /** Consumes and returns successive spaces. */
  takeSpaces(): string {
    const start = this.offset;
    let at = start;
    while (at < this.limit && this.text.charCodeAt(at) === space) at++;
    this.skip(at - start);
    return this.text.slice(start, at);
  }

  /** The hexadecimal number of `length` digits, `ahead` of the cursor; undefined if it is none. */
  peekHexadecimal(length: number, ahead = 0): number | undefined {
    let number = 0;
    for (let i = ahead; i < ahead + length; i++) {
      const digit = hexadecimalDigit(this.peek(i).charCodeAt(0));
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

  /** Skips spaces and tabs. */
  skipBlanks(): void {
    while (isBlank(this.peek())) this.skip();
  }

  /** Skips a comment, if present. */
  skipComment(): void {
    if (this.peek() === '#') this.takeLine();
  }

  /** Consumes a line break and returns it as it counts in a scalar: a line feed, except for those of Unicode. */
  takeBreak(): string {
    const first = this.peek();
    const width = first === '\r' && this.peek(1) === '\n' ? 2 : 1;
    this.offset += width;
    this.index += width;
    this.line++;
    this.column = 0;
    return first === '\u2028' || first === '\u2029' ? first : '\n';
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
    return (this.startsWith('---') || this.startsWith('...')) && isBlankOrEnd(this.peek(3));
  }

  fail(problem: string): YamlError {
    return scannerError(this.line, problem);
  }
}

const highSurrogate = /[\ud800-\udbff]/;

/** Surrogates are paired. */
function countCharacters(run: string): number {
  let count = 0;
  for (let i = 0; i < run.length; i++) if ((run.charCodeAt(i) & 0xfc00) !== 0xdc00) count++;
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

export function isBreak(character: string): boolean {
  return (
    character === '\n' ||
    character === '\r' ||
    character === '\u0085' ||
    character === '\u2028' ||
    character === '\u2029'
  );
}

function isBreakCode(code: number): boolean {
  return code === lineFeed || code === carriageReturn || code === 0x85 || code === 0x2028 || code === 0x2029;
}

export function isBreakOrEnd(character: string): boolean {
  return character === end || isBreak(character);
}

export function isBlankOrEnd(character: string): boolean {
  return isBlank(character) || isBreakOrEnd(character);
}
