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

/** Longer texts are read character by character: the regular expression takes ten times as long for each. */
const shortLength = 256;

/** Go's `%q` of a string: Status messages quote names this way. */
export function goQuote(text: string): string {
  return `"${text.length > shortLength ? escapeLong(text) : text.replace(notPrintable, escapeChar)}"`;
}

const unknown = 0;
const printable = 1;
const escaped = 2;
/** The kind of each code unit that has occurred. */
const unitKinds = new Uint8Array(0x10000);

function escapeLong(text: string): string {
  let out = '';
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unitKinds[unit] === printable) continue;
    const isSurrogate = (unit & 0xf800) === 0xd800;
    const char = isSurrogate ? String.fromCodePoint(text.codePointAt(at) ?? 0) : text.charAt(at);
    if (isSurrogate || unitKinds[unit] === unknown) {
      const kind = char.search(notPrintable) === -1 ? printable : escaped;
      if (!isSurrogate) unitKinds[unit] = kind;
      if (kind === printable) {
        at += char.length - 1;
        continue;
      }
    }
    out += text.slice(from, at) + escapeChar(char);
    at += char.length - 1;
    from = at + 1;
  }
  return from === 0 ? text : out + text.slice(from);
}

/** Go's `%q` of a list of strings. */
export function goQuoteList(texts: readonly string[]): string {
  return `[${texts.map(goQuote).join(' ')}]`;
}

/** By code. */
const asciiEscapes = Array.from(
  { length: 0x80 },
  (_, code) => shortEscapes[String.fromCharCode(code)] ?? `\\x${code.toString(16).padStart(2, '0')}`,
);

function escapeChar(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  const ascii = asciiEscapes[code];
  if (ascii !== undefined) return ascii;
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
