import type { JsonObject, JsonValue } from '../../../../api/json/json.ts';
import { type JsonSchema, schemaIn, schemasIn } from '../../../../schema/custom/json-schema.ts';
import type * as extensions from '../../../../schema/kubernetes/generated/types/apiextensions-v1.ts';
import { internalValue } from '../../../parts/rules/internal-value.ts';

// Definitions as shown in messages.

export function shownSchema(schema: JsonSchema): JsonValue {
  return internalValue('apiextensions.JSONSchemaProps', unionsAsObjects(schema));
}

/** `none` is shown in place of no versions. */
export function shownVersions(
  versions: readonly extensions.CustomResourceDefinitionVersion[],
  none: JsonValue,
): JsonValue {
  if (versions.length === 0) return none;
  const shown = versions.map(({ schema, ...version }) => {
    const inner = schema?.openAPIV3Schema;
    if (schema === undefined || inner === undefined) return { ...version, ...(schema === undefined ? {} : { schema }) };
    return { ...version, schema: { openAPIV3Schema: unionsAsObjects(inner) } };
  });
  return internalValue('[]apiextensions.CustomResourceDefinitionVersion', shown);
}

/** `items` as shown in messages. */
export function shownItems(items: JsonValue): JsonValue {
  return internalValue('apiextensions.JSONSchemaPropsOrArray', itemsAsObject(items));
}

/** In the internal form each union is an object with a member per alternative. */
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
    ? { jsonSchemas: schemasIn(items).map(unionsAsObjects) }
    : { schema: unionsAsObjects(schema) };
}

function dependencyAsObject(union: JsonValue): JsonObject {
  const schema = schemaIn(union);
  return schema === undefined ? { property: union } : { schema: unionsAsObjects(schema) };
}
