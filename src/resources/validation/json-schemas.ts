import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import type * as extensions from '../../schema/kubernetes/generated/types/apiextensions-v1.ts';
import { internalValue } from './internal-value.ts';

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

/** A schema as messages show it. */
export function shownSchema(schema: JsonSchema): JsonValue {
  return internalValue('apiextensions.JSONSchemaProps', unionsAsObjects(schema));
}

export function shownVersions(versions: readonly extensions.CustomResourceDefinitionVersion[]): JsonValue {
  const shown = versions.map(({ schema, ...version }) => {
    const inner = schema?.openAPIV3Schema;
    if (schema === undefined || inner === undefined) return { ...version, ...(schema === undefined ? {} : { schema }) };
    return { ...version, schema: { openAPIV3Schema: unionsAsObjects(inner) } };
  });
  return internalValue('[]apiextensions.CustomResourceDefinitionVersion', shown.length === 0 ? undefined : shown);
}

/** What `items` holds, as messages show it. */
export function shownItems(items: JsonValue): JsonValue {
  return internalValue('apiextensions.JSONSchemaPropsOrArray', itemsAsObject(items));
}

/** The internal form has an object for each union, with a member for each kind of content. */
function unionsAsObjects(schema: JsonSchema): JsonObject {
  const map = (schemas: { readonly [name: string]: JsonSchema }): JsonObject =>
    Object.fromEntries(Object.entries(schemas).map(([name, inner]) => [name, unionsAsObjects(inner)]));
  const list = (schemas: readonly JsonSchema[]): JsonObject[] => schemas.map(unionsAsObjects);
  const converted: JsonObject = {};
  for (const name of ['properties', 'patternProperties', 'definitions'] as const) {
    if (schema[name] !== undefined) converted[name] = map(schema[name]);
  }
  for (const name of ['allOf', 'anyOf', 'oneOf'] as const) {
    if (schema[name] !== undefined) converted[name] = list(schema[name]);
  }
  for (const name of ['additionalProperties', 'additionalItems'] as const) {
    if (schema[name] !== undefined) converted[name] = orBooleanAsObject(schema[name]);
  }
  if (schema.not !== undefined) converted['not'] = unionsAsObjects(schema.not);
  if (schema.items !== undefined) converted['items'] = itemsAsObject(schema.items);
  if (schema.dependencies !== undefined) {
    converted['dependencies'] = Object.fromEntries(
      Object.entries(schema.dependencies).map(([name, union]) => [name, dependencyAsObject(union)]),
    );
  }
  // Schemas are JSON.
  return { ...(schema as JsonObject), ...converted };
}

function orBooleanAsObject(union: JsonValue): JsonObject {
  const schema = schemaIn(union);
  return schema === undefined ? { allows: union === true } : { allows: true, schema: unionsAsObjects(schema) };
}

function itemsAsObject(items: JsonValue): JsonObject {
  const schema = schemaIn(items);
  return schema === undefined
    ? { jSONSchemas: schemasIn(items).map(unionsAsObjects) }
    : { schema: unionsAsObjects(schema) };
}

function dependencyAsObject(union: JsonValue): JsonObject {
  const schema = schemaIn(union);
  return schema === undefined ? { property: union } : { schema: unionsAsObjects(schema) };
}
