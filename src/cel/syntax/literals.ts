import { type Bytes, Double, Uint, type Value } from '../values/value.ts';

// Values of literal tokens.

const maxInt = 2n ** 63n - 1n;
const maxUint = 2n ** 64n - 1n;
/** More digits than 64 bits hold; parsing thousands of digits takes quadratic time. */
const maxDigits = 24;

/** Undefined on overflow. */
export function intLiteral(text: string, isNegative: boolean): Value | undefined {
  const size = magnitude(text);
  if (size === undefined || size > (isNegative ? maxInt + 1n : maxInt)) return undefined;
  const value = isNegative ? -size : size;
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

/** The text ends in `u`. */
export function uintLiteral(text: string): Value | undefined {
  const size = magnitude(text.slice(0, -1));
  return size === undefined || size > maxUint ? undefined : Uint.of(size);
}

function magnitude(text: string): bigint | undefined {
  const digits = text.startsWith('0x') ? text.slice(2).replace(/^0+/, '') : text.replace(/^0+/, '');
  if (digits.length > maxDigits) return undefined;
  return digits === '' ? 0n : BigInt(text.startsWith('0x') ? `0x${digits}` : digits);
}

export function doubleLiteral(text: string, isNegative: boolean): Value | undefined {
  const value = Number(text);
  return Number.isFinite(value) ? new Double(isNegative ? -value : value) : undefined;
}

/** An invalid string literal; clients see the message. */
export class LiteralError extends Error {
  override readonly name = 'LiteralError';
  readonly code = 'cel-literal';
}

export function stringLiteral(text: string): string {
  const { content, isRaw } = contentOf(text);
  if (isRaw || !content.includes('\\')) return content;
  return unescaped(content, (code) => {
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) throw new LiteralError('invalid unicode code point');
    return String.fromCodePoint(code);
  });
}

/** The text begins with `b`. */
export function bytesLiteral(text: string): Bytes {
  const { content, isRaw } = contentOf(text.slice(1));
  if (isRaw || !content.includes('\\')) return new Uint8Array(Buffer.from(content));
  const parts: Buffer[] = [];
  unescaped(content, (code, kind) => {
    if (kind === 'unicode') throw new LiteralError('unable to unescape string');
    parts.push(kind === 'text' ? Buffer.from(String.fromCodePoint(code)) : Buffer.from([code & 0xff]));
    return '';
  });
  return new Uint8Array(Buffer.concat(parts));
}

/** The content of the quotes, with normalised line breaks. */
function contentOf(text: string): { readonly content: string; readonly isRaw: boolean } {
  const isRaw = /^[rR]/.test(text);
  const quoted = (isRaw ? text.slice(1) : text).replace(/\r\n?/g, '\n');
  const isTriple = quoted.length >= 6 && (quoted.startsWith("'''") || quoted.startsWith('"""'));
  return { content: isTriple ? quoted.slice(3, -3) : quoted.slice(1, -1), isRaw };
}

const named: { readonly [letter: string]: number } = {
  a: 7,
  b: 8,
  f: 12,
  n: 10,
  r: 13,
  t: 9,
  v: 11,
  '\\': 92,
  "'": 39,
  '"': 34,
  '`': 96,
  '?': 63,
};

type CodeKind = 'text' | 'byte' | 'unicode';
const escape = /\\(?:[xX]([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2})|([\s\S]))|([^\\])/gu;

/** The lexer guarantees that all escapes are complete. */
function unescaped(content: string, write: (code: number, kind: CodeKind) => string): string {
  let text = '';
  for (const [, hex, short, long, octal, letter, plain] of content.matchAll(escape)) {
    if (plain !== undefined) text += write(plain.codePointAt(0) ?? 0, 'text');
    else if (letter !== undefined) text += write(named[letter] ?? 0, 'text');
    else if (octal !== undefined) text += write(Number.parseInt(octal, 8), 'byte');
    else if (hex !== undefined) text += write(Number.parseInt(hex, 16), 'byte');
    else text += write(Number.parseInt(short ?? long ?? '', 16), 'unicode');
  }
  return text;
}
