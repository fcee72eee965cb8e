import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/api/json/json.ts';
import type { Field, Schema } from '../../../src/schema/schema.ts';
import type { Random } from '../../../tools/random-objects/repeatable-random.ts';
import { randomValue } from './values.ts';

/** A nested object and its schema. */
interface NestedObject {
  readonly object: JsonObject;
  readonly schema: Schema;
  readonly depth: number;
}

/** Metadata is the same for all kinds, and clients do not write the status. */
const leftAlone: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'status']);

/** A copy of a valid object with some additional fields, and sometimes one removed. */
export function vary(random: Random, object: JsonObject, schema: Schema): JsonObject {
  const varied = structuredClone(object);
  const changes = 1 + random.below(4);
  for (let count = 0; count < changes; count += 1) {
    const place = random.pick(placesIn(varied, schema));
    if (place === undefined) continue;
    if (random.chance(0.15)) removeField(random, place);
    else addField(random, place);
  }
  return varied;
}

function placesIn(object: JsonObject, schema: Schema, depth = 0): NestedObject[] {
  const inside = [...(schema.structure?.fields.values() ?? [])].flatMap((field) => {
    if (depth === 0 && leftAlone.has(field.name)) return [];
    return placesOfValue(object[field.name], field.schema, depth + 1);
  });
  return [{ object, schema, depth }, ...inside];
}

function placesOfValue(value: JsonValue | undefined, schema: Schema, depth: number): NestedObject[] {
  const { items } = schema;
  if (Array.isArray(value)) {
    return items === undefined ? [] : value.flatMap((item) => placesOfValue(item, items, depth + 1));
  }
  return isJsonObject(value) && schema.structure !== undefined ? placesIn(value, schema, depth) : [];
}

function addField(random: Random, { object, schema, depth }: NestedObject): void {
  const absent = fieldsOf(schema, depth).filter(({ name }) => !Object.hasOwn(object, name));
  const field = random.pick(absent);
  if (field !== undefined) object[field.name] = randomValue(random, field, 2);
}

function removeField(random: Random, { object, schema, depth }: NestedObject): void {
  const present = fieldsOf(schema, depth).filter(({ name }) => Object.hasOwn(object, name));
  const field = random.pick(present);
  if (field !== undefined) delete object[field.name];
}

function fieldsOf({ structure }: Schema, depth: number): Field[] {
  const fields = [...(structure?.fields.values() ?? [])];
  return depth === 0 ? fields.filter(({ name }) => !leftAlone.has(name)) : fields;
}
