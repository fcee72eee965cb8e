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

/** The text of one line. */
export const printableRun: RegExp = /[\t\x20-\x7e]+/y;

/** Reads character by character and tracks the position. */
export class Cursor {
  private readonly text: string;
  private readonly problem: string | undefined;
  private readonly failsFrom: number;
  private offset = 0;
  private index = 0;
  line = 0;
  column = 0;

  constructor({ text, problem, failsFrom }: YamlText) {
    this.text = text;
    this.problem = problem;
    this.failsFrom = failsFrom;
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

  /** Consumes and returns an ASCII match of the sticky `pattern`: faster than one by one. */
  takeRun(pattern: RegExp): string {
    pattern.lastIndex = this.offset;
    if (!pattern.test(this.text)) return '';
    const end = Math.min(pattern.lastIndex, this.failsFrom);
    const run = this.text.slice(this.offset, end);
    this.skip(run.length);
    return run;
  }

  /** Consumes `count` ASCII characters. */
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
    if (this.peek() !== '#') return;
    while (!isBreakOrEnd(this.peek())) if (this.takeRun(printableRun) === '') this.take();
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

export function isBreakOrEnd(character: string): boolean {
  return character === end || isBreak(character);
}

export function isBlankOrEnd(character: string): boolean {
  return isBlank(character) || isBreakOrEnd(character);
}

/** Characters of anchors, tag handles and directive names. */
export function isWord(character: string): boolean {
  return /^[0-9A-Za-z_-]$/.test(character);
}
