import { isJsonObject, type JsonObject, type JsonValue } from '../../src/api/json.ts';
import type { Schema } from '../../src/schema/schema.ts';

/** Numbers from 0 to 1 that one seed repeats. */
export type Random = () => number;

/** The mulberry32 generator. */
export function seeded(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function pick<T>(random: Random, items: readonly T[]): T {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
}

const words = ['a', 'b', 'c', 'd'];
const textsByFormat: { readonly [format: string]: readonly string[] } = {
  'date-time': ['2026-01-02T03:04:05Z', '2025-12-31T23:59:59Z'],
  'micro-time': ['2026-01-02T03:04:05.000006Z'],
  duration: ['1m0s', '3s'],
  quantity: ['1', '100m', '2Gi'],
  byte: ['YQ==', 'Yg=='],
};

/** A valid value of a schema, with few members so that two of them have much in common. */
export function generate(schema: Schema, random: Random, depth = 0): JsonValue {
  switch (schema.type) {
    case 'object':
      return generateObject(schema, random, depth);
    case 'map':
      return Object.fromEntries(
        some(words, random, 0.4).map((key) => [key, schema.items ? generate(schema.items, random, depth + 1) : 'x']),
      );
    case 'array':
      return generateList(schema, random, depth);
    case 'string':
      return pick(random, textsByFormat[schema.format ?? ''] ?? words);
    case 'integer':
      return Math.floor(random() * 3);
    case 'number':
      return Math.floor(random() * 3) + 0.5;
    case 'boolean':
      return random() < 0.5;
    case 'any':
      return generateAny(schema, random);
  }
}

function generateAny({ format }: Schema, random: Random): JsonValue {
  if (format === 'int-or-string') return random() < 0.5 ? pick(random, words) : 1;
  if (format === 'json') return pick<JsonValue>(random, [1, 'a', [1, 2], { a: 1 }]);
  if (format === 'schema-or-bool') return random() < 0.5;
  return format === 'schema-or-strings' ? ['a'] : {};
}

function generateObject({ structure }: Schema, random: Random, depth: number): JsonObject {
  const fields = [...(structure?.fields.values() ?? [])];
  const chance = Math.min(0.9, (depth < 3 ? 5 : 3) / Math.max(fields.length, 1));
  const chosen = depth > 8 ? [] : fields.filter((field) => random() < chance && field.name !== 'managedFields');
  return Object.fromEntries(chosen.map((field) => [field.name, generate(field.schema, random, depth + 1)]));
}

function generateList({ items, patchMergeKey }: Schema, random: Random, depth: number): JsonValue[] {
  if (items === undefined) return [];
  return some(words, random, 0.5).map((word, index) => {
    const item = generate(items, random, depth + 1);
    if (patchMergeKey !== undefined && isJsonObject(item)) {
      const keySchema = items.structure?.fields.get(patchMergeKey)?.schema;
      item[patchMergeKey] = keySchema?.type === 'integer' ? index : word;
    }
    return typeof item === 'string' && items.format === undefined ? word : item;
  });
}

function some<T>(items: readonly T[], random: Random, chance: number): T[] {
  const chosen = items.filter(() => random() < chance);
  return random() < 0.3 ? chosen.toReversed() : chosen;
}

/** A strategic patch for objects of a schema: now and then with directives, nulls, unknown fields and values of wrong types. */
export function generatePatch(schema: Schema, random: Random): JsonObject {
  return patchObject(schema, random, 0);
}

function patchObject({ structure }: Schema, random: Random, depth: number): JsonObject {
  const fields = [...(structure?.fields.values() ?? [])];
  const chance = Math.min(0.8, (depth < 3 ? 4 : 2.5) / Math.max(fields.length, 1));
  const patch: JsonObject = {};
  for (const { name, schema } of fields) {
    if (depth > 8 || name === 'managedFields' || random() > chance) continue;
    patch[name] = random() < 0.12 ? null : patchValue(schema, random, depth + 1);
    if (schema.type === 'array') addListDirectives(patch, name, schema, random);
  }
  if (random() < 0.01) patch['unknown'] = pick<JsonValue>(random, [1, 'x', { a: null, b: 1 }, [1]]);
  if (depth > 0 && random() < 0.04)
    patch['$patch'] = pick<JsonValue>(random, ['replace', 'delete', 'replace', 'merge', 5]);
  if (depth > 0 && random() < 0.06) {
    patch['$retainKeys'] = [
      ...Object.keys(patch).filter((key) => !key.startsWith('$')),
      ...some(fields, random, 0.2).map(({ name }) => name),
    ];
  }
  return patch;
}

function patchValue(schema: Schema, random: Random, depth: number): JsonValue {
  if (random() < 0.012) return pick<JsonValue>(random, [7, 'x', true, 1.5, {}, [], ['x'], { a: 'b' }, [{ name: 'a' }]]);
  if (schema.type === 'object' && schema.structure !== undefined) return patchObject(schema, random, depth);
  if (schema.type === 'map') {
    const value = generate(schema, random, depth);
    if (isJsonObject(value)) for (const key of Object.keys(value)) if (random() < 0.3) value[key] = null;
    return value;
  }
  return schema.type === 'array' ? patchList(schema, random, depth) : generate(schema, random, depth);
}

function patchList(schema: Schema, random: Random, depth: number): JsonValue[] {
  const { items, patchMergeKey } = schema;
  const list = generateList(schema, random, depth);
  if (items?.structure === undefined) return list;
  return list.map((item) => {
    const patch = patchObject(items, random, depth + 1);
    if (patchMergeKey === undefined || !isJsonObject(item)) return patch;
    if (random() < 0.02) return patch;
    if (random() < 0.12)
      return { $patch: pick(random, ['delete', 'delete', 'replace']), [patchMergeKey]: item[patchMergeKey] ?? null };
    return { ...patch, [patchMergeKey]: item[patchMergeKey] ?? null };
  });
}

function addListDirectives(patch: JsonObject, name: string, schema: Schema, random: Random): void {
  const key = schema.patchMergeKey;
  const identities = generateList(schema, random, 9).map((item) =>
    key !== undefined && isJsonObject(item) ? { [key]: item[key] ?? null } : item,
  );
  if (random() < 0.25) {
    const list = patch[name];
    // Mostly an order that agrees with the list of the patch.
    const own = (Array.isArray(list) ? list : []).filter((item) => !isJsonObject(item) || item['$patch'] === undefined);
    const ownIds = own.map((item) => (key !== undefined && isJsonObject(item) ? { [key]: item[key] ?? null } : item));
    const known = new Set(ownIds.map((id) => JSON.stringify(id)));
    const others = identities.filter((id) => !known.has(JSON.stringify(id)));
    patch[`$setElementOrder/${name}`] = random() < 0.85 ? weave(ownIds, others, random) : identities;
    if (random() < 0.2) delete patch[name];
  }
  if (random() < (key === undefined ? 0.3 : 0.02)) {
    patch[`$deleteFromPrimitiveList/${name}`] = identities;
    // With both the reference's answer depends on the order of a Go map.
    delete patch[name];
    delete patch[`$setElementOrder/${name}`];
  }
}

function weave<T>(first: readonly T[], second: readonly T[], random: Random): T[] {
  const left = [...first];
  const right = [...second];
  const out: T[] = [];
  while (left.length + right.length > 0) {
    const next = (random() < 0.5 ? left : right).shift();
    if (next !== undefined) out.push(next);
  }
  return out;
}
