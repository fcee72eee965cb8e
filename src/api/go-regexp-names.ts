// Names in regular expressions, as Go reads them and as our engine does.

/** An expression for the engine, and how what it says of that is said of the original. */
export interface Renamed {
  readonly text: string;
  /** What a part of `text` is in the original. */
  readonly original: (part: string) => string;
}

/**
 * In Go names of classes may be written in any case, with blanks, and long (`\p{uppercase letter}`), and groups may share a name. The engine has
 * but one form of each class, and refuses the second group of a name.
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

/** What has meaning of its own in classes or outside: quotations, escapes, begins and ends of classes, names of groups. */
const tokens =
  /\\Q(?:[^\\]|\\(?!E))*(?:\\E)?|\\[pP]\{([^}\\]*)\}|\\[pP]([a-z])|\\[^]|\[:\^?\w+:\]|\[\^?\]?|\]|\(\?P?<(\w+)>|[^\\[\](]+|[^]/gu;

interface Change {
  /** Where it ends in the text for the engine. */
  readonly end: number;
  readonly longer: number;
}

interface Rewriting {
  readonly expression: string;
  readonly text: string;
  readonly changes: readonly Change[];
}

/** The first error ends the reading, so a part that occurs several times is the first. */
function originalOf(part: string, { expression, text, changes }: Rewriting): string {
  const start = text.indexOf(part);
  if (changes.length === 0 || start < 0) return part;
  const inOriginal = (at: number): number =>
    changes.reduce((shifted, { end, longer }) => (end <= at ? shifted - longer : shifted), at);
  return expression.slice(inOriginal(start), inOriginal(start + part.length));
}

/** `^` before it negates. */
function engineName(name: string): string {
  const sign = name.startsWith('^') ? '^' : '';
  const letters = name.slice(sign.length).replaceAll(/[-_ ]/g, '');
  const plain = letters.charAt(0).replace(/[a-z]/, upper) + letters.slice(1).replaceAll(/[A-Z]/g, lower);
  if (unknownToGo.has(plain)) return '';
  return sign + (Object.hasOwn(longNames, plain) ? longNames[plain] : plain);
}

/** Properties, and scripts of a later Unicode. */
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

/** Categories by their long names. */
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
