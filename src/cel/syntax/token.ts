// The lexer: tokens of an expression, longest match first. Characters that start no token are reported and skipped.

export type TokenType =
  | 'EOF'
  | 'IDENTIFIER'
  | 'ESC_IDENTIFIER'
  | 'NUM_INT'
  | 'NUM_UINT'
  | 'NUM_FLOAT'
  | 'STRING'
  | 'BYTES'
  | Symbol;

type Symbol = (typeof symbols)[number];

export interface Token {
  readonly type: TokenType;
  readonly text: string;
  /** Offset of its first UTF-16 unit. */
  readonly at: number;
}

export interface LexicalError {
  readonly at: number;
  readonly text: string;
}

export interface Tokens {
  /** The last one is `EOF`. */
  readonly tokens: readonly Token[];
  readonly errors: readonly LexicalError[];
}

const symbols = [
  '==',
  '!=',
  '<=',
  '>=',
  '&&',
  '||',
  '<',
  '>',
  '[',
  ']',
  '{',
  '}',
  '(',
  ')',
  '.',
  ',',
  '-',
  '!',
  '?',
  ':',
  '+',
  '*',
  '/',
  '%',
  'in',
  'true',
  'false',
  'null',
] as const;
const words: ReadonlySet<string> = new Set(['in', 'true', 'false', 'null']);

const space = /(?:[\t \r\n\f]+|\/\/[^\n]*)/y;
const float = /(?:\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?)/y;
const integer = /(?:0x[0-9a-fA-F]+|\d+)[uU]?/y;
const identifier = /[A-Za-z_][A-Za-z0-9_]*/y;
const escapedIdentifier = /`[A-Za-z0-9_.\-/ ]+`/y;
const symbol = /==|!=|<=|>=|&&|\|\||[<>[\]{}().,\-!?:+*/%]/y;
const quote = /[bB]?[rR]?(?=["'])/y;

export function tokensOf(text: string): Tokens {
  const tokens: Token[] = [];
  const errors: LexicalError[] = [];
  let at = 0;
  while (at < text.length) {
    const blank = matchAt(space, text, at);
    if (blank !== undefined) {
      at += blank.length;
      continue;
    }
    const token = tokenAt(text, at);
    if (token === undefined) {
      const end = Math.min(deadEnd(text, at), text.length);
      errors.push({ at, text: text.slice(at, end) });
      at = end;
    } else {
      tokens.push(token);
      at += token.text.length;
    }
  }
  tokens.push({ type: 'EOF', text: '<EOF>', at: text.length });
  return { tokens, errors };
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

function tokenAt(text: string, at: number): Token | undefined {
  const prefix = matchAt(quote, text, at);
  if (prefix !== undefined) {
    const end = stringEnd(text, at + prefix.length, /[rR]$/.test(prefix));
    if (end !== undefined) return { type: /^[bB]/.test(prefix) ? 'BYTES' : 'STRING', text: text.slice(at, end), at };
  }
  const word = matchAt(identifier, text, at);
  // The set contains operators spelled as words.
  if (word !== undefined) return { type: words.has(word) ? (word as Symbol) : 'IDENTIFIER', text: word, at };
  const decimal = matchAt(float, text, at);
  if (decimal !== undefined) return { type: 'NUM_FLOAT', text: decimal, at };
  const whole = matchAt(integer, text, at);
  if (whole !== undefined) return { type: /[uU]$/.test(whole) ? 'NUM_UINT' : 'NUM_INT', text: whole, at };
  const escaped = matchAt(escapedIdentifier, text, at);
  if (escaped !== undefined) return { type: 'ESC_IDENTIFIER', text: escaped, at };
  const sign = matchAt(symbol, text, at);
  // The pattern lists all other operators.
  return sign === undefined ? undefined : { type: sign as Symbol, text: sign, at };
}

/** Offset after the closing quotes; undefined for an unterminated string. */
function stringEnd(text: string, at: number, isRaw: boolean): number | undefined {
  const mark = text[at] ?? '';
  const triple = mark.repeat(3);
  const end = text.startsWith(triple, at) ? scanString(text, at + 3, { close: triple, isRaw }).end : undefined;
  return end ?? scanString(text, at + 1, { close: mark, isRaw }).end;
}

interface Scan {
  readonly end?: number;
  /** Where the string becomes invalid. */
  readonly deadAt: number;
}

function scanString(text: string, from: number, { close, isRaw }: { close: string; isRaw: boolean }): Scan {
  let at = from;
  while (at < text.length) {
    if (text.startsWith(close, at)) return { end: at + close.length, deadAt: at };
    const char = text[at];
    if (close.length === 1 && (char === '\n' || char === '\r')) return { deadAt: at };
    if (char === '\\' && !isRaw) {
      const length = escapeLength(text, at);
      if (length <= 0) return { deadAt: at - length };
      at += length;
    } else {
      at += 1;
    }
  }
  return { deadAt: text.length };
}

const escapes: readonly (readonly [RegExp, number])[] = [
  [/[abfnrtv"'\\?`]/, 0],
  [/[xX]/, 2],
  [/u/, 4],
  [/U/, 8],
];

/** Length of the escape; 0 or less gives the offset of the error after the backslash. */
function escapeLength(text: string, at: number): number {
  const letter = text[at + 1] ?? '';
  if (/[0-3]/.test(letter)) return digitsFrom(text, { at: at + 2, count: 2, digit: /[0-7]/ });
  const count = escapes.find(([first]) => first.test(letter))?.[1];
  return count === undefined ? -1 : digitsFrom(text, { at: at + 2, count, digit: /[0-9a-fA-F]/ });
}

function digitsFrom(text: string, { at, count, digit }: { at: number; count: number; digit: RegExp }): number {
  for (let index = 0; index < count; index += 1) if (!digit.test(text[at + index] ?? '')) return -2 - index;
  return 2 + count;
}

/** After the character at which no token could continue: it is skipped together with what precedes it. */
function deadEnd(text: string, at: number): number {
  const char = text.codePointAt(at) ?? 0;
  const mark = text[at] ?? '';
  if (mark === '"' || mark === "'") {
    const triple = mark.repeat(3);
    const isTriple = text.startsWith(triple, at);
    const scan = scanString(text, at + (isTriple ? 3 : 1), { close: isTriple ? triple : mark, isRaw: false });
    return scan.deadAt + pointLength(text, scan.deadAt);
  }
  if (mark === '`') {
    let end = at + 1;
    while (/[A-Za-z0-9_.\-/ ]/.test(text[end] ?? '')) end += 1;
    return end + pointLength(text, end);
  }
  if ((mark === '&' || mark === '|' || mark === '=') && at + 1 <= text.length)
    return at + 1 + pointLength(text, at + 1);
  return at + (char > 0xffff ? 2 : 1);
}

function pointLength(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}
