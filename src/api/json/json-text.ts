import { joinNested, type Piece } from '../text/join-nested.ts';
import { type JsonObject, type JsonValue, setOwn } from './json.ts';
import { rawTextOf } from './json-raw.ts';
import { spellingOf } from './spelled-numbers.ts';

// JSON text as Go's encoder writes it: HTML characters and U+2028/9 escaped, map keys sorted bytewise, no whitespace.

const escapedChars = /["\\<>&\u0000-\u001f\u2028\u2029]/g;

const shortEscapes: { readonly [char: string]: string } = {
  '"': '\\"',
  '\\': '\\\\',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

/** 1 for ASCII characters that Go's encoder escapes in strings. */
export const needsEscape: Uint8Array = new Uint8Array(128);
for (let code = 0; code < 0x20; code++) needsEscape[code] = 1;
for (const char of '"\\<>&') needsEscape[char.charCodeAt(0)] = 1;

/** Longer strings are scanned by the regular expression, which costs more to start and less per character. */
const shortStringLength = 48;

/** A JSON string literal. */
export function quoteJson(text: string): string {
  const length = text.length;
  if (length > shortStringLength) return text.search(escapedChars) === -1 ? `"${text}"` : escapeText(text);
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i);
    if (code < 128 ? needsEscape[code] === 1 : code === 0x2028 || code === 0x2029) return escapeText(text);
  }
  return `"${text}"`;
}

function escapeText(text: string): string {
  // Native, but would escape lone surrogates.
  if (text.length > shortStringLength && text.isWellFormed()) return withHtmlEscaped(JSON.stringify(text));
  return `"${text.replace(escapedChars, escapeChar)}"`;
}

function escapeChar(char: string): string {
  return shortEscapes[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** A number as Go prints it: JavaScript's shortest form, except for negative zero. */
export function numberText(value: number | bigint): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

/** Schemaless JSON with sorted keys, as Go writes a `map[string]any`. */
export function encodeAny(value: JsonValue | undefined): string {
  return anyText(value, true);
}

const htmlChars = ['<', '>', '&', '\u2028', '\u2029'];

/** Schemaless JSON in which raw JSON is written as it was read, or else with keys in insertion order. */
export function encodeRaw(value: JsonValue | undefined): string {
  const raw = typeof value === 'object' && value !== null ? rawTextOf(value) : undefined;
  if (raw !== undefined) return raw;
  try {
    return withHtmlEscaped(JSON.stringify(value) ?? 'null');
  } catch (error) {
    // The value contains a BigInt, or numbers as keys in too many levels.
    if (error instanceof TypeError || error instanceof RangeError) return anyText(value, false);
    throw error;
  }
}

/** Schemaless JSON of data with spelled numbers. */
export function encodeSpelled(value: JsonValue | undefined): string {
  return anyText(value, false);
}

/** Converts the output of `JSON.stringify`: what it leaves unescaped occurs in strings only. */
export function withHtmlEscaped(json: string): string {
  let escaped = json;
  // Faster than a regular expression, whether texts contain none or millions.
  for (const char of htmlChars) if (json.includes(char)) escaped = escaped.split(char).join(escapeChar(char));
  return escaped;
}

/** Levels written by recursion, which is fast. */
const mostNested = 500;

function anyText(value: JsonValue | undefined, sorted: boolean, level = 0): string {
  if (typeof value !== 'object' || value === null) return scalarText(value);
  if (level === mostNested) return deepText(value, sorted);
  let out = '';
  if (Array.isArray(value)) {
    for (const item of value) out += `${out === '' ? '' : ','}${anyText(item, sorted, level + 1)}`;
    return `[${out}]`;
  }
  for (const key of sorted ? sortedKeys(value) : Object.keys(value)) {
    const item = value[key];
    if (item === undefined) continue;
    out += `${out === '' ? '' : ','}${quoteJson(key)}:${anyText(item, sorted, level + 1)}`;
  }
  return `{${out}}`;
}

function scalarText(value: Exclude<JsonValue, object> | null | undefined): string {
  switch (typeof value) {
    case 'string':
      return quoteJson(value);
    case 'number':
    case 'bigint':
      return numberText(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'symbol':
      return spellingOf(value) ?? 'null';
    default:
      return 'null';
  }
}

function deepText(root: JsonValue, sorted: boolean): string {
  return joinNested<JsonValue>(root, (value) =>
    typeof value === 'object' && value !== null ? jsonPieces(value, sorted) : [scalarText(value)],
  );
}

/** A list or an object in pieces, for `joinNested`. */
export function jsonPieces(value: JsonObject | JsonValue[], sorted: boolean): readonly Piece<JsonValue>[] {
  const comma = (index: number): string => (index === 0 ? '' : ',');
  if (Array.isArray(value)) return ['[', ...value.flatMap((item, i) => [comma(i), { inner: item }]), ']'];
  const keys = (sorted ? sortedKeys(value) : Object.keys(value)).filter((key) => value[key] !== undefined);
  const members = keys.flatMap((key, i) => [`${comma(i)}${quoteJson(key)}:`, { inner: value[key] ?? null }]);
  return ['{', ...members, '}'];
}

/** Own keys, sorted by their UTF-8 bytes. */
export function sortedKeys(object: { readonly [key: string]: unknown }): readonly string[] {
  const keys = Object.keys(object);
  for (let i = 1; i < keys.length; i++) {
    if (compareBytewise(keys[i - 1] ?? '', keys[i] ?? '') > 0) return keys.sort(compareBytewise);
  }
  return keys;
}

/** A copy with all keys in that order. Iterative: values may be deep. */
export function inKeyOrder(root: JsonValue): JsonValue {
  const waiting: (JsonObject | JsonValue[])[] = [];
  const ordered = (value: JsonValue): JsonValue => {
    if (typeof value !== 'object' || value === null) return value;
    const copy = Array.isArray(value) ? [...value] : withSortedKeys(value);
    waiting.push(copy);
    return copy;
  };
  const whole = ordered(root);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (Array.isArray(next)) for (const [index, item] of next.entries()) next[index] = ordered(item);
    else for (const [key, item] of Object.entries(next)) setOwn(next, key, ordered(item));
  }
  return whole;
}

function withSortedKeys(object: Readonly<JsonObject>): JsonObject {
  const sorted: JsonObject = {};
  for (const key of sortedKeys(object)) setOwn(sorted, key, object[key] ?? null);
  return sorted;
}

/** UTF-8 byte order, which is code point order: UTF-16 order except that surrogates sort above U+E000-FFFF. */
export function compareBytewise(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return codePointRank(x) - codePointRank(y);
  }
  return a.length - b.length;
}

function codePointRank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x10000 : unit;
}
