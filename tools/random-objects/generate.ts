import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../src/api/json/json.ts';
import type { Field, Schema, SchemaFormat } from '../../src/schema/schema.ts';
import { pick, type Random, some } from './random.ts';

/** Generates a nested value. */
export type Nested = (schema: Schema) => JsonValue;

/** The values that random objects consist of. */
export interface Palette {
  /**
   * Strings, map keys and item names: few, so that objects have much in common, or more than four, of which each list
   * uses four.
   */
  readonly words: readonly string[];
  readonly integers: readonly number[];
  readonly numbers: readonly number[];
  /** Values by format, instead of those of the type. */
  readonly formats: { readonly [format in SchemaFormat]?: readonly JsonValue[] };
  /** Generates untyped values. */
  any(random: Random, schema: Schema, nested: Nested): JsonValue;
  isLeftOut(field: Field): boolean;
  /** The probability of an explicit null. */
  readonly nulls: number;
  /** Whether fields are in random order. */
  readonly shuffled: boolean;
}

const deepest = 8;

/** A value that fits the schema; it may not be valid. */
export function generate(schema: Schema, random: Random, palette: Palette, depth = 0): JsonValue {
  const values = schema.format === undefined ? undefined : palette.formats[schema.format];
  if (values !== undefined) return structuredClone(pick(random, values));
  switch (schema.type) {
    case 'object':
      return generateObject(schema, random, palette, depth);
    case 'map':
      return generateMap(schema, random, palette, depth);
    case 'array':
      return generateList(schema, random, palette, depth);
    case 'string':
      return pick(random, palette.words);
    case 'integer':
      return pick(random, palette.integers);
    case 'number':
      return pick(random, palette.numbers);
    case 'boolean':
      return random() < 0.5;
    case 'any':
      return palette.any(random, schema, (inner) =>
        depth > deepest ? {} : generate(inner, random, palette, depth + 1),
      );
  }
}

function generateObject({ structure }: Schema, random: Random, palette: Palette, depth: number): JsonObject {
  const fields = [...(structure?.fields.values() ?? [])];
  const chance = Math.min(0.9, (depth < 3 ? 5 : 3) / Math.max(fields.length, 1));
  const chosen = depth > deepest ? [] : fields.filter((field) => random() < chance && !palette.isLeftOut(field));
  const object: JsonObject = {};
  for (const { name, schema } of palette.shuffled ? shuffle(chosen, random) : chosen) {
    const isNull = palette.nulls > 0 && random() < palette.nulls;
    object[name] = isNull ? null : generate(schema, random, palette, depth + 1);
  }
  return object;
}

/** Unchanged half of the time, because encoders have a fast path for that. */
function shuffle<T>(items: readonly T[], random: Random): readonly T[] {
  if (random() < 0.5) return items;
  const keyed = items.map((item) => ({ item, key: random() }));
  return keyed.toSorted((a, b) => a.key - b.key).map(({ item }) => item);
}

function generateMap({ items }: Schema, random: Random, palette: Palette, depth: number): JsonObject {
  const map: JsonObject = {};
  for (const key of some(fewWords(random, palette), random, 0.4)) {
    setOwn(map, key, items === undefined ? 'x' : generate(items, random, palette, depth + 1));
  }
  return map;
}

export function generateList(schema: Schema, random: Random, palette: Palette, depth: number): JsonValue[] {
  const { items, patchMergeKey } = schema;
  if (items === undefined) return [];
  return some(fewWords(random, palette), random, 0.5).map((word, index) => {
    const item = generate(items, random, palette, depth + 1);
    if (patchMergeKey !== undefined && isJsonObject(item)) {
      const keySchema = items.structure?.fields.get(patchMergeKey)?.schema;
      item[patchMergeKey] = keySchema?.type === 'integer' ? index : word;
    }
    return typeof item === 'string' && items.format === undefined ? word : item;
  });
}

const mostWords = 4;

function fewWords(random: Random, { words }: Palette): readonly string[] {
  if (words.length <= mostWords) return words;
  return [...new Set(Array.from({ length: mostWords }, () => pick(random, words)))];
}
