import type { JsonValue } from '../../src/api/json/json.ts';
import { parseJson } from '../../src/codec/json.ts';

/** Empty, invalid, oversized, and named like what every JavaScript object inherits. */
export const hostileTexts: readonly string[] = [
  'null',
  '{}',
  '[]',
  '[null]',
  '[{}]',
  '[[]]',
  '""',
  '"x"',
  '[""]',
  '["x"]',
  '0',
  '-1',
  '1',
  '1.5',
  'true',
  'false',
  '100000000000000000000',
  '{"a":null}',
  '{"a":{}}',
  // Beyond the precision of a double.
  '9223372036854775807',
  '-9007199254740993',
  '{"__proto__":null}',
  '{"__proto__":{"a":1}}',
  '{"__proto__":"x"}',
  '{"constructor":1}',
  '{"toString":"x"}',
  '"constructor"',
  '"__proto__"',
  '["constructor"]',
  '{"hasOwnProperty":"1"}',
  '{"constructor":{}}',
];

const values = new Map(hostileTexts.map((text) => [text, valueOf(text)]));

export function hostileValue(text: string): JsonValue {
  return values.has(text) ? (values.get(text) ?? null) : valueOf(text);
}

/** Keys are own properties, as in a body, and large integers are BigInts. */
function valueOf(text: string): JsonValue {
  return /^-?\d{16,19}$/.test(text) ? BigInt(text) : parseJson(Buffer.from(text)).value;
}
