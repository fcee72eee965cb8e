// Which regular expressions the reference takes (RE2 syntax with Perl's classes), and how it words what is wrong with others.

/** Why an expression is none, as `error parsing regexp: missing closing ): \`(a\``; undefined when it is one. */
export function goRegexpError(expression: string): string | undefined {
  try {
    new Parser(expression).parse();
    return undefined;
  } catch (error) {
    if (error instanceof SyntaxProblem) return `error parsing regexp: ${error.message}`;
    throw error;
  }
}

class SyntaxProblem extends Error {
  constructor(what: string, part: string) {
    super(`${what}: \`${part}\``);
  }
}

const maxRepeat = 1000;
const charRange = 'invalid character class range';
const repeatCount = 'invalid repeat count';

class Parser {
  readonly #text: string;
  #at = 0;
  /** For each open group, and the whole: whether there is something to repeat. */
  readonly #operand: boolean[] = [false];
  /** Where the repetition that ends here began. */
  #lastRepeat: number | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  parse(): void {
    while (this.#at < this.#text.length) {
      const repeat = this.#step();
      this.#lastRepeat = repeat;
    }
    if (this.#operand.length > 1) throw new SyntaxProblem('missing closing )', this.#text);
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
      this.#setOperand(false);
    } else {
      if (char === '[') this.#class();
      else if (char === '\\') this.#escapeOutside();
      else this.#at += this.#runeLength();
      this.#setOperand(true);
    }
    return undefined;
  }

  #setOperand(value: boolean): void {
    this.#operand[this.#operand.length - 1] = value;
  }

  #runeLength(): number {
    return (this.#text.codePointAt(this.#at) ?? 0) > 0xffff ? 2 : 1;
  }

  #since(start: number): string {
    return this.#text.slice(start, this.#at);
  }

  #repeat(end: number): number {
    const start = this.#at;
    this.#at = this.#text.charAt(end) === '?' ? end + 1 : end;
    if (this.#lastRepeat !== undefined) {
      throw new SyntaxProblem('invalid nested repetition operator', this.#since(this.#lastRepeat));
    }
    if (this.#operand.at(-1) !== true) {
      throw new SyntaxProblem('missing argument to repetition operator', this.#since(start));
    }
    return start;
  }

  /** `{2}`, `{2,}`, `{2,3}`; anything else is a brace. */
  #count(): number | undefined {
    const found = /^\{(0|[1-9]\d*)(,(0|[1-9]\d*)?)?\}/.exec(this.#text.slice(this.#at));
    if (found === null) {
      this.#at += 1;
      this.#setOperand(true);
      return undefined;
    }
    const [whole, min, comma, max] = found;
    const most = comma === undefined ? Number(min) : Number(max ?? -1);
    if (Number(min) > maxRepeat || most > maxRepeat || (most >= 0 && Number(min) > most)) {
      throw new SyntaxProblem(repeatCount, whole);
    }
    return this.#repeat(this.#at + whole.length);
  }

  #open(): void {
    const rest = this.#text.slice(this.#at);
    if (!rest.startsWith('(?')) {
      this.#at += 1;
      this.#operand.push(false);
      return;
    }
    const named = /^\(\?P?</.exec(rest)?.[0];
    const end = named === undefined ? undefined : this.#nameEnd(rest, named.length);
    const flags = /^\(\?(?:[imsU]*|[imsU]*-[imsU]+)([:)])/.exec(rest);
    if (end === undefined && flags === null)
      throw new SyntaxProblem('invalid or unsupported Perl syntax', badFlags(rest));
    this.#at += end ?? flags?.[0].length ?? 0;
    // `(?i)` is no group.
    if (end !== undefined || flags?.[1] === ':') this.#operand.push(false);
  }

  #nameEnd(rest: string, start: number): number {
    const end = rest.indexOf('>');
    if (end < 0) throw new SyntaxProblem('invalid named capture', rest);
    if (!/^\w+$/.test(rest.slice(start, end))) throw new SyntaxProblem('invalid named capture', rest.slice(0, end + 1));
    return end + 1;
  }

  #close(): void {
    if (this.#operand.length === 1) throw new SyntaxProblem('unexpected )', this.#text);
    this.#at += 1;
    this.#operand.pop();
    this.#setOperand(true);
  }

  #escapeOutside(): void {
    const rest = this.#text.slice(this.#at);
    if (/^\\[AbBz]/.test(rest)) this.#at += 2;
    else if (rest.startsWith('\\Q')) {
      const end = rest.indexOf('\\E');
      this.#at += end < 0 ? rest.length : end + 2;
    } else if (rest.startsWith('\\C')) throw new SyntaxProblem('invalid escape sequence', '\\C');
    else if (!this.#namedClass()) this.#escape();
  }

  /** `\d`, `\pL`, `\p{Greek}`. */
  #namedClass(): boolean {
    const rest = this.#text.slice(this.#at);
    if (/^\\[dDsSwW]/.test(rest)) {
      this.#at += 2;
      return true;
    }
    if (!/^\\[pP]/.test(rest) || rest.length < 3) return false;
    const end = rest.charAt(2) === '{' ? rest.indexOf('}') : String.fromCodePoint(rest.codePointAt(2) ?? 0).length + 1;
    if (end < 0) throw new SyntaxProblem(charRange, rest);
    const name = rest.slice(2, end + 1).replace(/^\{\^?|\}$/g, '');
    if (!isUnicodeClass(name)) throw new SyntaxProblem(charRange, rest.slice(0, end + 1));
    this.#at += end + 1;
    return true;
  }

  #escape(): number {
    const rest = this.#text.slice(this.#at);
    if (rest === '\\') throw new SyntaxProblem('trailing backslash at end of expression', '');
    const found =
      /^\\(?:0[0-7]{0,2}|[1-7][0-7]{1,2}|x[0-9A-Fa-f]{2}|x\{[0-9A-Fa-f]+\}|[afnrtv]|[^0-9A-Za-z\u0080-\u{10ffff}])/su.exec(
        rest,
      );
    const [text] = found ?? [];
    if (text === undefined || codeOf(text) > 0x10ffff)
      throw new SyntaxProblem('invalid escape sequence', badEscape(rest));
    this.#at += text.length;
    return codeOf(text);
  }

  #class(): void {
    const whole = this.#text.slice(this.#at);
    this.#at += this.#text.charAt(this.#at + 1) === '^' ? 2 : 1;
    for (let first = true; first || this.#text.charAt(this.#at) !== ']'; first = false) {
      if (this.#posixClass() || this.#namedClass()) continue;
      const start = this.#at;
      const low = this.#classChar(whole);
      let high = low;
      const next = this.#text.slice(this.#at, this.#at + 2);
      if (next.length === 2 && next.startsWith('-') && next !== '-]') {
        this.#at += 1;
        high = this.#classChar(whole);
      }
      if (high < low) throw new SyntaxProblem(charRange, this.#since(start));
    }
    this.#at += 1;
  }

  #posixClass(): boolean {
    const found = /^\[:(.*?):\]/s.exec(this.#text.slice(this.#at));
    if (found === null) return false;
    const [whole, name = ''] = found;
    if (!posixClasses.includes(name.replace(/^\^/, ''))) throw new SyntaxProblem(charRange, whole);
    this.#at += whole.length;
    return true;
  }

  #classChar(whole: string): number {
    const code = this.#text.codePointAt(this.#at);
    if (code === undefined) throw new SyntaxProblem('missing closing ]', whole);
    if (code === 0x5c) return this.#escape();
    this.#at += this.#runeLength();
    return code;
  }
}

