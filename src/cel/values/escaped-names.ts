// Property names as CEL identifiers: `a-b` is `a__dash__b`, `namespace` is `__namespace__`.

import { reservedWords } from '../syntax/reserved-words.ts';

/** With the words that have a meaning. */
const nonIdentifiers: ReadonlySet<string> = new Set(['true', 'false', 'null', 'in', ...reservedWords]);

const escapes: ReadonlyMap<string, string> = new Map([
  ['__', '__underscores__'],
  ['.', '__dot__'],
  ['-', '__dash__'],
  ['/', '__slash__'],
]);
const unescapes: ReadonlyMap<string, string> = new Map([...escapes].map(([plain, escaped]) => [escaped, plain]));

export function isReservedName(name: string): boolean {
  return nonIdentifiers.has(name);
}

/** Undefined for a name that cannot be escaped. */
export function escapeName(name: string): string | undefined {
  if (isReservedName(name)) return `__${name}__`;
  if (!/^[A-Za-z_./-][A-Za-z0-9_./-]*$/.test(name)) return undefined;
  return name.replace(/__|[./-]/g, (part) => escapes.get(part) ?? part);
}

/** Undefined for anything that is not an escaped name. */
export function unescapeName(escaped: string): string | undefined {
  if (!escaped.includes('__')) return escaped;
  let isValid = true;
  const name = escaped.replace(/__[^_]+__/g, (part) => {
    const plain = unescapes.get(part);
    if (plain !== undefined) return plain;
    const word = part.slice(2, -2);
    if (!isReservedName(word) || part.length !== escaped.length) isValid = false;
    return word;
  });
  return isValid ? name : undefined;
}
