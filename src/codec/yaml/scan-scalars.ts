import {
  asciiSet,
  type Cursor,
  end,
  endCode,
  hash,
  isBlankCode,
  isBlankOrEnd,
  isBlankOrEndCode,
  isBreak,
  isBreakCode,
  isBreakOrEnd,
  lineStops,
  tab,
} from './cursor.ts';
import { ScalarText } from './scalar-text.ts';
import type { ScalarToken } from './tokens.ts';

const colon = 0x3a;

/** Context of a scalar. */
export interface ScalarContext {
  /** Column of the enclosing block; -1 outside of any. */
  readonly indent: number;
  readonly inFlow: boolean;
}

/** White space between two words of a multi-line scalar. */
class Gap {
  /** The start of blanks. */
  private start = 0;
  private end = 0;
  private firstBreak = '';
  private moreBreaks = '';
  /** Set by a line break, until the next word. */
  hasBreak = false;

  /** Consumes blanks and line breaks; a line must not begin with a tab up to column `indent`. */
  take(cursor: Cursor, indent = -1): void {
    if (!this.hasBreak) {
      this.start = cursor.offset;
      this.end = cursor.skipBlanks();
      if (!isBreakCode(cursor.code())) return;
      this.firstBreak = cursor.takeBreak();
      this.hasBreak = true;
    }
    const { offset, line } = cursor;
    cursor.skipWhiteSpace(Number.POSITIVE_INFINITY, indent + 1);
    if (cursor.line > line) this.moreBreaks += breaksOf(cursor.text.slice(offset, cursor.offset));
    if (cursor.code() === tab) throw cursor.fail('found a tab character that violates indentation');
  }

  /** Adds the white space, folded: a single line feed becomes a space, of several one is dropped. */
  flush(text: ScalarText): void {
    const { firstBreak, moreBreaks } = this;
    if (!this.hasBreak) text.addRange(this.start, this.end);
    else text.addPiece(firstBreak === '\n' ? moreBreaks || ' ' : firstBreak + moreBreaks);
    this.firstBreak = '';
    this.moreBreaks = '';
    this.hasBreak = false;
  }

  /** An escaped line break leaves only the breaks that follow it. */
  escapeBreak(cursor: Cursor): void {
    cursor.takeBreak();
    this.hasBreak = true;
  }
}

/** The line breaks of white space as they count in a scalar: line feeds, except for those of Unicode. */
function breaksOf(whiteSpace: string): string {
  if (!/[^\n]/.test(whiteSpace)) return whiteSpace;
  const breaks: string[] = [];
  for (let at = 0; at < whiteSpace.length; at++) {
    const character = whiteSpace[at] ?? end;
    if (!isBreak(character) || (character === '\r' && whiteSpace[at + 1] === '\n')) continue;
    breaks.push(character === '\r' || character === '\u0085' ? '\n' : character);
  }
  return breaks.join('');
}

const plainStops = asciiSet(' \t\n\r');
/** With flow indicators. */
const plainFlowStops = asciiSet(' \t\n\r,?[]{}');

/** A plain scalar. */
export function scanPlain(cursor: Cursor, { indent, inFlow }: ScalarContext): ScalarToken {
  const start = cursor.mark;
  const text = new ScalarText(cursor.text);
  const gap = new Gap();
  const stops = inFlow ? plainFlowStops : plainStops;
  for (;;) {
    if (cursor.atDocumentMark() || cursor.code() === hash) break;
    const word = cursor.offset;
    cursor.skipUntil(stops);
    leaveKeyColon(cursor, word);
    if (cursor.offset > word) {
      gap.flush(text);
      text.addRange(word, cursor.offset);
    }
    const next = cursor.code();
    if (!isBlankCode(next) && !isBreakCode(next)) break;
    gap.take(cursor, indent);
    if (!inFlow && cursor.column <= indent) break;
  }
  return { type: 'scalar', start, value: text.toString(), plain: true, endsLine: gap.hasBreak };
}

/** A colon at the end of a word is not part of it. */
function leaveKeyColon(cursor: Cursor, word: number): void {
  if (isBlankOrEndCode(cursor.code()) && cursor.offset > word && cursor.code(-1) === colon) cursor.skip(-1);
}

const doubleQuotedStops = asciiSet(' \t\n\r"\\');
const singleQuotedStops = asciiSet(" \t\n\r'");

