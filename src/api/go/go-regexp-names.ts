// Translates names in Go regular expressions to those of our engine.

/** An expression for the engine, with a mapping of its parts to the original for error messages. */
export interface Renamed {
  readonly text: string;
  /** The original of a part of `text`. */
  readonly original: (part: string) => string;
}

/**
 * Go accepts class names in any case, with spaces, and in long form (`\p{uppercase letter}`), and groups that share a
 * name. The engine knows one form of each class, and rejects duplicate group names.
 */
export function renamed(expression: string): Renamed {
  const changes: Change[] = [];
  let text = '';
  let groups = 0;
  let inClass = false;
  for (const [token, braced, letter, group] of expression.matchAll(tokens)) {
    let written = token;
    if (braced !== undefined) written = `${token.slice(0, 2)}{${engineName(braced)}}`;
    else if (letter !== undefined) written = token.slice(0, 2) + letter.toUpperCase();
    else if (token.startsWith('[') && !token.startsWith('[:')) inClass = true;
    else if (token === ']') inClass = false;
    else if (group !== undefined && !inClass) written = `(?<g${(groups += 1)}>`;
    text += written;
    if (written !== token) changes.push({ end: text.length, longer: written.length - token.length });
  }
  return { text, original: (part) => originalOf(part, { expression, text, changes }) };
}

/** Special sequences inside and outside of classes: quotations, escapes, class brackets, group names. */
const tokens =
  /\\Q(?:[^\\]|\\(?!E))*(?:\\E)?|\\[pP]\{([^}\\]*)\}|\\[pP]([a-z])|\\[^]|\[:\^?\w+:\]|\[\^?\]?|\]|\(\?P?<(\w+)>|[^\\[\](]+|[^]/gu;

interface Change {
  /** End offset in the text for the engine. */
  readonly end: number;
  readonly longer: number;
}

interface Rewriting {
  readonly expression: string;
  readonly text: string;
  readonly changes: readonly Change[];
}

/** The engine stops at the first error, so of repeated parts the first is meant. */
function originalOf(part: string, { expression, text, changes }: Rewriting): string {
  const start = text.indexOf(part);
  if (changes.length === 0 || start < 0) return part;
  const inOriginal = (at: number): number =>
    changes.reduce((shifted, { end, longer }) => (end <= at ? shifted - longer : shifted), at);
  return expression.slice(inOriginal(start), inOriginal(start + part.length));
}

/** A leading `^` negates. */
function engineName(name: string): string {
  const sign = name.startsWith('^') ? '^' : '';
  const letters = name.slice(sign.length).replaceAll(/[-_ ]/g, '');
  const plain = letters.charAt(0).replace(/[a-z]/, upper) + letters.slice(1).replaceAll(/[A-Z]/g, lower);
  if (unknownToGo.has(plain)) return '';
  return sign + (Object.hasOwn(longNames, plain) ? longNames[plain] : plain);
}

/** Properties, and scripts of later Unicode versions. */
const unknownToGo: ReadonlySet<string> = new Set([
  'Alphabetic',
  'Dash',
  'Emoji',
  'Garay',
  'Lowercase',
  'Math',
  'Sidetic',
  'Sunuwar',
  'Todhri',
  'Unknown',
  'Uppercase',
]);

const upper = (letter: string): string => letter.toUpperCase();
const lower = (letter: string): string => letter.toLowerCase();

/** Long names of general categories. */
const longNames: { readonly [name: string]: string } = {
  Casedletter: 'LC',
  Closepunctuation: 'Pe',
  Cntrl: 'Cc',
  Combiningmark: 'M',
  Connectorpunctuation: 'Pc',
  Control: 'Cc',
  Currencysymbol: 'Sc',
  Dashpunctuation: 'Pd',
  Decimalnumber: 'Nd',
  Digit: 'Nd',
  Enclosingmark: 'Me',
  Finalpunctuation: 'Pf',
  Format: 'Cf',
  Initialpunctuation: 'Pi',
  Letter: 'L',
  Letternumber: 'Nl',
  Lineseparator: 'Zl',
  Lowercaseletter: 'Ll',
  Mark: 'M',
  Mathsymbol: 'Sm',
  Modifierletter: 'Lm',
  Modifiersymbol: 'Sk',
  Nonspacingmark: 'Mn',
  Number: 'N',
  Openpunctuation: 'Ps',
  Other: 'C',
  Otherletter: 'Lo',
  Othernumber: 'No',
  Otherpunctuation: 'Po',
  Othersymbol: 'So',
  Paragraphseparator: 'Zp',
  Privateuse: 'Co',
  Punct: 'P',
  Punctuation: 'P',
  Separator: 'Z',
  Spaceseparator: 'Zs',
  Spacingmark: 'Mc',
  Surrogate: 'Cs',
  Symbol: 'S',
  Titlecaseletter: 'Lt',
  Unassigned: 'Cn',
  Uppercaseletter: 'Lu',
};
