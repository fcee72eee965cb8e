import { type Cursor, isBlank, isBlankOrEnd, isBreak, isBreakOrEnd } from './cursor.ts';
import { ScalarText } from './scalar-text.ts';
import type { Token } from './tokens.ts';

// Tokens that begin with `&`, `*`, `!` or `%`.

/** `&name` or `*name`. */
export function scanAnchor(cursor: Cursor, type: 'anchor' | 'alias'): Token {
  const start = cursor.mark;
  cursor.skip();
  const name = takeWord(cursor);
  const after = cursor.peek();
  if (name === '' || !(isBlankOrEnd(after) || '?:,]}%@`'.includes(after))) {
    throw cursor.fail('did not find expected alphabetic or numeric character');
  }
  return { type, start, name };
}

/** `!name`, `!!name`, `!handle!name` or `!<name>`. */
export function scanTag(cursor: Cursor): Token {
  const start = cursor.mark;
  let handle = '';
  let suffix: string;
  if (cursor.peek(1) === '<') {
    cursor.skip(2);
    suffix = takeUri(cursor, '');
    if (cursor.peek() !== '>') throw cursor.fail("did not find the expected '>'");
    cursor.skip();
  } else {
    handle = takeHandle(cursor, false);
    if (handle.length > 1 && handle.endsWith('!')) suffix = takeUri(cursor, '');
    else {
      suffix = takeUri(cursor, handle);
      // `!` alone is a tag of its own.
      [handle, suffix] = suffix === '' ? ['', '!'] : ['!', suffix];
    }
  }
  if (!isBlankOrEnd(cursor.peek())) throw cursor.fail('did not find expected whitespace or line break');
  return { type: 'tag', start, handle, suffix };
}

/** A line such as `%YAML 1.1` or `%TAG !e! tag:example.com,2000:`. */
export function scanDirective(cursor: Cursor): Token {
  const start = cursor.mark;
  cursor.skip();
  const name = takeWord(cursor);
  if (name === '') throw cursor.fail('could not find expected directive name');
  if (!isBlankOrEnd(cursor.peek())) throw cursor.fail('found unexpected non-alphabetical character');
  let token: Token;
  if (name === 'YAML') token = { type: 'version directive', start, ...takeVersion(cursor) };
  else if (name === 'TAG') token = { type: 'tag directive', start, ...takeTagDirective(cursor) };
  else throw cursor.fail('found unknown directive name');
  cursor.skipBlanks();
  cursor.skipComment();
  if (!isBreakOrEnd(cursor.peek())) throw cursor.fail('did not find expected comment or line break');
  if (isBreak(cursor.peek())) cursor.takeBreak();
  return token;
}

function takeVersion(cursor: Cursor): { major: number; minor: number } {
  cursor.skipBlanks();
  const major = takeNumber(cursor);
  if (cursor.peek() !== '.') throw cursor.fail("did not find expected digit or '.' character");
  cursor.skip();
  return { major, minor: takeNumber(cursor) };
}

const maxVersionDigits = 2;

function takeNumber(cursor: Cursor): number {
  let digits = '';
  while (/^[0-9]$/.test(cursor.peek())) {
    if (digits.length === maxVersionDigits) throw cursor.fail('found extremely long version number');
    digits += cursor.take();
  }
  if (digits === '') throw cursor.fail('did not find expected version number');
  return Number(digits);
}

function takeTagDirective(cursor: Cursor): { handle: string; prefix: string } {
  cursor.skipBlanks();
  const handle = takeHandle(cursor, true);
  if (!isBlank(cursor.peek())) throw cursor.fail('did not find expected whitespace');
  cursor.skipBlanks();
  const prefix = takeUri(cursor, '');
  if (!isBlankOrEnd(cursor.peek())) throw cursor.fail('did not find expected whitespace or line break');
  return { handle, prefix };
}

function takeWord(cursor: Cursor): string {
  // An error at the cursor is thrown.
  cursor.peek();
  return cursor.takeRun(wordRun);
}

function takeHandle(cursor: Cursor, inDirective: boolean): string {
  if (cursor.peek() !== '!') throw cursor.fail("did not find expected '!'");
  cursor.skip();
  const handle = `!${takeWord(cursor)}`;
  if (cursor.peek() === '!') {
    cursor.skip();
    return `${handle}!`;
  }
  if (inDirective && handle !== '!') throw cursor.fail("did not find expected '!'");
  return handle;
}

const uriRun = /[0-9A-Za-z_\-;/?:@&=+$,.!~*'()[\]]+/y;
const wordRun = /[0-9A-Za-z_-]+/y;

/** `head` is text that looked like a handle. */
function takeUri(cursor: Cursor, head: string): string {
  const uri = new ScalarText(cursor.text);
  uri.addPiece(head.slice(1));
  let found = head !== '';
  for (let next = cursor.peek(); ; next = cursor.peek()) {
    const part = next === '%' ? takeEscaped(cursor) : cursor.takeRun(uriRun);
    if (part === '') break;
    uri.addPiece(part);
    found = true;
  }
  if (!found) throw cursor.fail('did not find expected tag URI');
  return uri.toString();
}

/** Percent-encoded ASCII. */
const escapedRun = /(?:%[0-7][0-9A-Fa-f])+/y;

/** Percent-encoded characters. */
function takeEscaped(cursor: Cursor): string {
  const run = cursor.takeRun(escapedRun);
  return run === '' ? takeEscapedCharacter(cursor) : decodeURIComponent(run);
}

/** One character, percent-encoded as UTF-8: `%C3%A9`. */
function takeEscapedCharacter(cursor: Cursor): string {
  const octets: number[] = [];
  for (let width = 1; octets.length < width;) {
    const octet = cursor.peek() === '%' ? cursor.peekHexadecimal(2, 1) : undefined;
    if (octet === undefined) throw cursor.fail('did not find URI escaped octet');
    if (octets.length === 0) {
      width = octet < 0x80 ? 1 : octet >> 5 === 0b110 ? 2 : octet >> 4 === 0b1110 ? 3 : octet >> 3 === 0b11110 ? 4 : 0;
      if (width === 0) throw cursor.fail('found an incorrect leading UTF-8 octet');
    } else if (octet >> 6 !== 0b10) throw cursor.fail('found an incorrect trailing UTF-8 octet');
    octets.push(octet);
    cursor.skip(3);
  }
  return Buffer.from(octets).toString('utf8');
}
