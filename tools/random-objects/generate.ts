import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../src/api/json.ts';
import type { Field, Schema, SchemaFormat } from '../../src/schema/schema.ts';
import { pick, type Random, some } from './random.ts';

/** Generates a value of a schema that stands inside of another one. */
export type Nested = (schema: Schema) => JsonValue;

/** The values that random objects are made of. */
export interface Palette {
  /** Texts, keys of maps and names of items: few, so that objects have much in common, or more than four, of which each list takes four. */
  readonly words: readonly string[];
  readonly integers: readonly number[];
  readonly numbers: readonly number[];
  /** What a format takes in place of the values of its type. */
  readonly formats: { readonly [format in SchemaFormat]?: readonly JsonValue[] };
  /** Values without a type of their own. */
  any(random: Random, schema: Schema, nested: Nested): JsonValue;
  isLeftOut(field: Field): boolean;
  /** How likely a field is there with null for its value. */
  readonly nulls: number;
  /** Whether fields come in any order. */
  readonly shuffled: boolean;
}

const deepest = 8;

/** A value that the schema allows; validation may not. */
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

/** In one of two cases as they are, which is what writers have the shortest way for. */
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
