import {
  badEscape,
  badFlags,
  codeOfEscape,
  escapeForm,
  literal,
  perlClasses,
  posixClass,
  unicodeClass,
} from './go-regexp-text.ts';

// Regular expressions as the reference reads them (RE2 syntax with Perl's classes): which there are, how it words what is wrong
// with others, and what they are in JavaScript.

/** The message is `missing closing ): \`(a\``. */
export class GoRegexpError extends Error {
  constructor(what: string, part: string) {
    super(`${what}: \`${part}\``);
  }
}

/** Why an expression is none, as `error parsing regexp: missing closing ): \`(a\``; undefined when it is one. */
export function goRegexpError(expression: string): string | undefined {
  try {
    new Parser(expression).parse();
    return undefined;
  } catch (error) {
    if (error instanceof GoRegexpError) return `error parsing regexp: ${error.message}`;
    throw error;
  }
}

/**
 * Matches what the expression matches anywhere in a text. Throws GoRegexpError. JavaScript's engine may take exponential time, so the
 * expression and the text must be of one author.
 */
export function goRegexp(expression: string): RegExp {
  return new RegExp(new Parser(expression).parse(), 'u');
}

/** What stands open: a group, or the whole. */
interface Group {
  /** Whether there is something that can be repeated. */
  hasOperand: boolean;
  /** `(?i)` holds until the end of the group: the groups that were opened for it, to be closed with it. */
  readonly flags: string[];
}

const maxRepeat = 1000;
const charRange = 'invalid character class range';

class Parser {
  readonly #text: string;
  #at = 0;
  #written = '';
  readonly #groups: Group[] = [{ hasOperand: false, flags: [] }];
  /** Where the repetition that ends here began. */
  #lastRepeat: number | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** The expression in JavaScript. */
  parse(): string {
    while (this.#at < this.#text.length) this.#lastRepeat = this.#step();
    if (this.#groups.length > 1) throw new GoRegexpError('missing closing )', this.#text);
    return this.#written + this.#group.flags.map(() => ')').join('');
  }

  get #group(): Group {
    const group = this.#groups.at(-1);
    if (group === undefined) throw new Error('there is always a group');
    return group;
  }

  get #rest(): string {
    return this.#text.slice(this.#at);
  }

