import { type Cursor, end, isBlank, isBlankOrEnd, isBreak, isBreakOrEnd, printableRun } from './cursor.ts';
import type { Token } from './tokens.ts';

/** Context of a scalar. */
export interface ScalarContext {
  /** Column of the enclosing block; -1 outside of any. */
  readonly indent: number;
  readonly inFlow: boolean;
}

/** White space between two words of a multi-line scalar. */
class Gap {
  private blanks = '';
  private firstBreak = '';
  private moreBreaks = '';
  /** Set by a line break, until the next word. */
  hasBreak = false;

  /** Consumes spaces and line breaks; `checkBlank` is called for spaces at the start of a line. */
  take(cursor: Cursor, checkBlank?: (blank: string) => void): void {
    for (let next = cursor.peek(); isBlank(next) || isBreak(next); next = cursor.peek()) {
      if (isBlank(next)) {
        if (this.hasBreak) checkBlank?.(next);
        cursor.skip();
        if (!this.hasBreak) this.blanks += next;
      } else if (this.hasBreak) {
        this.moreBreaks += cursor.takeBreak();
      } else {
        this.blanks = '';
        this.firstBreak = cursor.takeBreak();
        this.hasBreak = true;
      }
    }
  }

  /** Folds the white space: a single line feed becomes a space, of several one is dropped. */
  flush(): string {
    const folded = this.firstBreak === '\n' ? this.moreBreaks || ' ' : this.firstBreak + this.moreBreaks;
    const text = this.hasBreak ? folded : this.blanks;
    this.blanks = '';
    this.firstBreak = '';
    this.moreBreaks = '';
    this.hasBreak = false;
    return text;
  }

  /** An escaped line break leaves only the breaks that follow it. */
  escapeBreak(cursor: Cursor): void {
    cursor.takeBreak();
    this.hasBreak = true;
  }
}

const flowIndicators = ',?[]{}';

/** A plain scalar; `endsLine`: a line break follows. */
export function scanPlain(cursor: Cursor, { indent, inFlow }: ScalarContext): { token: Token; endsLine: boolean } {
  const start = cursor.mark;
  const gap = new Gap();
  let value = '';
  for (;;) {
    if (cursor.atDocumentMark() || cursor.peek() === '#') break;
    const word = takePlainWord(cursor, inFlow);
    if (word !== '') value += gap.flush() + word;
    const next = cursor.peek();
    if (!isBlank(next) && !isBreak(next)) break;
    gap.take(cursor, (blank) => {
      if (blank === '\t' && cursor.column <= indent) {
        throw cursor.fail('found a tab character that violates indentation');
      }
    });
    if (!inFlow && cursor.column <= indent) break;
  }
  return { token: { type: 'scalar', start, value, plain: true }, endsLine: gap.hasBreak };
}

