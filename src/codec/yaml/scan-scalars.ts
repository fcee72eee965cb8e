import { type Cursor, end, isBlank, isBlankOrEnd, isBreak, isBreakOrEnd } from './cursor.ts';
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

  /** Consumes blanks and line breaks; `checkTab` is called for tabs at the start of a line. */
  take(cursor: Cursor, checkTab?: () => void): void {
    for (let next = cursor.peek(); isBlank(next) || isBreak(next); next = cursor.peek()) {
      if (next === ' ') {
        const spaces = cursor.takeSpaces();
        if (!this.hasBreak) this.blanks += spaces;
      } else if (next === '\t') {
        if (this.hasBreak) checkTab?.();
        cursor.skip();
        if (!this.hasBreak) this.blanks += next;
      } else if (this.hasBreak) {
        this.moreBreaks += cursor.takeBreaks() || cursor.takeBreak();
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

/** A plain scalar; `endsLine`: a line break follows. */
export function scanPlain(cursor: Cursor, { indent, inFlow }: ScalarContext): { token: Token; endsLine: boolean } {
  const start = cursor.mark;
  const gap = new Gap();
  const checkTab = (): void => {
    if (cursor.column <= indent) throw cursor.fail('found a tab character that violates indentation');
  };
  let value = '';
  for (;;) {
    if (cursor.atDocumentMark() || cursor.peek() === '#') break;
    const word = takePlainWord(cursor, inFlow);
    if (word !== '') value += gap.flush() + word;
    const next = cursor.peek();
    if (!isBlank(next) && !isBreak(next)) break;
    gap.take(cursor, checkTab);
    if (!inFlow && cursor.column <= indent) break;
  }
  return { token: { type: 'scalar', start, value, plain: true }, endsLine: gap.hasBreak };
}

/** Neither blanks nor line breaks. */
const plainRun = /[!-~\u00a0-\u2027\u202a-\uffff]+/y;
/** Flow indicators excluded. */
const plainFlowRun = /[!-+\-->@-Z\\^-z|~\u00a0-\u2027\u202a-\uffff]+/y;

function takePlainWord(cursor: Cursor, inFlow: boolean): string {
  let word = cursor.takeRun(inFlow ? plainFlowRun : plainRun);
  const next = cursor.peek();
  // The colon of a key.
  if (word.endsWith(':') && isBlankOrEnd(next)) {
    cursor.skip(-1);
    word = word.slice(0, -1);
  }
  return word;
}

const doubleQuotedRun = /[!#-[\]-~\u00a0-\u2027\u202a-\uffff]+/y;
const singleQuotedRun = /[!-&(-~\u00a0-\u2027\u202a-\uffff]+/y;

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
      if (quote === "'" && next === quote && cursor.peek(1) === quote) {
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

const escapes: ReadonlyMap<string, string> = new Map([
  ['0', '\0'],
  ['a', '\u0007'],
  ['b', '\b'],
  ['t', '\t'],
  ['\t', '\t'],
  ['n', '\n'],
  ['v', '\v'],
  ['f', '\f'],
  ['r', '\r'],
  ['e', '\u001b'],
  [' ', ' '],
  ['"', '"'],
  ["'", "'"],
  ['\\', '\\'],
  ['N', '\u0085'],
  ['_', '\u00a0'],
  ['L', '\u2028'],
  ['P', '\u2029'],
]);

/** Number of hexadecimal digits, by escape letter. */
const codeLengths: ReadonlyMap<string, number> = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
]);

function takeEscape(cursor: Cursor): string {
  const letter = cursor.peek(1);
  const character = escapes.get(letter);
  if (character !== undefined) {
    cursor.skip(2);
    return character;
  }
  const length = codeLengths.get(letter);
  if (length === undefined) throw cursor.fail('found unknown escape character');
  cursor.skip(2);
  const code = cursor.peekHexadecimal(length);
  if (code === undefined) throw cursor.fail('did not find expected hexdecimal number');
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
    value += cursor.takeLine();
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
      breaks += cursor.takeBreaks() || cursor.takeBreak();
    }
    if (this.indent === 0) this.indent = Math.max(deepest, this.parentIndent + 1, 1);
    return breaks;
  }

  private isBefore(): boolean {
    return this.indent === 0 || this.cursor.column < this.indent;
  }
}
