import { escapeHtml } from './go-quote.ts';

/**
 * Values that the reference keeps as the text they were written in (runtime.RawExtension): duplicates, number literals,
 * escapes and the order of keys that look like numbers, none of which plain data can tell. The text goes with the object
 * itself, so that a changed copy of it has none.
 */
const rawTexts = new WeakMap<object, string>();

export function setRawText(value: object, json: string): void {
  rawTexts.set(value, compactJson(json));
}

/** As Go's encoder writes it; undefined for what was not read from a text. */
export function rawTextOf(value: object): string | undefined {
  return rawTexts.get(value);
}

const stringOrBlanks = /["\\ \t\n\r]/g;

/** Without blanks between tokens, and with characters escaped that mean something in HTML. */
function compactJson(json: string): string {
  let out = '';
  let from = 0;
  let inString = false;
  for (;;) {
    const match = stringOrBlanks.exec(json);
    if (match === null) return escapeHtml(out + json.slice(from));
    if (match[0] === '"') inString = !inString;
    // What is escaped neither ends the string nor starts another escape.
    else if (match[0] === '\\') stringOrBlanks.lastIndex++;
    else if (!inString) {
      out += json.slice(from, match.index);
      from = match.index + 1;
    }
  }
}