/** The flags up to the first character that is none. */
function badFlags(rest: string): string {
  const sound = /^\(\?[imsU]*(?:-[imsU]*)?/.exec(rest)?.[0] ?? '';
  const next = rest.codePointAt(sound.length);
  return next === undefined ? sound : sound + String.fromCodePoint(next);
}

function badEscape(rest: string): string {
  if (rest.startsWith('\\x{')) {
    // Digits are read until there is something else, or until they are too many.
    let end = 3;
    while (/[0-9A-Fa-f]/.test(rest.charAt(end)) && Number.parseInt(rest.slice(3, end + 1), 16) <= 0x10ffff) end += 1;
    return rest.slice(0, end + 1);
  }
  const hex = /^\\x[^]{0,2}/.exec(rest);
  return hex === null ? `\\${String.fromCodePoint(rest.codePointAt(1) ?? 0)}` : hex[0];
}

const controls: { readonly [letter: string]: number | undefined } = { a: 7, f: 12, n: 10, r: 13, t: 9, v: 11 };

function codeOf(escape: string): number {
  const text = escape.slice(1);
  if (/^[0-7]/.test(text)) return Number.parseInt(text, 8);
  if (text.startsWith('x')) return Number.parseInt(text.replace(/[x{}]/g, ''), 16);
  return controls[text] ?? text.codePointAt(0) ?? 0;
}

const posixClasses = [
  ...['alnum', 'alpha', 'ascii', 'blank', 'cntrl', 'digit', 'graph', 'lower', 'print', 'punct', 'space', 'upper'],
  ...['word', 'xdigit'],
];

function isUnicodeClass(name: string): boolean {
  if (name === 'Any') return true;
  return ['General_Category', 'Script'].some((property) => isExpression(`\\p{${property}=${name}}`));
}

function isExpression(text: string): boolean {
  try {
    return new RegExp(text, 'u').source !== '';
  } catch {
    // Unknown names are what is asked for.
    return false;
  }
}
