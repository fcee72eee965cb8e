import { goQuote } from '../api/go/go-quote.ts';

/** Invalid JSON; the message is that of Go's scanner. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
  readonly code = 'JSON_SYNTAX';
}

/** Maximum nesting of objects and arrays. */
export const maxNestingDepth = 10_000;

/** What the scanner expects next. */
type State = 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'colon' | 'after-member' | 'after-item' | 'end';

const contexts: { readonly [state in State]: string } = {
  value: 'looking for beginning of value',
  'value-or-end': 'looking for beginning of value',
  key: 'looking for beginning of object key string',
  'key-or-end': 'looking for beginning of object key string',
  colon: 'after object key',
  'after-member': 'after object key:value pair',
  'after-item': 'after array element',
  end: 'after top-level value',
};

/** The error at the first invalid byte; undefined for valid JSON. */
export function findSyntaxError(bytes: Uint8Array): JsonSyntaxError | undefined {
  try {
    new Scanner(bytes).scan();
    return undefined;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error;
    throw error;
  }
}

class Scanner {
  private readonly bytes: Uint8Array;
  private position = 0;
  /** True for each open object, false for each open array. */
  private readonly open: boolean[] = [];
  private state: State = 'value';

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  scan(): void {
    for (let byte = this.bytes[0]; byte !== undefined; byte = this.bytes[this.position]) {
      if (byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d) this.position++;
      else this.token(byte);
    }
    if (this.state !== 'end') throw new JsonSyntaxError('unexpected end of JSON input');
  }

  private token(byte: number): void {
    const char = String.fromCharCode(byte);
    switch (this.state) {
      case 'value-or-end':
        return char === ']' ? this.close() : this.value(char);
      case 'value':
        return this.value(char);
      case 'key-or-end':
        return char === '}' ? this.close() : this.key(char);
      case 'key':
        return this.key(char);
      case 'colon':
        if (char !== ':') throw this.unexpected(contexts.colon);
        return this.next('value');
      case 'after-member':
        if (char === ',') return this.next('key');
        return char === '}' ? this.close() : this.fail();
      case 'after-item':
        if (char === ',') return this.next('value');
        return char === ']' ? this.close() : this.fail();
      case 'end':
        return this.fail();
    }
  }

  private next(state: State): void {
    this.position++;
    this.state = state;
  }

  private fail(): never {
    throw this.unexpected(contexts[this.state]);
  }

  private close(): void {
    this.open.pop();
    this.position++;
    this.afterValue();
  }

  private afterValue(): void {
    const top = this.open.at(-1);
    this.state = top === undefined ? 'end' : top ? 'after-member' : 'after-item';
  }

  private key(char: string): void {
    if (char !== '"') this.fail();
    this.string();
    this.state = 'colon';
  }

  private value(char: string): void {
    if (char === '{' || char === '[') {
      this.open.push(char === '{');
      if (this.open.length > maxNestingDepth) throw this.unexpected('exceeded max depth');
      return this.next(char === '{' ? 'key-or-end' : 'value-or-end');
    }
    if (char === '"') this.string();
    else if (char === 't') this.literal('true');
    else if (char === 'f') this.literal('false');
    else if (char === 'n') this.literal('null');
    else if (char === '-' || (char >= '0' && char <= '9')) this.number();
    else this.fail();
    this.afterValue();
  }

  private literal(word: string): void {
    for (let i = 1; i < word.length; i++) {
      this.position++;
      this.expect((char) => char === word[i], `in literal ${word} (expecting '${word[i]}')`);
    }
    this.position++;
  }

  private string(): void {
    for (;;) {
      this.position++;
      const byte = this.bytes[this.position];
      if (byte === undefined) throw new JsonSyntaxError('unexpected end of JSON input');
      if (byte === 0x22) break;
      if (byte < 0x20) throw this.unexpected('in string literal');
      if (byte === 0x5c) this.escape();
    }
    this.position++;
  }

  private escape(): void {
    this.position++;
    this.expect((char) => 'bfnrt\\/"u'.includes(char), 'in string escape code');
    if (this.bytes[this.position] !== 0x75) return;
    for (let i = 0; i < 4; i++) {
      this.position++;
      this.expect((char) => /[0-9a-fA-F]/.test(char), 'in \\u hexadecimal character escape');
    }
  }

  private number(): void {
    if (this.is('-')) {
      this.position++;
      this.expect(isDigit, 'in numeric literal');
    }
    if (this.is('0')) this.position++;
    else this.digits();
    if (this.is('.')) {
      this.position++;
      this.expect(isDigit, 'after decimal point in numeric literal');
      this.digits();
    }
    if (this.is('e') || this.is('E')) {
      this.position++;
      if (this.is('+') || this.is('-')) this.position++;
      this.expect(isDigit, 'in exponent of numeric literal');
      this.digits();
    }
  }

  private digits(): void {
    while (isDigit(String.fromCharCode(this.bytes[this.position] ?? 0))) this.position++;
  }

  private is(char: string): boolean {
    return this.bytes[this.position] === char.charCodeAt(0);
  }

  /** Go's scanner sees a space after the end, which terminates literals and escapes early. */
  private peek(): number {
    return this.bytes[this.position] ?? 0x20;
  }

  private expect(accept: (char: string) => boolean, context: string): void {
    if (!accept(String.fromCharCode(this.peek()))) throw this.unexpected(context);
  }

  private unexpected(context: string): JsonSyntaxError {
    return new JsonSyntaxError(`invalid character ${quoteByte(this.peek())} ${context}`);
  }
}

function isDigit(char: string): boolean {
  return char >= '0' && char <= '9';
}

/** A byte in single quotes; those past ASCII print as the code point of that number. */
function quoteByte(byte: number): string {
  if (byte === 0x27) return "'\\''";
  if (byte === 0x22) return "'\"'";
  return `'${goQuote(String.fromCharCode(byte)).slice(1, -1)}'`;
}
