import type { JsonValue } from '../../src/api/json/json.ts';
import type { Schema } from '../../src/schema/schema.ts';
import { Random as Choices } from '../random-objects/repeatable-random.ts';
import { randomValue } from '../../test/recorded/defaults/values.ts';
import { below, pick, type Random } from '../random-objects/random.ts';
import type { FieldPosition } from '../walk-schemas/places.ts';

// Values for a place of an object: plausible ones, wrong ones of the right type, and those at the limits of rules.

const texts: readonly string[] = [
  '',
  ' ',
  'x',
  'A',
  'a_b',
  '-a',
  'a.b',
  'a.b/c',
  'a/b/c',
  'a/b',
  '/a',
  '../a',
  'a:b',
  'é',
  'a,b',
  'a\nb',
  '*',
  '%',
  '10.0.0.1',
  '010.0.0.1',
  '::1',
  '::ffff:1.2.3.4',
  '10.0.0.0/8',
  '10.0.0.1/8',
  'fd00::/64',
  'http://a',
  '1',
  '0',
  'true',
  'Exists',
  'In',
  'Always',
  'TCP',
  'None',
  'a'.repeat(64),
  'a'.repeat(254),
  'a.example.com',
  'kubernetes.io/a',
];
const integers: readonly number[] = [-1, 0, 1, 2, 3, 10, 100, 101, 1000, 65_535, 65_536, 2_147_483_647, -2_147_483_648];
const formatted: { readonly [format: string]: readonly JsonValue[] } = {
  'int-or-string': [...integers, ...texts, '0%', '101%', '-1%', '50%'],
  quantity: ['0', '-1', '1', '100m', '1Gi', '0.5', '1n', '1.5', '9223372036854775807', '1e20'],
  'date-time': [null, '0001-01-01T00:00:00Z', '2026-01-02T03:04:05Z', '1969-12-31T23:59:59Z'],
  'micro-time': [null, '0001-01-01T00:00:00Z', '2026-01-02T03:04:05.000006Z'],
  duration: ['0s', '-1s', '1ns', '1m', '2562047h'],
  byte: ['', 'YQ==', 'AAECAwQ='],
};

/** Undefined removes what is there. */
export function oddValue(random: Random, { schema, path }: FieldPosition): JsonValue | undefined {
  const chance = random();
  if (chance < 0.12) return undefined;
  if (chance < 0.2) return null;
  if (chance < 0.45) return plausibleValue(random, { schema, path });
  const ofFormat = schema.format === undefined ? undefined : formatted[schema.format];
  if (ofFormat !== undefined) return pick(random, ofFormat);
  return oddOfType(random, { schema, path });
}

function oddOfType(random: Random, { schema, path }: Pick<FieldPosition, 'schema' | 'path'>): JsonValue {
  const { items = schema } = schema;
  const inner = (): JsonValue => plausibleValue(random, { schema: items, path: [...path, 0] });
  switch (schema.type) {
    case 'string':
      return random() < 0.25 && schema.enum !== undefined ? (pick(random, schema.enum) ?? '') : pick(random, texts);
    case 'integer':
      return pick(random, integers);
    case 'number':
      return pick(random, [0, -1, 0.5, 2]);
    case 'boolean':
      return random() < 0.5;
    case 'array': {
      const item = inner();
      return pick<JsonValue>(random, [[], [item], [item, structuredClone(item)], [inner(), inner()]]);
    }
    case 'map':
      return pick<JsonValue>(random, [{}, { [pick(random, texts)]: inner() }, { a: inner(), 'a.b/c': inner() }]);
    case 'object':
    case 'any':
      return {};
  }
}

/** A value of the type that holds nothing, on its own or as an item. */
export function emptyValue(random: Random, { schema }: Pick<FieldPosition, 'schema'>): JsonValue {
  if (random() < 0.15) return null;
  const { items } = schema;
  switch (schema.type) {
    case 'string':
      return schema.format === 'date-time' || schema.format === 'micro-time' ? null : '';
    case 'integer':
    case 'number':
      return 0;
    case 'boolean':
      return false;
    case 'array':
      return items === undefined || random() < 0.7 ? [] : [emptyValue(random, { schema: items })];
    case 'map':
      return items === undefined || random() < 0.7 ? {} : { a: emptyValue(random, { schema: items }) };
    case 'object':
    case 'any':
      return {};
  }
}

/** A value that may well be valid. */
export function plausibleValue(random: Random, { schema, path }: Pick<FieldPosition, 'schema' | 'path'>): JsonValue {
  const name = path.findLast((step) => typeof step === 'string') ?? '';
  return randomValue(new Choices(below(random, 2 ** 31)), { name: String(name), schema }, 4);
}

const lengths = [15, 32, 63, 64, 65, 128, 253, 256, 512, 1024, 2048, 4096, 10_240, 32_768, 65_536, 262_144];
const around = [-1, 0, 1];

function textsOfLength(length: number): readonly string[] {
  const dotted = 'a.'.repeat(Math.ceil(length / 2)).slice(0, length - 1);
  const twoBytes = 'é'.repeat(Math.floor(length / 2)).concat('a'.repeat(length % 2));
  return [
    'a'.repeat(length),
    `${dotted}a`,
    'A'.repeat(length),
    twoBytes,
    'é'.repeat(length),
    `/${'a'.repeat(length - 1)}`,
  ];
}

const limitTexts = lengths.flatMap((length) => around.flatMap((more) => textsOfLength(length + more)));
const limitIntegers: readonly JsonValue[] = [
  0,
  1,
  10,
  30,
  32,
  63,
  64,
  100,
  128,
  256,
  300,
  512,
  900,
  1000,
  1023,
  1024,
  1800,
  3600,
  10_000,
  32_767,
  65_535,
  86_400,
  7 * 86_400,
  91 * 86_400,
  604_800,
  100_000,
  1_000_000,
  1_000_000_000,
  2_000_000_000,
  2_147_483_647,
  -2_147_483_648,
  -1_000_000_000,
  -1000,
  4_294_967_295,
].flatMap((limit) => around.map((more) => limit + more));
const limitCounts = [1, 2, 3, 4, 5, 8, 10, 16, 20, 24, 32, 50, 64, 100, 128, 256, 500, 512, 1000];

/** A value at a limit, one above or below it. */
export function limitValue(random: Random, { schema, path }: FieldPosition): JsonValue | undefined {
  if (schema.type === 'string') return pick(random, limitTexts);
  if (schema.type === 'integer') return pick(random, limitIntegers);
  if (schema.format === 'int-or-string') return pick(random, [...limitIntegers, ...limitTexts]);
  const { items } = schema;
  if (items === undefined || (schema.type !== 'array' && schema.type !== 'map')) return undefined;
  const count = pick(random, limitCounts) + pick(random, around);
  const one = plausibleValue(random, { schema: items, path: [...path, 0] });
  const keyed = (index: number): JsonValue => numbered(one, schema, index);
  if (schema.type === 'array') return Array.from({ length: count }, (_, index) => keyed(index));
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, structuredClone(one)]));
}

/** Items of their own names, lest they are all repetitions. */
function numbered(item: JsonValue, { items, patchMergeKey }: Schema, index: number): JsonValue {
  if (typeof item === 'string' && items?.format === undefined && items?.enum === undefined) return `${item}${index}`;
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
  const key = patchMergeKey ?? (items?.structure?.fields.has('name') === true ? 'name' : undefined);
  if (key === undefined) return structuredClone(item);
  const isNumber = items?.structure?.fields.get(key)?.schema.type === 'integer';
  return { ...structuredClone(item), [key]: isNumber ? index + 1 : `n${index}` };
}