  /** Reads one thing; answers where a repetition began when it was one. */
  #step(): number | undefined {
    const char = this.#text.charAt(this.#at);
    if (char === '*' || char === '+' || char === '?') return this.#repeat(this.#at + 1);
    if (char === '{') return this.#count();
    if (char === '(') this.#open();
    else if (char === ')') this.#close();
    else if (char === '|') {
      this.#at += 1;
      this.#group.hasOperand = false;
      const { flags } = this.#group;
      this.#written += `${flags.map(() => ')').join('')}|${flags.join('')}`;
    } else {
      this.#atom(char);
      this.#group.hasOperand = true;
    }
    return undefined;
  }

  #atom(char: string): void {
    if (char === '[') this.#class();
    else if (char === '\\') this.#escapeOutside();
    else if (char === '^' || char === '$' || char === '.') this.#take(1, char);
    else this.#written += literal(this.#rune());
  }

  #take(length: number, written: string): void {
    this.#at += length;
    this.#written += written;
  }

  #rune(): number {
    const code = this.#text.codePointAt(this.#at) ?? 0;
    this.#at += code > 0xffff ? 2 : 1;
    return code;
  }

  #repeat(end: number): number {
    const start = this.#at;
    this.#at = this.#text.charAt(end) === '?' ? end + 1 : end;
    if (this.#lastRepeat !== undefined) {
      throw new GoRegexpError('invalid nested repetition operator', this.#text.slice(this.#lastRepeat, this.#at));
    }
    const written = this.#text.slice(start, this.#at);
    if (!this.#group.hasOperand) throw new GoRegexpError('missing argument to repetition operator', written);
    this.#written += written;
    return start;
  }

  /** `{2}`, `{2,}`, `{2,3}`; anything else is a brace. */
  #count(): number | undefined {
    const found = /^\{(0|[1-9]\d*)(,(0|[1-9]\d*)?)?\}/.exec(this.#rest);
    if (found === null) {
      this.#take(1, literal(0x7b));
      this.#group.hasOperand = true;
      return undefined;
    }
    const [whole, min, comma, max] = found;
    const most = comma === undefined ? Number(min) : Number(max ?? -1);
    if (Number(min) > maxRepeat || most > maxRepeat || (most >= 0 && Number(min) > most)) {
      throw new GoRegexpError('invalid repeat count', whole);
    }
    return this.#repeat(this.#at + whole.length);
  }

  #open(): void {
    const rest = this.#rest;
    if (!rest.startsWith('(?')) return this.#push(1, '(');
    const [prefix] = /^\(\?P?</.exec(rest) ?? [];
    if (prefix !== undefined) {
      const end = rest.indexOf('>');
      if (end < 0) throw new GoRegexpError('invalid named capture', rest);
      const name = rest.slice(prefix.length, end);
      if (!/^\w+$/.test(name)) throw new GoRegexpError('invalid named capture', rest.slice(0, end + 1));
      // Nobody asks for the name.
      return this.#push(end + 1, '(');
    }
    const [whole, flags = '', end] = /^\(\?([imsU]*|[imsU]*-[imsU]+)([:)])/.exec(rest) ?? [];
    if (whole === undefined) throw new GoRegexpError('invalid or unsupported Perl syntax', badFlags(rest));
    // Who is greedy does not matter to whether there is a match.
    const known = flags.replaceAll('U', '').replace(/-$/, '');
    if (end === ':') return this.#push(whole.length, `(?${known}:`);
    this.#take(whole.length, `(?${known}:`);
    this.#group.flags.push(`(?${known}:`);
  }

  #push(length: number, written: string): void {
    this.#take(length, written);
    this.#groups.push({ hasOperand: false, flags: [] });
  }

  #close(): void {
    if (this.#groups.length === 1) throw new GoRegexpError('unexpected )', this.#text);
    this.#take(1, `${this.#group.flags.map(() => ')').join('')})`);
    this.#groups.pop();
    this.#group.hasOperand = true;
  }

  #escapeOutside(): void {
    const rest = this.#rest;
    if (rest.startsWith('\\A')) this.#take(2, '(?<![^])');
    else if (rest.startsWith('\\z')) this.#take(2, '(?![^])');
    else if (/^\\[bB]/.test(rest)) this.#take(2, rest.slice(0, 2));
    else if (rest.startsWith('\\Q')) {
      const end = rest.indexOf('\\E');
      const quoted = rest.slice(2, end < 0 ? undefined : end);
      this.#take(
        end < 0 ? rest.length : end + 2,
        [...quoted].map((char) => literal(char.codePointAt(0) ?? 0)).join(''),
      );
    } else if (rest.startsWith('\\C')) throw new GoRegexpError('invalid escape sequence', '\\C');
    else {
      const named = this.#namedClass();
      this.#written += named === undefined ? literal(this.#escape()) : `[${named}]`;
    }
  }

  /** `\d`, `\pL`, `\p{Greek}`, as inside of a class. */
  #namedClass(): string | undefined {
    const rest = this.#rest;
    const perl = rest.startsWith('\\') ? perlClasses[rest.charAt(1)] : undefined;
    if (perl !== undefined) {
      this.#at += 2;
      return perl;
    }
    if (!/^\\[pP]/.test(rest) || rest.length < 3) return undefined;
    const end = rest.charAt(2) === '{' ? rest.indexOf('}') : String.fromCodePoint(rest.codePointAt(2) ?? 0).length + 1;
    if (end < 0) throw new GoRegexpError(charRange, rest);
    const name = rest.slice(2, end + 1).replace(/^\{|\}$/g, '');
    const negated = rest.startsWith('\\P') !== name.startsWith('^');
    const found = unicodeClass(name.replace(/^\^/, ''), negated);
    if (found === undefined) throw new GoRegexpError(charRange, rest.slice(0, end + 1));
    this.#at += end + 1;
    return found;
  }

  #escape(): number {
    const rest = this.#rest;
    if (rest === '\\') throw new GoRegexpError('trailing backslash at end of expression', '');
    const [text] = escapeForm.exec(rest) ?? [];
    const code = text === undefined ? undefined : codeOfEscape(text);
    if (text === undefined || code === undefined || code > 0x10ffff) {
      throw new GoRegexpError('invalid escape sequence', badEscape(rest));
    }
    this.#at += text.length;
    return code;
  }

  #class(): void {
    const whole = this.#rest;
    const negated = whole.startsWith('[^');
    this.#take(negated ? 2 : 1, negated ? '[^' : '[');
    for (let first = true; first || this.#text.charAt(this.#at) !== ']'; first = false) {
      this.#written += this.#posixClass() ?? this.#namedClass() ?? this.#range(whole);
    }
    this.#take(1, ']');
  }

  #range(whole: string): string {
    const start = this.#at;
    const low = this.#classChar(whole);
    if (!/^-[^\]]/.test(this.#rest)) return literal(low);
    this.#at += 1;
    const high = this.#classChar(whole);
    if (high < low) throw new GoRegexpError(charRange, this.#text.slice(start, this.#at));
    return `${literal(low)}-${literal(high)}`;
  }

  #posixClass(): string | undefined {
    const [whole, name = ''] = /^\[:(.*?):\]/s.exec(this.#rest) ?? [];
    if (whole === undefined) return undefined;
    const found = posixClass(name);
    if (found === undefined) throw new GoRegexpError(charRange, whole);
    this.#at += whole.length;
    return found;
  }

  #classChar(whole: string): number {
    if (this.#at >= this.#text.length) throw new GoRegexpError('missing closing ]', whole);
    return this.#text.charAt(this.#at) === '\\' ? this.#escape() : this.#rune();
  }
}
