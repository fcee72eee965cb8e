import { isJsonObject, type JsonObject, type JsonValue } from '../api/json/json.ts';
import { type JsonSchema, schemaIn } from '../schema/custom/json-schema.ts';

/*
 * The published schema of a custom kind. Version 3 publishes the definition's schema; version 2 omits what its clients
 * cannot handle: alternatives, defaults, and the type of nullable values and of objects that preserve unknown fields.
 */

interface Form {
  readonly version: 2 | 3;
}

/** Members copied unchanged, in document order. */
const plain = [
  'maximum',
  'exclusiveMaximum',
  'minimum',
  'exclusiveMinimum',
  'maxLength',
  'minLength',
  'pattern',
  'maxItems',
  'minItems',
  'uniqueItems',
  'multipleOf',
  'enum',
  'maxProperties',
  'minProperties',
] as const;

const extensions = [
  'x-kubernetes-embedded-resource',
  'x-kubernetes-int-or-string',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-list-type',
  'x-kubernetes-map-type',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-validations',
] as const;

export function publishedSchema(schema: JsonSchema, form: Form): JsonObject {
  const isV2 = form.version === 2;
  const isOpen = isV2 && (schema.nullable === true || preserves(schema));
  const items = isOpen ? undefined : schemaIn(schema.items);
  const properties = isOpen ? undefined : schema.properties;
  const required = requiredOf(schema, form);
  return {
    ...given(schema, ['description']),
    ...typeOf(schema, { isV2, hasItems: items !== undefined }),
    ...(isV2 ? {} : given(schema, ['nullable'])),
    ...given(schema, ['format', 'title']),
    ...(isV2 || schema.default === undefined || schema.default === null ? {} : { default: schema.default }),
    ...given(schema, plain),
    ...(required.length === 0 ? {} : { required: [...required] }),
    ...(items === undefined ? {} : { items: publishedSchema(items, form) }),
    ...(isV2 ? {} : alternatives(schema)),
    ...(properties === undefined ? {} : { properties: publishedProperties(properties, form) }),
    ...additional(schema, form),
    ...given(schema, ['externalDocs', 'example']),
    ...given(schema, extensions),
  };
}

function preserves(schema: JsonSchema): boolean {
  return schema['x-kubernetes-preserve-unknown-fields'] === true;
}

/** Omits empty and false members. */
function given(schema: JsonSchema, names: readonly string[]): JsonObject {
  const members: JsonObject = {};
  const from = schema as JsonObject;
  for (const name of names) {
    const value = from[name];
    if (value !== undefined && value !== '' && value !== false) members[name] = value;
  }
  return members;
}

/** Version 2 clients misread lists without items and objects that preserve unknown fields. */
function typeOf(
  schema: JsonSchema,
  { isV2, hasItems }: { readonly isV2: boolean; readonly hasItems: boolean },
): JsonObject {
  const { type = '' } = schema;
  if (type === '') return {};
  if (isV2 && (schema.nullable === true || (type === 'array' && !hasItems) || (type === 'object' && preserves(schema))))
    return {};
  return { type };
}

/** In version 2, nullable fields are not required. */
function requiredOf(
  { required = [], properties = {}, additionalProperties }: JsonSchema,
  { version }: Form,
): readonly string[] {
  if (version === 3) return required;
  if (schemaIn(additionalProperties)?.nullable === true) return [];
  return required.filter((name) => properties[name]?.nullable !== true);
}

function publishedProperties(properties: NonNullable<JsonSchema['properties']>, form: Form): JsonObject {
  const names = Object.keys(properties).toSorted();
  return Object.fromEntries(names.map((name) => [name, publishedSchema(properties[name] ?? {}, form)]));
}

function additional({ additionalProperties }: JsonSchema, form: Form): JsonObject {
  if (additionalProperties === undefined || additionalProperties === false) return {};
  const values = schemaIn(additionalProperties);
  return { additionalProperties: values === undefined ? true : publishedSchema(values, form) };
}

const integerOrText: readonly JsonObject[] = [{ type: 'integer' }, { type: 'string' }];

/** Adds the types of int-or-string alternatives, which definitions may omit. */
function alternatives(schema: JsonSchema): JsonObject {
  const { allOf = [], oneOf = [], anyOf = [], not } = schema;
  const implied = schema['x-kubernetes-int-or-string'] === true && !saysEither(schema);
  const all = implied && anyOf.length > 0 ? [...allOf, { anyOf: [...integerOrText] }] : allOf;
  const any = implied && anyOf.length === 0 ? integerOrText : anyOf;
  return {
    ...list('allOf', all as readonly JsonValue[]),
    ...list('oneOf', oneOf as readonly JsonValue[]),
    ...list('anyOf', any as readonly JsonValue[]),
    ...(not === undefined ? {} : { not: not as JsonValue }),
  };
}

function saysEither({ anyOf = [], allOf = [] }: JsonSchema): boolean {
  const isEither = (any: readonly JsonSchema[]): boolean => any[0]?.type === 'integer' && any[1]?.type === 'string';
  return isEither(anyOf) || isEither(allOf[0]?.anyOf ?? []);
}

function list(name: string, items: readonly JsonValue[]): JsonObject {
  return items.length === 0 ? {} : { [name]: [...items] };
}

/** Adds apiVersion, kind and metadata to embedded resources. */
export function withEmbedded(published: JsonValue, members: JsonObject, { version }: Form): JsonValue {
  if (!isJsonObject(published)) return published;
  const { properties, items, additionalProperties } = published;
  const inner = (value: JsonValue): JsonValue => withEmbedded(value, members, { version });
  const below: JsonObject = {
    ...published,
    ...(isJsonObject(properties)
      ? { properties: Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, inner(each)])) }
      : {}),
    ...(items === undefined ? {} : { items: inner(items) }),
    ...(additionalProperties === undefined ? {} : { additionalProperties: inner(additionalProperties) }),
  };
  const isOpen = version === 2 && published['x-kubernetes-preserve-unknown-fields'] === true;
  if (published['x-kubernetes-embedded-resource'] !== true || isOpen) return below;
  const own = isJsonObject(below['properties']) ? below['properties'] : {};
  const required = Array.isArray(published['required']) ? published['required'] : [];
  const missing = ['kind', 'apiVersion'].filter((name) => !required.includes(name));
  return { ...below, required: [...required, ...missing], properties: sorted({ ...own, ...members }) };
}

export function sorted(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1)));
}
