import { encodeRaw, sortedKeys } from '../../src/api/json/json-text.ts';
import { getOwn, isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../src/api/json/json.ts';
import type { Schema } from '../../src/schema/schema.ts';
import { type Nested, type Palette } from './generate.ts';
import { below, pick, type Random } from './random.ts';

/** Marks a string as the literal spelling of a number, which plain data cannot hold: `1.0`, `1e2`. */
const numberMark = '\u{f0000}';

/** The JSON body of an object with `awkward` values. */
export function writtenJson(value: JsonValue): string {
  return encodeRaw(value).replaceAll(new RegExp(`"${numberMark}([^"]*)"`, 'gu'), '$1');
}

/*
 * The reference's YAML reads '<<' as a merge even where it wrote it itself, and converts from JSON with a parser that
 * refuses or folds characters that JSON allows: U+007F, U+0085, U+FFFE.
 */
const words: readonly string[] = [
  '',
  'a',
  'b',
  'name',
  'app.kubernetes.io/name',
  'kind',
  'items',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  '1',
  '10',
  '2',
  '007',
  '0x1F',
  '0o17',
  '1e3',
  '1_000',
  '-1',
  '.5',
  '1.0',
  '+1',
  '1:30',
  '2001-01-01',
  '1Ki',
  'true',
  'True',
  'no',
  'off',
  'y',
  'N',
  'null',
  '~',
  'NULL',
  '.inf',
  '-.Inf',
  '.NaN',
  '=',
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
  '>',
  '@a',
  '`a',
  '%a',
  '!a',
  '&a',
  '*a',
  '"',
  "'",
  "it's",
  '"a"',
  '\\',
  '\\n',
  'a\\"b',
  '---',
  '...',
  '--- a',
  'line\nline',
  'line\n',
  '\nline',
  '\n',
  '\n\n',
  'a\n  b\n c',
  '  a\nb',
  'a\r\nb',
  '\r',
  '\t',
  'a\tb',
  'a \n b',
  '\u0000',
  '\u0001',
  '\u001b[0m',
  '\u00a0',
  '\u2028',
  '\u2029',
  '\ufeff',
  '\ufffd',
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
  'x'.repeat(130),
  'word '.repeat(40),
  `${'é'.repeat(70)}\n${'z'.repeat(90)}`,
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
  '1.7976931348623157e308',
  '5e-324',
  '2.2250738585072014e-308',
  '9007199254740993',
  '18446744073709551616',
  '3.14159',
];
const numbers = numberTexts.map((text) => `${numberMark}${text}`);

/** Excludes the first instant of year 1: a pointer to it is null in JSON, but not after protobuf. */
const times = [
  '2026-01-02T03:04:05Z',
  '2026-01-02T03:04:05.999999999Z',
  '2026-01-02T03:04:05.5+02:00',
  '2026-12-31T23:59:59-11:30',
  '1969-12-31T23:59:59Z',
  '1970-01-01T00:00:00Z',
  '0001-01-01T00:00:01Z',
  '9999-12-31T23:59:59Z',
  '0000-01-01T00:00:00Z',
  '2024-02-29T12:00:00Z',
  '1900-03-01T00:00:00Z',
];
const microTimes = [
  '2026-01-02T03:04:05.000006Z',
  '2026-01-02T03:04:05.999999Z',
  '2026-01-02T03:04:05.120000+05:30',
  '1969-12-31T23:59:59.999999Z',
  '0001-01-01T00:00:00.000001Z',
  '9999-12-31T23:59:59.999999Z',
];
const durations = [
  '0s',
  '0',
  '1m0s',
  '90m',
  '-1h2m3.5s',
  '1.5h',
  '1ns',
  '1us',
  '100µs',
  '1ms',
  '-1ns',
  '.5s',
  '1h0m0.000000001s',
  '2562047h47m16.854775807s',
  '-2562047h47m16.854775808s',
];
const quantities: readonly JsonValue[] = [
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
  '1Ei',
  '8Ei',
  '-8Ei',
  '9223372036854775807',
  '9223372036854775808',
  '123456789012345678901234567890',
  '1e30',
  '12E',
  '+1',
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
  1,
  0,
  -5,
  9_007_199_254_740_991,
  `${numberMark}1.5`,
  `${numberMark}1e3`,
  `${numberMark}9223372036854775807`,
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
/** None empty: for optional ones JSON does not say whether they are present, protobuf does. */
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

/** fieldsV1 as written by the reference. */
const ownedFields: readonly JsonValue[] = [
  {},
  { 'f:metadata': { 'f:labels': { '.': {}, 'f:app.kubernetes.io/name': {} } } },
  {
    'f:spec': { 'f:ports': { 'k:{"containerPort":8080,"protocol":"TCP"}': { '.': {}, 'f:name': {} }, 'v:"<&>"': {} } },
  },
];

/** Values that encodings tend to get wrong, all of them accepted by the reference. */
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
  // Kind and apiVersion of nested objects: protobuf does not encode them.
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
      // None empty, for the same reason as times of year 1.
      if (items === undefined) return [{}];
      return random() < 0.5 ? nested(items) : [nested(items), nested(items)];
    case 'schema-or-strings':
      return items === undefined || random() < 0.5 ? [pick(random, words), pick(random, words)] : nested(items);
    case 'json':
      // Sorted keys, as servers write it after decoding; the codecs alone keep the original.
      return sorted(freeValue(random, 0));
    default:
      return freeObject(random, 0);
  }
}

/** Excludes integer-like keys, which JavaScript reorders. */
const keys = words.filter((word) => !/^\d+$/.test(word));

/** In canonical spelling: values kept unchanged would reveal their original one. */
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
