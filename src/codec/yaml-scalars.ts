/*
 * What plain YAML scalars mean to Kubernetes, which reads YAML 1.1 with exceptions:
 *
 * | text | value |
 * |---|---|
 * | y yes on true (also Yes, YES ...) | true |
 * | 017 0o17 0xf 0b1111 1_5 | 15 |
 * | 1e3 .5 | numbers |
 * | 1:30 2001-01-01 08:00 | strings |
 */

/** A number is given in the form that it has in JSON. */
export type ScalarValue =
  | { readonly type: 'null' }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'int'; readonly text: string }
  | { readonly type: 'float'; readonly value: number }
  | { readonly type: 'timestamp' }
  | { readonly type: 'str' };

const words = new Map<string, ScalarValue>();
addWords(['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'], { type: 'bool', value: true });
addWords(['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'], { type: 'bool', value: false });
addWords(['', '~', 'null', 'Null', 'NULL'], { type: 'null' });
addWords(['.nan', '.NaN', '.NAN'], { type: 'float', value: Number.NaN });
addWords(['.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF'], { type: 'float', value: Number.POSITIVE_INFINITY });
addWords(['-.inf', '-.Inf', '-.INF'], { type: 'float', value: Number.NEGATIVE_INFINITY });

function addWords(texts: readonly string[], value: ScalarValue): void {
  for (const text of texts) words.set(text, value);
}

const yamlFloat = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const minInt64 = -(2n ** 63n);
const maxUint64 = 2n ** 64n - 1n;

const str: ScalarValue = { type: 'str' };

/** What a plain scalar means. */
export function resolveScalar(text: string): ScalarValue {
  const word = words.get(text);
  if (word !== undefined) return word;
  if (!/^[-+.0-9]/.test(text)) return str;
  if (text.startsWith('.')) return float(text) ?? str;
  if (isTimestamp(text)) return { type: 'timestamp' };
  const plain = text.replaceAll('_', '');
  return integer(plain) ?? float(plain) ?? str;
}

const integerForms: readonly { readonly pattern: RegExp; readonly prefix: string }[] = [
  { pattern: /^([-+]?)0[xX]([0-9a-fA-F]+)$/, prefix: '0x' },
  { pattern: /^([-+]?)0[bB]([01]+)$/, prefix: '0b' },
  { pattern: /^([-+]?)0[oO]?([0-7]+)$/, prefix: '0o' },
  { pattern: /^([-+]?)(0|[1-9][0-9]*)$/, prefix: '' },
];

function integer(text: string): ScalarValue | undefined {
  for (const { pattern, prefix } of integerForms) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const size = BigInt(prefix + (match[2] ?? ''));
    const value = match[1] === '-' ? -size : size;
    // Unsigned numbers past 63 bits may not carry a sign.
    const largest = match[1] === '' ? maxUint64 : -minInt64 - 1n;
    return value >= minInt64 && value <= largest ? { type: 'int', text: value.toString() } : undefined;
  }
  return undefined;
}

function float(text: string): ScalarValue | undefined {
  if (!yamlFloat.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? { type: 'float', value } : undefined;
}

const timestamp =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[Tt](\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?(?:Z|[-+]\d\d:\d\d)| (\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?)?$/;

/** Timestamps stay strings, but are quoted when written. */
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
