import type { Mark } from './cursor.ts';

export type Token =
  | { readonly type: PlainTokenType; readonly start: Mark }
  | { readonly type: 'alias' | 'anchor'; readonly start: Mark; readonly name: string }
  /** `handle` is empty for a verbatim tag. */
  | { readonly type: 'tag'; readonly start: Mark; readonly handle: string; readonly suffix: string }
  | ScalarToken
  | { readonly type: 'version directive'; readonly start: Mark; readonly major: number; readonly minor: number }
  | { readonly type: 'tag directive'; readonly start: Mark; readonly handle: string; readonly prefix: string };

export interface ScalarToken {
  readonly type: 'scalar';
  readonly start: Mark;
  readonly value: string;
  readonly plain: boolean;
  /** A line break follows the plain scalar. */
  readonly endsLine: boolean;
}

export type PlainTokenType =
  | 'stream end'
  | 'document start'
  | 'document end'
  | 'block sequence start'
  | 'block mapping start'
  | 'block end'
  | '['
  | ']'
  | '{'
  | '}'
  /** `,` */
  | 'flow entry'
  /** `- ` */
  | 'block entry'
  | 'key'
  | 'value';

/** Tokens that are kept although they have been taken. */
const mostTaken = 1024;

/** A queue of tokens, with insertion before the last few. */
export class TokenQueue {
  private tokens: Token[] = [];
  private head = 0;
  /** Number of the first token in the queue. */
  first = 0;

  get isEmpty(): boolean {
    return this.head === this.tokens.length;
  }

  /** Number of the next token to be appended. */
  get next(): number {
    return this.first + this.tokens.length - this.head;
  }

  peek(): Token {
    const token = this.tokens[this.head];
    if (token === undefined) throw new Error('no token'); // called only when not empty
    return token;
  }

  take(): Token {
    const token = this.peek();
    this.head++;
    this.first++;
    if (this.head === mostTaken) {
      this.tokens = this.tokens.slice(this.head);
      this.head = 0;
    }
    return token;
  }

  push(token: Token): void {
    this.tokens.push(token);
  }

  /** Inserts a token before the one of that number. */
  insert(number: number, token: Token): void {
    const { tokens } = this;
    const at = this.head + number - this.first;
    // Faster than `splice`, as few are behind it.
    for (let next = tokens.push(token) - 1; next > at; next--) tokens[next] = tokens[next - 1] as Token; // within bounds
    tokens[at] = token;
  }
}
