// Parts of regular expressions that stand for characters: escapes, and named classes with what they are in JavaScript.

/** A character, whatever it means elsewhere. */
export function literal(code: number): string {
  const char = String.fromCodePoint(code);
  return /[0-9A-Za-z_]/.test(char) ? char : `\\u{${code.toString(16)}}`;
}

const controls: { readonly [letter: string]: number | undefined } = { a: 7, f: 12, n: 10, r: 13, t: 9, v: 11 };

/** `\n`, `\x41`, `\x{1f600}`, `\012`, `\.` at the start of a text. */
export const escapeForm =
  /^\\(?:0[0-7]{0,2}|[1-7][0-7]{1,2}|x[0-9A-Fa-f]{2}|x\{[0-9A-Fa-f]+\}|[afnrtv]|[^0-9A-Za-z\u0080-\u{10ffff}])/su;

export function codeOfEscape(escape: string): number {
  const text = escape.slice(1);
  if (/^[0-7]/.test(text)) return Number.parseInt(text, 8);
  if (text.startsWith('x')) return Number.parseInt(text.replace(/[x{}]/g, ''), 16);
  return controls[text] ?? text.codePointAt(0) ?? 0;
}

/** The part of an escape that cannot be read. */
export function badEscape(rest: string): string {
  if (rest.startsWith('\\x{')) {
    // Digits are read until there is something else, or until they are too many.
    let end = 3;
    while (/[0-9A-Fa-f]/.test(rest.charAt(end)) && Number.parseInt(rest.slice(3, end + 1), 16) <= 0x10ffff) end += 1;
    return rest.slice(0, end + 1);
  }
  const hex = /^\\x[^]{0,2}/.exec(rest);
  return hex === null ? `\\${String.fromCodePoint(rest.codePointAt(1) ?? 0)}` : hex[0];
}

/** The flags of a group up to the first character that is none. */
export function badFlags(rest: string): string {
  const sound = /^\(\?[imsU]*(?:-[imsU]*)?/.exec(rest)?.[0] ?? '';
  const next = rest.codePointAt(sound.length);
  return next === undefined ? sound : sound + String.fromCodePoint(next);
}

const spaces = '\\t\\n\\f\\r ';

/** `\d` and its like, as they stand inside of a class. */
export const perlClasses: { readonly [letter: string]: string | undefined } = {
  d: '0-9',
  D: '\\u{0}-\\u{2f}\\u{3a}-\\u{10ffff}',
  s: spaces,
  S: '\\u{0}-\\u{8}\\u{b}\\u{e}-\\u{1f}\\u{21}-\\u{10ffff}',
  w: '0-9A-Za-z_',
  W: '\\u{0}-\\u{2f}\\u{3a}-\\u{40}\\u{5b}-\\u{5e}\\u{60}\\u{7b}-\\u{10ffff}',
};

/** First and last character of each range. */
const posixRanges: { readonly [name: string]: readonly (readonly [first: string, last: string])[] } = {
  alnum: [
    ['0', '9'],
    ['A', 'Z'],
    ['a', 'z'],
  ],
  alpha: [
    ['A', 'Z'],
    ['a', 'z'],
  ],
  ascii: [['\0', '\x7f']],
  blank: [
    ['\t', '\t'],
    [' ', ' '],
  ],
  cntrl: [
    ['\0', '\x1f'],
    ['\x7f', '\x7f'],
  ],
  digit: [['0', '9']],
  graph: [['!', '~']],
  lower: [['a', 'z']],
  print: [[' ', '~']],
  punct: [
    ['!', '/'],
    [':', '@'],
    ['[', '`'],
    ['{', '~'],
  ],
  space: [
    ['\t', '\r'],
    [' ', ' '],
  ],
  upper: [['A', 'Z']],
  word: [
    ['0', '9'],
    ['A', 'Z'],
    ['_', '_'],
    ['a', 'z'],
  ],
  xdigit: [
    ['0', '9'],
    ['A', 'F'],
    ['a', 'f'],
  ],
};

/** `alpha` or `^alpha` of `[:alpha:]`; undefined when there is no such class. */
export function posixClass(name: string): string | undefined {
  const plain = name.replace(/^\^/, '');
  const ranges = Object.hasOwn(posixRanges, plain) ? posixRanges[plain] : undefined;
  if (ranges === undefined) return undefined;
  const codes = ranges.map(([first, last]) => [first.charCodeAt(0), last.charCodeAt(0)] as const);
  const written = (list: readonly (readonly [number, number])[]): string =>
    list.map(([first, last]) => `${literal(first)}-${literal(last)}`).join('');
  if (name === plain) return written(codes);
  const gaps = [...codes, [0x110000, 0] as const].map(
    ([first], index) => [(codes[index - 1]?.[1] ?? -1) + 1, first - 1] as const,
  );
  return written(gaps.filter(([first, last]) => first <= last));
}

/** A class of Unicode as JavaScript names it: a category or a script; undefined when there is none of that name. */
export function unicodeClass(name: string, negated: boolean): string | undefined {
  if (name === 'Any') return negated ? undefined : '\\u{0}-\\u{10ffff}';
  const escape = negated ? '\\P' : '\\p';
  return ['General_Category', 'Script'].map((property) => `${escape}{${property}=${name}}`).find(isExpression);
}

function isExpression(text: string): boolean {
  try {
    return new RegExp(text, 'u').source !== '';
  } catch {
    // Unknown names are what is asked for.
    return false;
  }
}
