import { getOwn, isJsonObject, type JsonValue } from '../../api/json.ts';
import type * as extensions from '../kubernetes/generated/types/apiextensions-v1.ts';

// Schemas of custom resources, and the unions in them: a schema or a boolean, one or several, or names.

export type JsonSchema = extensions.JSONSchemaProps;

/** The schema in a union; undefined when it is something else. Decoding has seen to its form. */
export function schemaIn(union: JsonValue | undefined): JsonSchema | undefined {
  return isJsonObject(union) ? (union as JsonSchema) : undefined;
}

/** The schemas of `items` when they are a list. */
export function schemasIn(union: JsonValue | undefined): readonly JsonSchema[] {
  // Decoding has seen to the form of its items.
  return Array.isArray(union) ? (union as JsonSchema[]) : [];
}

export function propertyOf({ properties = {} }: JsonSchema, name: string): JsonSchema | undefined {
  return getOwn(properties, name);
}

export function hasProperties({ properties = {} }: JsonSchema): boolean {
  return Object.keys(properties).length > 0;
}

/** The schemas below a schema, one level down. */
export function* schemasBelow(schema: JsonSchema): Iterable<JsonSchema> {
  const { items, additionalProperties, additionalItems, not, dependencies = {} } = schema;
  for (const union of [items, additionalProperties, additionalItems, ...Object.values(dependencies)]) {
    const inner = schemaIn(union);
    if (inner !== undefined) yield inner;
  }
  yield* schemasIn(items);
  for (const list of [schema.allOf, schema.anyOf, schema.oneOf]) yield* list ?? [];
  if (not !== undefined) yield not;
  for (const map of [schema.properties, schema.patternProperties, schema.definitions]) yield* Object.values(map ?? {});
}

/** Whether a schema or one below it is such. */
export function schemaHas(schema: JsonSchema, predicate: (schema: JsonSchema) => boolean): boolean {
  if (predicate(schema)) return true;
  for (const inner of schemasBelow(schema)) if (schemaHas(inner, predicate)) return true;
  return false;
}