/** Characters without meaning inside of a plain word. */
const plainRun = /[0-9A-Za-z_./\-=+$@~^()*!<>|&'"%;\\#`]+/y;

function takePlainWord(cursor: Cursor, inFlow: boolean): string {
  let word = cursor.takeRun(plainRun);
  for (let next = cursor.peek(); !isBlankOrEnd(next); next = cursor.peek()) {
    if (next === ':' && isBlankOrEnd(cursor.peek(1))) break;
    if (inFlow && flowIndicators.includes(next)) break;
    word += cursor.take() + cursor.takeRun(plainRun);
  }
  return word;
}

const doubleQuotedRun = /[!#-[\]-~]+/y;
const singleQuotedRun = /[!-&(-~]+/y;

/** A scalar in single or double quotes. */
export function scanQuoted(cursor: Cursor, quote: "'" | '"'): Token {
  const start = cursor.mark;
  const run = quote === '"' ? doubleQuotedRun : singleQuotedRun;
  const gap = new Gap();
  let value = '';
  cursor.skip();
  for (;;) {
    if (cursor.atDocumentMark()) throw cursor.fail('found unexpected document indicator');
    if (cursor.peek() === end) throw cursor.fail('found unexpected end of stream');
    for (let next = cursor.peek(); !isBlankOrEnd(next); next = cursor.peek()) {
      if (quote === "'" && cursor.startsWith("''")) {
        value += "'";
        cursor.skip(2);
      } else if (next === quote) break;
      else if (quote === '"' && next === '\\' && isBreak(cursor.peek(1))) {
        cursor.skip();
        gap.escapeBreak(cursor);
        break;
      } else if (quote === '"' && next === '\\') value += takeEscape(cursor);
      else value += cursor.takeRun(run) || cursor.take();
    }
    if (cursor.peek() === quote) break;
    gap.take(cursor);
    value += gap.flush();
  }
  cursor.skip();
  return { type: 'scalar', start, value, plain: false };
}

const escapes: { readonly [letter: string]: string } = {
  '0': '\0',
  a: '\u0007',
  b: '\b',
  t: '\t',
  '\t': '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  e: '\u001b',
  ' ': ' ',
  '"': '"',
  "'": "'",
  '\\': '\\',
  N: '\u0085',
  _: '\u00a0',
  L: '\u2028',
  P: '\u2029',
};

/** Number of hexadecimal digits, by escape letter. */
const codeLengths: { readonly [letter: string]: number } = { x: 2, u: 4, U: 8 };

function takeEscape(cursor: Cursor): string {
  const letter = cursor.peek(1);
  const character = Object.hasOwn(escapes, letter) ? escapes[letter] : undefined;
  const length = Object.hasOwn(codeLengths, letter) ? codeLengths[letter] : undefined;
  if (character === undefined && length === undefined) throw cursor.fail('found unknown escape character');
  cursor.skip(2);
  if (character !== undefined) return character;
  let digits = '';
  for (let i = 0; i < (length ?? 0); i++) digits += cursor.peek(i);
  if (digits.length !== length || !/^[0-9A-Fa-f]+$/.test(digits)) {
    throw cursor.fail('did not find expected hexdecimal number');
  }
  const code = Number.parseInt(digits, 16);
  if ((code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) {
    throw cursor.fail('found invalid Unicode character escape code');
  }
  cursor.skip(length);
  return String.fromCodePoint(code);
}

/** The header after `|` or `>`. */
interface BlockHeader {
  /** `-` strips trailing line breaks, `+` keeps all. */
  chomping: string;
  /** 0: to be detected. */
  increment: number;
}

/** A block scalar: literal (`|`) or folded (`>`). */
export function scanBlock(cursor: Cursor, indent: number): Token {
  const start = cursor.mark;
  const literal = cursor.take() === '|';
  const { chomping, increment } = takeBlockHeader(cursor);
  const lines = new BlockLines(cursor, indent, increment === 0 ? 0 : Math.max(indent, 0) + increment);
  let value = '';
  let firstBreak = '';
  let breaks = lines.takeBreaks();
  let afterBlank = false;
  while (cursor.column === lines.indent && cursor.peek() !== end) {
    const onBlank = isBlank(cursor.peek());
    const joins = !literal && firstBreak === '\n' && !afterBlank && !onBlank;
    value += (joins ? (breaks === '' ? ' ' : '') : firstBreak) + breaks;
    afterBlank = onBlank;
    while (!isBreakOrEnd(cursor.peek())) value += cursor.takeRun(printableRun) || cursor.take();
    firstBreak = isBreak(cursor.peek()) ? cursor.takeBreak() : '';
    breaks = lines.takeBreaks();
  }
  if (chomping !== '-') value += firstBreak;
  if (chomping === '+') value += breaks;
  return { type: 'scalar', start, value, plain: false };
}

function takeBlockHeader(cursor: Cursor): BlockHeader {
  const header: BlockHeader = { chomping: '', increment: 0 };
  takeChomping(cursor, header);
  if (/^[0-9]$/.test(cursor.peek())) {
    if (cursor.peek() === '0') throw cursor.fail('found an indentation indicator equal to 0');
    header.increment = Number(cursor.take());
    if (header.chomping === '') takeChomping(cursor, header);
  }
  cursor.skipBlanks();
  cursor.skipComment();
  if (!isBreakOrEnd(cursor.peek())) throw cursor.fail('did not find expected comment or line break');
  if (isBreak(cursor.peek())) cursor.takeBreak();
  return header;
}

function takeChomping(cursor: Cursor, header: BlockHeader): void {
  if (cursor.peek() === '+' || cursor.peek() === '-') header.chomping = cursor.take();
}

/** Detects the indentation of a block scalar from its first non-empty line. */
class BlockLines {
  indent: number;
  private readonly cursor: Cursor;
  private readonly parentIndent: number;

  constructor(cursor: Cursor, parentIndent: number, indent: number) {
    this.cursor = cursor;
    this.parentIndent = parentIndent;
    this.indent = indent;
  }

  /** Skips indentation and empty lines, and returns their breaks. */
  takeBreaks(): string {
    const { cursor } = this;
    let breaks = '';
    let deepest = 0;
    for (;;) {
      while (this.isBefore() && cursor.peek() === ' ') cursor.skip();
      deepest = Math.max(deepest, cursor.column);
      if (this.isBefore() && cursor.peek() === '\t') {
        throw cursor.fail('found a tab character where an indentation space is expected');
      }
      if (!isBreak(cursor.peek())) break;
      breaks += cursor.takeBreak();
    }
    if (this.indent === 0) this.indent = Math.max(deepest, this.parentIndent + 1, 1);
    return breaks;
  }

  private isBefore(): boolean {
    return this.indent === 0 || this.cursor.column < this.indent;
  }
}
