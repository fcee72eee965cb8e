import type { JsonObject, JsonValue } from '../../src/api/json/json.ts';
import type { Random } from '../random-objects/repeatable-random.ts';
import { randomValue } from './random-value.ts';

/* Structural schemas with any keywords; some break a rule of structural schemas. */

const names: readonly string[] = ['a', 'b', 'c', 'name'];
const formats: readonly string[] = ['date', 'date-time', 'int32', 'int64', 'byte', 'ipv4', 'uuid', 'email', 'duration'];
const deepest = 3;

/** A schema of a field; `depth` counts from the root. */
export function randomSchema(random: Random, depth: number): JsonObject {
  const schema = typedSchema(random, depth);
  if (random.chance(0.12)) schema['nullable'] = true;
  if (random.chance(0.08)) schema[random.pick(['anyOf', 'oneOf', 'allOf']) ?? ''] = branches(random, schema);
  if (random.chance(0.04)) schema['not'] = constraints(random, schema);
  if (random.chance(0.3)) schema['default'] = randomDefault(random, schema);
  if (random.chance(0.03)) spoil(random, schema);
  return schema;
}

function typedSchema(random: Random, depth: number): JsonObject {
  const choice = random.next();
  if (depth < deepest && choice < 0.3) return objectSchema(random, depth);
  if (depth < deepest && choice < 0.45) return listSchema(random, depth);
  if (depth < deepest && choice < 0.52) {
    const properties = random.chance(0.2) ? true : randomSchema(random, depth + 1);
    return { type: 'object', additionalProperties: properties, ...sizes(random, 'Properties') };
  }
  if (choice < 0.57) return { 'x-kubernetes-int-or-string': true };
  if (choice < 0.61) return { 'x-kubernetes-preserve-unknown-fields': true };
  if (choice < 0.64) return embeddedSchema(random);
  const type = random.pick(['string', 'string', 'integer', 'number', 'boolean']) ?? '';
  const schema: JsonObject = { type };
  return { ...schema, ...(random.chance(0.5) ? constraints(random, schema) : {}) };
}

function objectSchema(random: Random, depth: number): JsonObject {
  const known = names.filter(() => random.chance(0.6));
  const schema: JsonObject = {
    type: 'object',
    properties: Object.fromEntries(known.map((name) => [name, randomSchema(random, depth + 1)])),
  };
  if (random.chance(0.25)) schema['required'] = known.filter(() => random.chance(0.4));
  if (random.chance(0.12)) schema['x-kubernetes-preserve-unknown-fields'] = true;
  if (random.chance(0.1)) schema['x-kubernetes-map-type'] = random.pick(['atomic', 'granular']) ?? '';
  return { ...schema, ...(random.chance(0.1) ? sizes(random, 'Properties') : {}) };
}

function listSchema(random: Random, depth: number): JsonObject {
  const choice = random.next();
  const list = { type: 'array', ...(random.chance(0.2) ? sizes(random, 'Items') : {}) };
  if (choice < 0.3) {
    const keys = random.chance(0.7) ? ['name'] : ['name', 'a'];
    const keyed: { [key: string]: JsonObject } = Object.fromEntries(
      keys.map((key) => [key, { type: random.pick(['string', 'integer']) ?? '' }]),
    );
    if (random.chance(0.3))
      keyed['a'] = { type: 'string', ...keyed['a'], default: randomDefault(random, keyed['a'] ?? {}) };
    const properties = { ...keyed, c: randomSchema(random, depth + 2) };
    const required = keys.filter((key) => keyed[key] !== undefined && !('default' in keyed[key]));
    const items = { type: 'object', properties, required };
    return { ...list, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': keys, items };
  }
  const items = choice < 0.5 ? { type: random.pick(['string', 'integer']) ?? '' } : randomSchema(random, depth + 1);
  return {
    ...list,
    items,
    ...(choice < 0.5 ? { 'x-kubernetes-list-type': random.pick(['set', 'atomic']) ?? '' } : {}),
  };
}

function embeddedSchema(random: Random): JsonObject {
  const schema = { type: 'object', 'x-kubernetes-embedded-resource': true };
  if (random.chance(0.7)) return { ...schema, 'x-kubernetes-preserve-unknown-fields': true };
  return { ...schema, properties: { spec: { type: 'object', properties: { a: { type: 'string' } } } } };
}

/** Value validations that suit the type. */
function constraints(random: Random, { type }: JsonObject): JsonObject {
  if (random.chance(0.25)) return { enum: [0, 1].map(() => randomValue(random, { type: type ?? 'string' })) };
  switch (type) {
    case 'string': {
      const pattern = random.pick(['^[a-z]+$', '^.{1,3}$', '[0-9]', '^(a|b)*$']) ?? '';
      return (
        random.pick<JsonObject>([{ pattern }, { format: random.pick(formats) ?? '' }, sizes(random, 'Length')]) ?? {}
      );
    }
    case 'integer':
    case 'number': {
      const limit = random.below(6);
      return (
        random.pick<JsonObject>([
          { minimum: limit },
          { maximum: limit, exclusiveMaximum: random.chance(0.5) },
          { minimum: limit, exclusiveMinimum: random.chance(0.5) },
          { multipleOf: 1 + random.below(3) },
          { format: random.pick(['int32', 'int64', 'double']) ?? '' },
        ]) ?? {}
      );
    }
    case 'array':
      return sizes(random, 'Items');
    case 'object':
      return random.chance(0.5) ? sizes(random, 'Properties') : { required: [random.pick(names) ?? ''] };
    default:
      return { enum: [true] };
  }
}

function sizes(random: Random, of: string): JsonObject {
  const least = random.below(3);
  return random.chance(0.5) ? { [`min${of}`]: least } : { [`max${of}`]: least + random.below(3) };
}

function branches(random: Random, schema: JsonObject): JsonObject[] {
  return Array.from({ length: 1 + random.below(2) }, () => constraints(random, schema));
}

function randomDefault(random: Random, schema: JsonObject): JsonValue {
  return random.chance(0.03) ? randomValue(random, {}) : randomValue(random, schema, { fits: true });
}

/** Breaks a rule. */
function spoil(random: Random, schema: JsonObject): void {
  const faults: readonly JsonObject[] = [
    { type: random.pick(['', 'null', 'string', 'object', 'array']) ?? '' },
    { properties: { a: {} } },
    { items: { type: 'string' } },
    { additionalProperties: false },
    { additionalProperties: true },
    { uniqueItems: true },
    { required: ['a', 'a'] },
    { enum: [] },
    { pattern: '(' },
    { minLength: 3, maxLength: 1 },
    { minimum: 3, maximum: 1 },
    { multipleOf: 0 },
    { format: 'unknown' },
    { 'x-kubernetes-int-or-string': true },
    { 'x-kubernetes-embedded-resource': true },
    { 'x-kubernetes-preserve-unknown-fields': false },
    { 'x-kubernetes-list-type': 'map' },
    { 'x-kubernetes-list-map-keys': ['name'] },
    { 'x-kubernetes-map-type': 'set' },
    { allOf: [{ type: 'string' }] },
    { anyOf: [{ default: 1 }] },
    { anyOf: [{ nullable: true }] },
    { not: { properties: { z: { minimum: 1 } } } },
    { nullable: true, default: null },
    { title: 'x', description: 'y', example: { a: 1 } },
    { externalDocs: { url: 'http://example.com' } },
    { definitions: { a: {} } },
    { $ref: '#/a' },
    { patternProperties: { a: {} } },
  ];
  Object.assign(schema, random.pick(faults));
}
