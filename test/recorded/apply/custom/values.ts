import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../../../../src/api/json/json.ts';
import { type JsonSchema, schemaIn as schemaOfUnion } from '../../../../src/schema/custom/json-schema.ts';
import type { Random } from '../../../../tools/random-objects/repeatable-random.ts';

const texts = ['x', 'y', 'z'];
const moments = ['2026-01-01T00:00:00Z', '2026-02-02T00:00:00Z'];

/** A value that fits a structural schema; from few values, so that managers overlap. */
export function randomValue(random: Random, schema: JsonSchema): JsonValue {
  switch (schema.type) {
    case 'object':
      return randomObject(random, schema);
    case 'array':
      return randomList(random, schema);
    case 'string':
      return random.pick(schema.format === 'date-time' ? moments : texts) ?? '';
    case 'integer':
      return random.below(3);
    case 'number':
      return random.pick([0.5, 1, 2.25]) ?? 0;
    case 'boolean':
      return random.chance(0.5);
    default:
      return schema['x-kubernetes-int-or-string'] === true ? (random.pick([1, 2, '50%']) ?? 1) : randomFree(random, 2);
  }
}

function randomObject(random: Random, schema: JsonSchema): JsonObject {
  const object: JsonObject = {};
  if (schema['x-kubernetes-embedded-resource'] === true) {
    Object.assign(object, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'e', labels: randomTexts(random) } });
  }
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const isNeeded = schema.required?.includes(name) === true || name === 'spec';
    if (name !== 'mark' && (isNeeded || random.chance(0.6))) object[name] = randomValue(random, property);
  }
  const values = schemaOfUnion(schema.additionalProperties);
  if (values !== undefined) {
    for (const key of ['k', 'l', 'm']) if (random.chance(0.5)) object[key] = randomValue(random, values);
  }
  if (schema['x-kubernetes-preserve-unknown-fields'] === true) {
    for (const key of ['free1', 'free2']) if (random.chance(0.6)) object[key] = randomFree(random, 2);
  }
  return object;
}

function randomList(random: Random, schema: JsonSchema): JsonValue[] {
  const items = schemaOfUnion(schema.items) ?? {};
  const made = Array.from({ length: random.below(4) }, () => randomValue(random, items));
  const keys = schema['x-kubernetes-list-map-keys'];
  if (schema['x-kubernetes-list-type'] === 'atomic' || schema['x-kubernetes-list-type'] === undefined) return made;
  const identity = (item: JsonValue): string =>
    JSON.stringify(keys === undefined ? item : keys.map((key) => keyOf(items, item, key)));
  return [...new Map(made.map((item) => [identity(item), item])).values()];
}

function keyOf({ properties }: JsonSchema, item: JsonValue, key: string): JsonValue {
  const value = isJsonObject(item) ? getOwn(item, key) : undefined;
  return value ?? getOwn(properties, key)?.default ?? null;
}

function randomTexts(random: Random): JsonObject {
  return Object.fromEntries(['k', 'l'].filter(() => random.chance(0.6)).map((key) => [key, random.pick(texts) ?? '']));
}

function randomFree(random: Random, depth: number): JsonValue {
  const choice = random.below(depth === 0 ? 3 : 5);
  if (choice === 0) return random.pick(texts) ?? '';
  if (choice === 1) return random.below(3);
  if (choice === 2) return random.chance(0.5);
  if (choice === 3) return Array.from({ length: random.below(3) }, () => randomFree(random, depth - 1));
  const keys = ['a', 'b'].filter(() => random.chance(0.7));
  return Object.fromEntries(keys.map((key) => [key, randomFree(random, depth - 1)]));
}

/** Part of a value: what is required, and a random selection of the rest. */
export function randomPart(random: Random, schema: JsonSchema, value: JsonValue, chance: number): JsonValue {
  if (Array.isArray(value)) {
    const items = schemaOfUnion(schema.items) ?? {};
    const kept = value.filter(() => random.chance(Math.max(chance, 0.7)));
    const keys = schema['x-kubernetes-list-map-keys'] ?? [];
    return kept.map((item) =>
      randomPart(random, { ...items, required: [...(items.required ?? []), ...keys] }, item, chance),
    );
  }
  if (!isJsonObject(value)) return value;
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true;
  const part: JsonObject = {};
  for (const [key, field] of Object.entries(value)) {
    const isNeeded =
      schema.required?.includes(key) === true || (isEmbedded && ['apiVersion', 'kind', 'metadata'].includes(key));
    if (!isNeeded && !random.chance(chance)) continue;
    const property = getOwn(schema.properties, key) ?? schemaOfUnion(schema.additionalProperties) ?? {};
    part[key] = isEmbedded && key === 'metadata' ? field : randomPart(random, property, field, chance);
  }
  return part;
}
