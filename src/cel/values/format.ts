import { goQuote } from '../../api/go/go-quote.ts';
import { isList, isMap, itemAt, itemsOf, keysOf, findIn, listSize } from './collections.ts';
import { convert } from './conversions.ts';
import { type Clause, FormatError, formatParts } from './format-clauses.ts';
import { localizedFixed, localizedScientific } from './localized-numbers.ts';
import { exactFixed } from './localized-numbers.ts';
import { typeOf } from './type-of.ts';
import {
  CelError,
  Double,
  Duration,
  isBytes,
  isError,
  isInt,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from './value.ts';

/** `'%s has %d'.format(['a', 1])` */
export function formatText(format: string, args: Value): Value {
  const given = isList(args) ? args : [];
  let text = '';
  try {
    for (const part of formatParts(format, listSize(given))) {
      if (typeof part === 'string') text += part;
      else text += inClause(part.clause, itemAt(given, part.argument));
    }
    return text;
  } catch (error) {
    if (error instanceof FormatError) return new CelError(error.message);
    throw error;
  }
}

function inClause(clause: Clause, value: Value): string {
  try {
    return clauses[clause.letter](value, clause);
  } catch (error) {
    if (error instanceof FormatError) throw new FormatError(`error during formatting: ${error.message}`);
    throw error;
  }
}

/** Argument types of each clause, as named in its message. */
export const clauseMessages: { readonly [K in Clause['letter']]: string } = {
  s: 'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
  d: 'decimal clause can only be used on integers',
  f: 'fixed-point clause can only be used on doubles',
  e: 'scientific clause can only be used on doubles',
  b: 'only integers and bools can be formatted as binary',
  x: 'only integers, byte buffers, and strings can be formatted as hex',
  X: 'only integers, byte buffers, and strings can be formatted as hex',
  o: 'octal clause can only be used on integers',
};

function refused(letter: Clause['letter'], value: Value): FormatError {
  return new FormatError(`${clauseMessages[letter]}, was given ${typeOf(value).name}`);
}

const clauses: { readonly [K in Clause['letter']]: (value: Value, clause: Clause) => string } = {
  s: shown,
  d: (value) => integerText(value, 10, 'd'),
  f: (value, { precision }) => localizedFixed(doubleOf(value, 'f'), precision ?? 6),
  // The reference takes the precision for a width.
  e: (value, { precision }) => localizedScientific(doubleOf(value, 'e')).padStart(precision ?? 6),
  b: (value) => (typeof value === 'boolean' ? String(Number(value)) : integerText(value, 2, 'b')),
  x: (value) => hexadecimal(value, 'x'),
  X: (value) => hexadecimal(value, 'X').toUpperCase(),
  o: (value) => integerText(value, 8, 'o'),
};

function integerText(value: Value, radix: number, letter: Clause['letter']): string {
  if (isInt(value)) return value.toString(radix);
  if (value instanceof Uint) return value.value.toString(radix);
  throw refused(letter, value);
}

function hexadecimal(value: Value, letter: 'x' | 'X'): string {
  if (typeof value === 'string' || isBytes(value)) return Buffer.from(value as string).toString('hex');
  return integerText(value, 16, letter);
}

function doubleOf(value: Value, letter: 'f' | 'e'): number {
  if (value instanceof Double) return value.value;
  if (value === 'NaN' || value === 'Infinity' || value === '-Infinity') return Number(value);
  throw refused(letter, value);
}

function shown(value: Value): string {
  if (value === null) return 'null';
  if (isList(value)) return `[${[...itemsOf(value)].map(inner).join(', ')}]`;
  if (isMap(value)) return shownMap(value);
  const text = convertible(value) ? convert(value, 'string') : undefined;
  if (typeof text === 'string') return text;
  if (text !== undefined && isError(text)) {
    throw new FormatError(`could not convert argument ${goQuote(text.message)} to string`);
  }
  throw refused('s', value);
}

function convertible(value: Value): boolean {
  if (isInt(value) || typeof value === 'string' || typeof value === 'boolean' || isBytes(value)) return true;
  return [Double, Duration, Timestamp, TypeValue].some((type) => value instanceof type) || value instanceof Uint;
}

/** Inside of lists and maps: strings are quoted, doubles have six decimals. */
function inner(value: Value): string {
  if (typeof value === 'string') return goQuote(value);
  if (isBytes(value)) return `b${goQuote(shown(value))}`;
  if (value instanceof Timestamp || value instanceof Duration) {
    return `${value instanceof Timestamp ? 'timestamp' : 'duration'}(${goQuote(shown(value))})`;
  }
  if (value instanceof Double) return plainDouble(value.value);
  if (value !== null && !isList(value) && !isMap(value) && !convertible(value)) {
    throw new FormatError(`no formatting function for ${typeOf(value).name}`);
  }
  return shown(value);
}

function plainDouble(value: number): string {
  if (Number.isNaN(value)) return '"NaN"';
  if (!Number.isFinite(value)) return value > 0 ? '"+Inf"' : '"-Inf"';
  return Object.is(value, -0) ? '-0.000000' : exactFixed(value, 6);
}

function shownMap(map: Value): string {
  if (!isMap(map)) return '';
  const entries: (readonly [string, string])[] = [];
  for (const key of keysOf(map)) {
    if (typeof key !== 'string' && typeof key !== 'boolean' && !isInt(key) && !(key instanceof Uint)) {
      throw new FormatError(`no formatting function for map key of type ${typeOf(key).name}`);
    }
    entries.push([inner(key), inner(findIn(map, key) ?? null)]);
  }
  entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `{${entries.map(([key, value]) => `${key}:${value}`).join(', ')}}`;
}
