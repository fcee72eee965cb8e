import { getOwn, isJsonObject, type JsonValue } from '../../api/json/json.ts';
import type * as extensions from '../kubernetes/generated/types/apiextensions-v1.ts';

// Schemas of custom resources and their unions: a schema or a boolean, one or several schemas, or names.

export type JsonSchema = extensions.JSONSchemaProps;

/** The schema in a union; undefined for other alternatives. The decoder has checked its form. */
export function schemaIn(union: JsonValue | undefined): JsonSchema | undefined {
  return isJsonObject(union) ? (union as JsonSchema) : undefined;
}

/** The schemas of `items` when it is a list. */
export function schemasIn(union: JsonValue | undefined): readonly JsonSchema[] {
  // The decoder has checked its items.
  return Array.isArray(union) ? (union as JsonSchema[]) : [];
}

/** Fields that restrict or describe a value. Apart from the pattern, nothing that definitions are checked for. */
const plainFields: ReadonlySet<string> = new Set([
  'type',
  'format',
  'title',
  'description',
  'nullable',
  'enum',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
]);
const plainTypes: ReadonlySet<string | undefined> = new Set(['boolean', 'integer', 'number', 'string']);

/**
 * Whether a schema is one of a text, a number or a boolean and has no other fields than these: most schemas are. Checks
 * of definitions leave them out.
 */
export function isPlain(schema: JsonSchema): boolean {
  for (const field in schema) if (!plainFields.has(field)) return false;
  return plainTypes.has(schema.type);
}

export function propertyOf({ properties = {} }: JsonSchema, name: string): JsonSchema | undefined {
  return getOwn(properties, name);
}

export function hasProperties({ properties = {} }: JsonSchema): boolean {
  return Object.keys(properties).length > 0;
}

/** Whether some direct subschema matches. Definitions are big: allocates nothing. */
export function someBelow(schema: JsonSchema, predicate: (schema: JsonSchema) => boolean): boolean {
  const { items, additionalProperties, additionalItems, not, dependencies } = schema;
  return (
    inUnion(items, predicate) ||
    inUnion(additionalProperties, predicate) ||
    inUnion(additionalItems, predicate) ||
    inList(schema.allOf, predicate) ||
    inList(schema.anyOf, predicate) ||
    inList(schema.oneOf, predicate) ||
    (not !== undefined && predicate(not)) ||
    inMap(schema.properties, predicate) ||
    inMap(schema.patternProperties, predicate) ||
    inMap(schema.definitions, predicate) ||
    (dependencies !== undefined && Object.values(dependencies).some((union) => inUnion(union, predicate)))
  );
}

type Predicate = (schema: JsonSchema) => boolean;

function inUnion(union: JsonValue | undefined, predicate: Predicate): boolean {
  if (union === undefined) return false;
  const schema = schemaIn(union);
  return schema === undefined ? inList(schemasIn(union), predicate) : predicate(schema);
}

function inList(schemas: readonly JsonSchema[] | undefined, predicate: Predicate): boolean {
  return schemas?.some(predicate) === true;
}

function inMap(schemas: { readonly [name: string]: JsonSchema } | undefined, predicate: Predicate): boolean {
  if (schemas === undefined) return false;
  // Of thousands, `Object.values` takes four times as long.
  for (const name of Object.keys(schemas)) {
    const schema = schemas[name];
    if (schema !== undefined && predicate(schema)) return true;
  }
  return false;
}

/** Whether a schema or any subschema matches. */
export function schemaHas(schema: JsonSchema, predicate: (schema: JsonSchema) => boolean): boolean {
  return predicate(schema) || someBelow(schema, (inner) => schemaHas(inner, predicate));
}

/** Whether schemas stand in one another on more than so many levels. Walks without recursion: others need not. */
export function isDeeperThan(schema: JsonSchema, levels: number): boolean {
  let level: readonly JsonSchema[] = [schema];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth === levels) return true;
    const below: JsonSchema[] = [];
    for (const each of level) {
      someBelow(each, (inner) => {
        below.push(inner);
        return false;
      });
    }
    level = below;
  }
  return false;
}

/** A schema and all below it, each before those below it. */
export function* everySchema(root: JsonSchema): Generator<JsonSchema> {
  const open = [root];
  for (let schema = open.pop(); schema !== undefined; schema = open.pop()) {
    yield schema;
    const below: JsonSchema[] = [];
    someBelow(schema, (inner) => below.push(inner) < 0);
    for (let next = below.pop(); next !== undefined; next = below.pop()) open.push(next);
  }
}

/** Whether a structural schema has rules; its alternatives have none. */
export function hasRules(root: JsonSchema): boolean {
  const open = [root];
  for (let schema = open.pop(); schema !== undefined; schema = open.pop()) {
    if ((schema['x-kubernetes-validations'] ?? []).length > 0) return true;
    for (const union of [schema.items, schema.additionalProperties]) {
      const inner = schemaIn(union);
      if (inner !== undefined) open.push(inner);
    }
    inMap(schema.properties, (inner) => open.push(inner) < 0);
  }
  return false;
}
