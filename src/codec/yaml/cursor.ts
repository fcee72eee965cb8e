import type { YamlText } from './decode-text.ts';
import { scannerError, YamlError } from './error.ts';

/** A place in the text; `index` and `column` count characters, `line` counts from 0. */
export interface Mark {
  readonly index: number;
  readonly line: number;
  readonly column: number;
}

/** Stands for the end of the text, as in the reference: the character itself is not allowed. */
export const end = '';

/** What stands on one line. */
export const printableRun: RegExp = /[\t\x20-\x7e]+/y;

/** Reads characters one by one and knows where it stands. */
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

  /** The character at, or `ahead` of, the cursor (only ASCII may lie between). */
  peek(ahead = 0): string {
    const at = this.offset + ahead;
    if (at >= this.failsFrom) throw new YamlError(`yaml: ${this.problem}`);
    return at < this.text.length ? (this.text[at] as string) : end; // within bounds
  }

  startsWith(text: string): boolean {
    this.peek();
    return this.text.startsWith(text, this.offset);
  }

  /** Steps over one character that is no line break, and gives it. */
  take(): string {
    const first = this.text[this.offset] ?? end;
    const isPair = first >= '\ud800' && first <= '\udbff';
    const character = isPair ? this.text.slice(this.offset, this.offset + 2) : first;
    this.offset += character.length;
    this.index++;
    this.column++;
    return character;
  }

  /** Steps over what the sticky `pattern` of ASCII characters matches here, and gives it: faster than one by one. */
  takeRun(pattern: RegExp): string {
    pattern.lastIndex = this.offset;
    if (!pattern.test(this.text)) return '';
    const end = Math.min(pattern.lastIndex, this.failsFrom);
    const run = this.text.slice(this.offset, end);
    this.skip(run.length);
    return run;
  }

  /** Steps over `count` characters of ASCII. */
  skip(count = 1): void {
    this.offset += count;
    this.index += count;
    this.column += count;
  }

  /** Steps over spaces and tabs. */
  skipBlanks(): void {
    while (isBlank(this.peek())) this.skip();
  }

  /** Steps over a comment, if there is one. */
  skipComment(): void {
    if (this.peek() !== '#') return;
    while (!isBreakOrEnd(this.peek())) if (this.takeRun(printableRun) === '') this.take();
  }

  /** Steps over a line break and gives it as it counts in a scalar: all but those of Unicode are line feeds. */
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

  /** Whether `---` or `...` stands here and ends the document. */
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

/** Characters of anchors, handles of tags and names of directives. */
export function isWord(character: string): boolean {
  return /^[0-9A-Za-z_-]$/.test(character);
}