/** A scalar in single or double quotes. */
export function scanQuoted(cursor: Cursor, quote: "'" | '"'): ScalarToken {
  const start = cursor.mark;
  const isDouble = quote === '"';
  const stops = isDouble ? doubleQuotedStops : singleQuotedStops;
  const text = new ScalarText(cursor.text);
  const gap = new Gap();
  cursor.skip();
  for (;;) {
    if (cursor.atDocumentMark()) throw cursor.fail('found unexpected document indicator');
    if (cursor.code() === endCode) throw cursor.fail('found unexpected end of stream');
    for (let next = cursor.peek(); !isBlankOrEnd(next); next = cursor.peek()) {
      if (next === quote) {
        if (isDouble || cursor.peek(1) !== quote) break;
        text.addRange(cursor.offset, cursor.offset + 1);
        cursor.skip(2);
      } else if (isDouble && next === '\\' && isBreak(cursor.peek(1))) {
        cursor.skip();
        gap.escapeBreak(cursor);
        break;
      } else if (isDouble && next === '\\') text.addPiece(takeEscape(cursor));
      else {
        const from = cursor.offset;
        cursor.skipUntil(stops);
        text.addRange(from, cursor.offset);
      }
    }
    if (cursor.peek() === quote) break;
    gap.take(cursor);
    gap.flush(text);
  }
  cursor.skip();
  return { type: 'scalar', start, value: text.toString(), plain: false, endsLine: false };
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
export function scanBlock(cursor: Cursor, indent: number): ScalarToken {
  const start = cursor.mark;
  const literal = cursor.take() === '|';
  const { chomping, increment } = takeBlockHeader(cursor);
  const lines = new BlockLines(cursor, indent, increment === 0 ? 0 : Math.max(indent, 0) + increment);
  const text = new ScalarText(cursor.text);
  let lineEnd = cursor.offset;
  let firstBreak = '';
  let afterBlank = false;
  lines.takeBreaks();
  while (cursor.column === lines.indent && cursor.code() !== endCode) {
    const onBlank = isBlankCode(cursor.code());
    const joins = !literal && firstBreak === '\n' && !afterBlank && !onBlank;
    if (!joins) text.addBreak(firstBreak, lineEnd);
    text.addPiece(joins && lines.breaks === '' ? ' ' : lines.breaks);
    afterBlank = onBlank;
    const lineStart = cursor.offset;
    cursor.skipUntil(lineStops);
    lineEnd = cursor.offset;
    text.addRange(lineStart, lineEnd);
    firstBreak = isBreakCode(cursor.code()) ? cursor.takeBreak() : '';
    lines.breaks = '';
    lines.takeBreaks();
  }
  if (chomping !== '-') text.addBreak(firstBreak, lineEnd);
  if (chomping === '+') text.addPiece(lines.breaks);
  return { type: 'scalar', start, value: text.toString(), plain: false, endsLine: false };
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

const anyBreak = /\r\n?|[\n\u0085\u2028\u2029]/;

/** Detects the indentation of a block scalar from its first non-empty line. */
class BlockLines {
  indent: number;
  /** The line breaks of the empty lines before this one. */
  breaks = '';
  private readonly cursor: Cursor;
  private readonly parentIndent: number;
  private deepest = 0;

  constructor(cursor: Cursor, parentIndent: number, indent: number) {
    this.cursor = cursor;
    this.parentIndent = parentIndent;
    this.indent = indent;
  }

  /** Skips indentation and empty lines. */
  takeBreaks(): void {
    const { cursor, indent } = this;
    const { offset, line } = cursor;
    cursor.skipWhiteSpace(indent || Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);
    if (cursor.line > line) this.takeEmpty(cursor.text.slice(offset, cursor.offset));
    if (cursor.code() === tab && (indent === 0 || cursor.column < indent)) {
      throw cursor.fail('found a tab character where an indentation space is expected');
    }
    if (indent === 0) this.indent = Math.max(this.deepest, cursor.column, this.parentIndent + 1, 1);
  }

  private takeEmpty(lines: string): void {
    this.breaks += breaksOf(lines);
    if (this.indent > 0) return;
    for (const { length } of lines.split(anyBreak)) this.deepest = Math.max(this.deepest, length);
  }
}
