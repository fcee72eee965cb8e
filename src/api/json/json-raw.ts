import { escapeHtml } from '../go/go-quote.ts';

/**
 * Values that the reference keeps as raw text (runtime.RawExtension): duplicate keys, number literals, escapes and the
 * order of numeric keys, none of which plain data preserve. The text is attached to the object itself, so a changed
 * copy loses it.
 */
const rawTexts = new WeakMap<object, string>();

export function setRawText(value: object, json: string): void {
  rawTexts.set(value, compactJson(json));
}

/** As Go's encoder writes it; undefined for values that were not parsed from text. */
export function rawTextOf(value: object): string | undefined {
  return rawTexts.get(value);
}

const stringOrBlanks = /["\\ \t\n\r]/g;

/** Compacted, with HTML characters escaped. */
export function compactJson(json: string): string {
  let out = '';
  let from = 0;
  let inString = false;
  for (;;) {
    const match = stringOrBlanks.exec(json);
    if (match === null) return escapeHtml(out + json.slice(from));
    if (match[0] === '"') inString = !inString;
    // An escaped character neither ends the string nor starts another escape.
    else if (match[0] === '\\') stringOrBlanks.lastIndex++;
    else if (!inString) {
      out += json.slice(from, match.index);
      from = match.index + 1;
    }
  }
}

const structure = /["\\{}[\],:]/g;

/**
 * The parts of a list or an object in compact JSON, as written: items, or keys and values in turn.
 *
 *     partsOf('{"a":[1.0,2],"b":{}}') -> ['"a"', '[1.0,2]', '"b"', '{}']
 */
export function partsOf(json: string): readonly string[] {
  const parts: string[] = [];
  let from = 1;
  let depth = 0;
  let inString = false;
  structure.lastIndex = 0;
  for (let match = structure.exec(json); match !== null; match = structure.exec(json)) {
    const [char] = match;
    if (char === '"') inString = !inString;
    else if (char === '\\') structure.lastIndex++;
    else if (inString) continue;
    else if (char === '{' || char === '[') depth++;
    else if (char === '}' || char === ']') depth--;
    else if (depth === 1) {
      parts.push(json.slice(from, match.index));
      from = match.index + 1;
    }
  }
  return json.length > 2 ? [...parts, json.slice(from, -1)] : parts;
}
