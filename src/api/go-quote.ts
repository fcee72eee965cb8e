const shortEscapes: { readonly [char: string]: string } = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '"': '\\"',
  '\\': '\\\\',
};

// Printable as Go defines it (strconv.IsPrint): letters, marks, numbers, punctuation, symbols and the ASCII space.
const notPrintable = /["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;

/** Go's `%q` of a string: Status messages quote names this way. */
export function goQuote(text: string): string {
  return `"${text.replace(notPrintable, escapeChar)}"`;
}

/** Go's `%q` of a list of strings. */
export function goQuoteList(texts: readonly string[]): string {
  return `[${texts.map(goQuote).join(' ')}]`;
}

function escapeChar(char: string): string {
  const short = shortEscapes[char];
  if (short !== undefined) return short;
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x80) return `\\x${code.toString(16).padStart(2, '0')}`;
  if (code >= 0xd800 && code <= 0xdfff) return '\ufffd';
  return code > 0xffff ? `\\U${code.toString(16).padStart(8, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
}

const htmlEscapes: { readonly [char: string]: string } = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

/** JSON as Go's encoder writes it, with HTML characters escaped. */
export function escapeHtml(json: string): string {
  return json.replace(/[<>&\u2028\u2029]/g, (char) => htmlEscapes[char] ?? char);
}
