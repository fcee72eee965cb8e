import { decodeUtf8 } from '../decode-utf8.ts';
import { numberText } from '../../api/json/json-text.ts';
import { JsonNumber, type JsonTree } from '../../api/json/json-tree.ts';
import { YamlError } from './error.ts';
import type { YamlScalar } from './nodes.ts';

/*
 * Plain YAML scalars as Kubernetes resolves them, which is YAML 1.1 with exceptions:
 *
 * | text | value |
 * |---|---|
 * | y yes on true (also Yes, YES ...) | true |
 * | 017 0o17 0xf 0b1111 1_5 | 15 |
 * | 1e3 .5 | numbers |
 * | 1:30 2001-01-01 08:00 | strings |
 */

/** A number in its JSON form. */
export type ScalarValue =
  | { readonly type: 'null' }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'int'; readonly text: string }
  | { readonly type: 'float'; readonly value: number }
  | { readonly type: 'str'; readonly text: string };

/** A resolved plain scalar; timestamps remain strings, but are distinguished. */
export type Resolved =
  | Exclude<ScalarValue, { readonly type: 'str' }>
  | { readonly type: 'str' }
  | { readonly type: 'timestamp' };

const words = new Map<string, Resolved>();
addWords(['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'], { type: 'bool', value: true });
addWords(['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'], { type: 'bool', value: false });
addWords(['', '~', 'null', 'Null', 'NULL'], { type: 'null' });
addWords(['.nan', '.NaN', '.NAN'], { type: 'float', value: Number.NaN });
addWords(['.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF'], { type: 'float', value: Number.POSITIVE_INFINITY });
addWords(['-.inf', '-.Inf', '-.INF'], { type: 'float', value: Number.NEGATIVE_INFINITY });

const longestWord = 5;

function addWords(texts: readonly string[], value: Resolved): void {
  for (const text of texts) words.set(text, value);
}

const yamlFloat = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
/** No integer of 64 bits has more digits in any form, without leading zeros. */
const maxDigits = 64;
const minInt64 = -(2n ** 63n);
const maxUint64 = 2n ** 64n - 1n;

const str: Resolved = { type: 'str' };

/** Resolves a plain scalar. */
export function resolveScalar(text: string): Resolved {
  const word = text.length > longestWord ? undefined : words.get(text);
  if (word !== undefined) return word;
  if (!/^[-+.0-9]/.test(text)) return str;
  if (text.startsWith('.')) return float(withoutSeparators(text)) ?? str;
  if (isTimestamp(text)) return { type: 'timestamp' };
  const plain = text.replace(/_+/g, '');
  return integer(plain) ?? float(plain) ?? str;
}

/** After a leading point, underscores follow Go's rule: between digits. */
function withoutSeparators(text: string): string {
  return text.replace(/(?<=[0-9])_(?=[0-9])/g, '');
}

const integerForms: readonly { readonly pattern: RegExp; readonly prefix: string }[] = [
  { pattern: /^([-+]?)0[xX]([0-9a-fA-F]+)$/, prefix: '0x' },
  { pattern: /^([-+]?)0[bB]([01]+)$/, prefix: '0b' },
  { pattern: /^([-+]?)0[oO]?([0-7]+)$/, prefix: '0o' },
  { pattern: /^([-+]?)(0|[1-9][0-9]*)$/, prefix: '' },
];

function integer(text: string): Resolved | undefined {
  for (const { pattern, prefix } of integerForms) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const digits = (match[2] ?? '').replace(/^0+/, '');
    if (digits.length > maxDigits) return undefined;
    const size = BigInt(`${prefix}${digits || '0'}`);
    const value = match[1] === '-' ? -size : size;
    // Unsigned numbers beyond int64 must not have a sign.
    const largest = match[1] === '' ? maxUint64 : -minInt64 - 1n;
    return value >= minInt64 && value <= largest ? { type: 'int', text: value.toString() } : undefined;
  }
  return undefined;
}

function float(text: string): Resolved | undefined {
  if (!yamlFloat.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? { type: 'float', value } : undefined;
}

const timestamp =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[Tt](\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?(?:Z|[-+]\d\d:\d\d)| (\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?)?$/;

/** Timestamps remain strings, but are quoted in output. */
function isTimestamp(text: string): boolean {
  const match = timestamp.exec(text);
  if (match === null) return false;
  const [year = 0, month = 0, day = 0] = match.slice(1, 4).map(Number);
  const [hour = 0, minute = 0, second = 0] = match
    .slice(match[4] === undefined ? 7 : 4)
    .map((part) => Number(part ?? 0));
  const date = new Date(Date.UTC(2000 + (year % 400), month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day && hour < 24 && minute < 60 && second < 60;
}

const longPrefix = 'tag:yaml.org,2002:';
/** Tags that convert a scalar, with the required types. */
const convertedTags: ReadonlyMap<string, Resolved['type']> = new Map([
  [`${longPrefix}bool`, 'bool'],
  [`${longPrefix}int`, 'int'],
  [`${longPrefix}float`, 'float'],
  [`${longPrefix}null`, 'null'],
  [`${longPrefix}timestamp`, 'timestamp'],
]);

/** The value of a scalar from its tag and text. Throws YamlError. */
export function scalarOf({ tag, value: text, isImplicit }: YamlScalar): ScalarValue {
  if (tag === '') return isImplicit ? valueOf(resolveScalar(text), text) : { type: 'str', text };
  if (tag === `${longPrefix}binary`) return { type: 'str', text: binaryText(text) };
  const wanted = convertedTags.get(tag);
  if (wanted === undefined) return { type: 'str', text };
  const found = wanted === 'timestamp' || !isTimestamp(text) ? resolveScalar(text) : str;
  if (found.type === wanted) return valueOf(found, text);
  if (wanted === 'float' && found.type === 'int' && BigInt(found.text) < 2n ** 63n) {
    return { type: 'float', value: Number(found.text) };
  }
  throw new YamlError(`yaml: cannot decode !!${found.type} \`${text}\` as a !!${wanted}`);
}

function valueOf(resolved: Resolved, text: string): ScalarValue {
  return resolved.type === 'str' || resolved.type === 'timestamp' ? { type: 'str', text } : resolved;
}

function binaryText(text: string): string {
  const plain = text.replace(/[\r\n]/g, '');
  if (plain.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(plain)) {
    throw new YamlError('yaml: !!binary value contains invalid base64 data');
  }
  return decodeUtf8(Buffer.from(plain, 'base64'));
}

/** The scalar as JSON; non-finite numbers were rejected before. */
export function valueTree(value: ScalarValue): JsonTree {
  switch (value.type) {
    case 'null':
      return null;
    case 'bool':
      return value.value;
    case 'int':
      return new JsonNumber(value.text);
    case 'float':
      return new JsonNumber(numberText(value.value));
    case 'str':
      return value.text;
  }
}
