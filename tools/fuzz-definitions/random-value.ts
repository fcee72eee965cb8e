import { isJsonObject, type JsonObject, type JsonValue } from '../../src/api/json/json.ts';
import type { Random } from '../random-objects/repeatable-random.ts';

/** Values for a schema; unless they shall fit, some do not. */
export function randomValue(
  random: Random,
  schema: JsonObject,
  { fits = false }: { readonly fits?: boolean } = {},
): JsonValue {
  const { nullable, type, enum: allowed } = schema;
  if (!fits && random.chance(0.08)) return anything(random, 2);
  if (random.chance(nullable === true ? 0.2 : 0.02) && (nullable === true || !fits)) return null;
  if (Array.isArray(allowed) && allowed.length > 0 && random.chance(0.8)) return random.pick(allowed) ?? null;
  if (schema['x-kubernetes-int-or-string'] === true) return random.chance(0.5) ? random.below(5) : text(random, schema);
  if (schema['x-kubernetes-embedded-resource'] === true) return embedded(random);
  switch (type) {
    case 'object':
      return objectValue(random, schema, fits);
    case 'array':
      return listValue(random, schema, fits);
    case 'string':
      return text(random, schema);
    case 'integer':
      return random.below(7) - 1;
    case 'number':
      return random.chance(0.5) ? random.below(7) : random.below(70) / 8;
    case 'boolean':
      return random.chance(0.5);
    default:
      return anything(random, 2);
  }
}

function objectValue(random: Random, { properties, additionalProperties }: JsonObject, fits: boolean): JsonObject {
  const value: JsonObject = {};
  for (const [name, schema] of Object.entries(isJsonObject(properties) ? properties : {})) {
    if (random.chance(0.65) && isJsonObject(schema)) value[name] = randomValue(random, schema, { fits });
  }
  if (isJsonObject(additionalProperties)) {
    for (const name of ['x', 'y']) {
      if (random.chance(0.6)) value[name] = randomValue(random, additionalProperties, { fits });
    }
  }
  if (!fits && random.chance(0.2)) value['unknown'] = anything(random, 1);
  return value;
}

function listValue(random: Random, { items }: JsonObject, fits: boolean): JsonValue[] {
  const schema = isJsonObject(items) ? items : {};
  return Array.from({ length: random.below(4) }, () => randomValue(random, schema, { fits }));
}

const texts: readonly string[] = ['a', 'b', 'abc', '', '7', 'é', 'abcdef', 'x y'];
const textsOfFormats: { readonly [format: string]: readonly string[] } = {
  date: ['2020-01-31', '2020-02-31'],
  'date-time': ['2020-01-31T10:00:00Z', '2020-01-31'],
  byte: ['YQ==', '***'],
  ipv4: ['1.2.3.4', '1.2.3'],
  uuid: ['123e4567-e89b-12d3-a456-426614174000', 'x'],
  email: ['a@example.com', 'a'],
  duration: ['1h', '5 parsecs', 'x'],
};

function text(random: Random, { format }: JsonObject): string {
  const known = typeof format === 'string' ? textsOfFormats[format] : undefined;
  return random.pick(known ?? texts) ?? '';
}

function embedded(random: Random): JsonObject {
  const value: JsonObject = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { a: 'x', extra: 1 } };
  if (random.chance(0.3)) delete value[random.pick(['apiVersion', 'kind', 'metadata', 'spec']) ?? ''];
  if (random.chance(0.2)) value['metadata'] = { name: 7, labels: { a: 'b' }, unknown: 1 };
  return value;
}

function anything(random: Random, depth: number): JsonValue {
  const choice = random.below(depth > 0 ? 8 : 6);
  if (choice === 6) return { a: anything(random, depth - 1), name: 'n' };
  if (choice === 7) return [anything(random, depth - 1), anything(random, depth - 1)];
  return [null, true, 3, 1.5, 'a', ''][choice] ?? null;
}
