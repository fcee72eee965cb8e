import { encodeRaw, sortedKeys } from '../../src/api/json-text.ts';
import { getOwn, isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../src/api/json.ts';
import type { Schema } from '../../src/schema/schema.ts';
import { type Nested, type Palette } from './generate.ts';
import { below, pick, type Random } from './random.ts';

/** Marks a string that stands for a number as it is to be written, which plain data cannot hold: `1.0`, `1e2`. */
const numberMark = '\u{f0000}';

/** The body of an object made of `awkward` values. */
export function writtenJson(value: JsonValue): string {
  return encodeRaw(value).replaceAll(new RegExp(`"${numberMark}([^"]*)"`, 'gu'), '$1');
}

/*
 * The reference's YAML takes '<<' for a merge also where it has written it itself, and is made of JSON by a reader that refuses or folds what
 * JSON leaves as it is: U+007F, U+0085, U+FFFE.
 */
const words: readonly string[] = [
  ...['', 'a', 'b', 'name', 'app.kubernetes.io/name', 'kind', 'items', '__proto__', 'constructor', 'hasOwnProperty'],
  ...['1', '10', '2', '007', '0x1F', '0o17', '1e3', '1_000', '-1', '.5', '1.0', '+1', '1:30', '2001-01-01', '1Ki'],
  ...['true', 'True', 'no', 'off', 'y', 'N', 'null', '~', 'NULL', '.inf', '-.Inf', '.NaN', '='],
  ...[
    ' ',
    ' before',
    'after ',
    'a: b',
    'a:',
    ': a',
    'a #b',
    '#a',
    '- a',
    '-',
    '?',
    '? a',
    '[',
    ']',
    '{',
    '}',
    ',',
    '|',
  ],
  ...['>', '@a', '`a', '%a', '!a', '&a', '*a', '"', "'", "it's", '"a"', '\\', '\\n', 'a\\"b', '---', '...', '--- a'],
  ...['line\nline', 'line\n', '\nline', '\n', '\n\n', 'a\n  b\n c', '  a\nb', 'a\r\nb', '\r', '\t', 'a\tb', 'a \n b'],
  ...['\u0000', '\u0001', '\u001b[0m', '\u00a0', '\u2028', '\u2029', '\ufeff', '\ufffd'],
  ...[
    '<a href="b">&amp;</a>',
    'é',
    'e\u0301',
    'ß',
    '日本語',
    '😀',
    '👩‍👩‍👧',
    '\u{10ffff}',
    '\ue000',
    '\ud7ff',
    'a😀\u0000',
  ],
  ...['x'.repeat(130), 'word '.repeat(40), `${'é'.repeat(70)}\n${'z'.repeat(90)}`],
];

const int32s = [0, 1, -1, 127, 128, -128, 16_383, 65_536, 2_147_483_647, -2_147_483_648];
const int64s: readonly JsonValue[] = [
  ...int32s,
  2_147_483_648,
  -2_147_483_649,
  4_294_967_296,
  Number.MAX_SAFE_INTEGER,
  Number.MIN_SAFE_INTEGER,
  9_007_199_254_740_993n,
  -9_007_199_254_740_993n,
  9_223_372_036_854_775_807n,
  -9_223_372_036_854_775_808n,
];
const numberTexts = [
  ...[
    '0',
    '-0',
    '1.0',
    '0.0',
    '-0.0',
    '1e2',
    '1E+2',
    '1.5',
    '0.1',
    '-1.25e-3',
    '1e21',
    '1e20',
    '1e-6',
    '1e-7',
    '123456789.5',
  ],
  ...[
    '1.7976931348623157e308',
    '5e-324',
    '2.2250738585072014e-308',
    '9007199254740993',
    '18446744073709551616',
    '3.14159',
  ],
];
const numbers = numberTexts.map((text) => `${numberMark}${text}`);

/** But for the first instant of the year 1: a pointer to it is null in JSON, and there again after protobuf. */
const times = [
  ...[
    '2026-01-02T03:04:05Z',
    '2026-01-02T03:04:05.999999999Z',
    '2026-01-02T03:04:05.5+02:00',
    '2026-12-31T23:59:59-11:30',
  ],
  ...['1969-12-31T23:59:59Z', '1970-01-01T00:00:00Z', '0001-01-01T00:00:01Z', '9999-12-31T23:59:59Z'],
  ...['0000-01-01T00:00:00Z', '2024-02-29T12:00:00Z', '1900-03-01T00:00:00Z'],
];
const microTimes = [
  ...['2026-01-02T03:04:05.000006Z', '2026-01-02T03:04:05.999999Z', '2026-01-02T03:04:05.120000+05:30'],
  ...['1969-12-31T23:59:59.999999Z', '0001-01-01T00:00:00.000001Z', '9999-12-31T23:59:59.999999Z'],
];
const durations = [
  ...['0s', '0', '1m0s', '90m', '-1h2m3.5s', '1.5h', '1ns', '1us', '100µs', '1ms', '-1ns', '.5s', '1h0m0.000000001s'],
  ...['2562047h47m16.854775807s', '-2562047h47m16.854775808s'],
];
const quantities: readonly JsonValue[] = [
  ...[
    '0',
    '1',
    '-1',
    '100m',
    '1500m',
    '0.5',
    '0.001',
    '1u',
    '1n',
    '0.1n',
    '1e3',
    '1E3',
    '1e-3',
    '1.5Gi',
    '1024Ki',
    '1023Ki',
  ],
  ...[
    '1Ei',
    '8Ei',
    '-8Ei',
    '9223372036854775807',
    '9223372036854775808',
    '123456789012345678901234567890',
    '1e30',
    '12E',
    '+1',
  ],
  ...[
    '.5',
    '5.',
    '007',
    '1.10',
    '100000000000n',
    '1000k',
    '0.000000001Ki',
    '-0',
    '-0.5Mi',
    '1e15',
    '999999999999999999k',
  ],
  ...[1, 0, -5, 9_007_199_254_740_991, `${numberMark}1.5`, `${numberMark}1e3`, `${numberMark}9223372036854775807`],
];
const intsOrStrings: readonly JsonValue[] = [
  0,
  1,
  -1,
  2_147_483_647,
  -2_147_483_648,
  '',
  '25%',
  'http',
  '80',
  '😀',
  '-1',
];
/** None that is empty: of optional ones JSON does not tell whether they are there, protobuf does. */
const bytes = [
  'YQ==',
  'YWI=',
  'YWJj',
  'AAECAwQ=',
  '//79',
  'YR==',
  'YQ\n==',
  Buffer.alloc(300, 0xfb).toString('base64'),
];

/** Fields that a reference writes for what was owned by whom. */
const ownedFields: readonly JsonValue[] = [
  {},
  { 'f:metadata': { 'f:labels': { '.': {}, 'f:app.kubernetes.io/name': {} } } },
  {
    'f:spec': { 'f:ports': { 'k:{"containerPort":8080,"protocol":"TCP"}': { '.': {}, 'f:name': {} }, 'v:"<&>"': {} } },
  },
];

/** Values that encodings tend to get wrong, all of which the reference reads. */
export const awkward: Palette = {
  words,
  integers: int32s,
  numbers: [],
  formats: {
    int64: int64s,
    uint8: [0, 1, 255],
    uint16: [0, 1, 65_535],
    uint32: [0, 1, 4_294_967_295],
    uint64: [0, 1, Number.MAX_SAFE_INTEGER],
    double: numbers,
    float: numbers.slice(0, 8),
    'date-time': times,
    'micro-time': microTimes,
    duration: durations,
    quantity: quantities,
    'int-or-string': intsOrStrings,
    byte: bytes,
    'fields-v1': ownedFields,
  },
  any,
  // Kind and version of what stands inside of an object: protobuf has none.
  isLeftOut: ({ number }) => number === undefined,
  nulls: 0.04,
  shuffled: true,
};

function any(random: Random, schema: Schema, nested: Nested): JsonValue {
  const { format, items } = schema;
  switch (format) {
    case 'schema-or-bool':
      return items === undefined || random() < 0.4 ? random() < 0.5 : nested(items);
    case 'schema-or-array':
      // None that is empty: as with times of the year 1.
      if (items === undefined) return [{}];
      return random() < 0.5 ? nested(items) : [nested(items), nested(items)];
    case 'schema-or-strings':
      return items === undefined || random() < 0.5 ? [pick(random, words), pick(random, words)] : nested(items);
    case 'json':
      // Written with sorted keys by servers, which read it; the codecs alone keep what they were given.
      return sorted(freeValue(random, 0));
    default:
      return freeObject(random, 0);
  }
}

/** Keys that JavaScript keeps in the order in which they are set. */
const keys = words.filter((word) => !/^\d+$/.test(word));

/** Spelled as they are written again: what is kept as it is would show how it was spelled. */
const freeNumbers: readonly JsonValue[] = [...int64s, 0.5, -1.25, 1e21, 1e-7, 5e-324, Number.MAX_VALUE];

function freeObject(random: Random, depth: number): JsonObject {
  const object: JsonObject = {};
  for (let count = below(random, 5); count > 0; count--) {
    setOwn(object, pick(random, keys), freeValue(random, depth + 1));
  }
  return object;
}

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  const object: JsonObject = {};
  for (const key of sortedKeys(value)) setOwn(object, key, sorted(getOwn(value, key) ?? null));
  return object;
}

function freeValue(random: Random, depth: number): JsonValue {
  if (depth < 4 && random() < 0.3) {
    if (random() < 0.5) return freeObject(random, depth);
    return Array.from({ length: below(random, 4) }, () => freeValue(random, depth + 1));
  }
  return pick<JsonValue>(random, [null, true, false, pick(random, words), pick(random, freeNumbers)]);
}
