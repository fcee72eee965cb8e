import { isJsonObject } from '../../api/json.ts';
import type { Field, Schema, SchemaFormat } from '../schema.ts';
import { type JsonSchema, schemaIn } from './json-schema.ts';

/**
 * The schema of a custom kind out of the structural one of its definition, with the fields that every object has. Without a
 * schema nothing is known but those: all else is kept as it is.
 */
export function customSchema(definition: JsonSchema | undefined, metadata: Schema): Schema {
  const structural = definition ?? { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const { embeddedResource: _, ...root } = schemaOf(
    { ...structural, 'x-kubernetes-embedded-resource': true },
    metadata,
  );
  return root;
}

function schemaOf(definition: JsonSchema, metadata: Schema): Schema {
  return {
    ...typedSchema(definition, metadata),
    ...(definition.default === undefined ? {} : { default: definition.default }),
    ...(definition.nullable === true ? { nullable: true } : {}),
    ...(definition['x-kubernetes-preserve-unknown-fields'] === true ? { preserveUnknownFields: true } : {}),
    ...(definition['x-kubernetes-embedded-resource'] === true ? { embeddedResource: true } : {}),
  };
}

function typedSchema(definition: JsonSchema, metadata: Schema): Schema {
  switch (definition.type) {
    case 'object':
      return objectSchema(definition, metadata);
    case 'array':
      return arraySchema(definition, metadata);
    case 'string':
      return { type: 'string', goType: 'string', ...formatOf(definition) };
    case 'integer':
      return { type: 'integer', format: definition.format === 'int32' ? 'int32' : 'int64', goType: 'int64' };
    case 'number':
      return { type: 'number', format: 'double', goType: 'float64' };
    case 'boolean':
      return { type: 'boolean', goType: 'bool' };
    default:
      return freeSchema(definition);
  }
}

/** No type: an integer or a text, or anything. */
function freeSchema(definition: JsonSchema): Schema {
  const isEither = definition['x-kubernetes-int-or-string'] === true;
  return { type: 'any', format: isEither ? 'int-or-string' : 'json', goType: 'interface {}' };
}

/** A format says that a text may stand for something else; what for does not matter here. */
function formatOf({ format = '' }: JsonSchema): { readonly format?: SchemaFormat } {
  if (format === '') return {};
  return { format: format === 'byte' ? 'byte' : 'text' };
}

function objectSchema(definition: JsonSchema, metadata: Schema): Schema {
  const { 'x-kubernetes-map-type': mapType } = definition;
  const markers = {
    goType: 'map[string]interface {}',
    ...mapTypeOf(mapType),
  };
  const { additionalProperties } = definition;
  if (additionalProperties !== undefined && additionalProperties !== false) {
    const values = schemaIn(additionalProperties);
    return { type: 'map', ...markers, ...(values === undefined ? {} : { items: schemaOf(values, metadata) }) };
  }
  return {
    type: 'object',
    ...markers,
    structure: { goName: '', fields: fieldsOf(definition, metadata) },
  };
}

function mapTypeOf(given: string | undefined): Pick<Schema, 'mapType'> {
  return given === 'atomic' || given === 'granular' ? { mapType: given } : {};
}

function fieldsOf(definition: JsonSchema, metadata: Schema): ReadonlyMap<string, Field> {
  const { properties = {}, required = [], 'x-kubernetes-embedded-resource': isEmbedded } = definition;
  const fields = new Map<string, Field>();
  const add = (name: string, schema: Schema): void => {
    // Zero and absent differ in every field.
    fields.set(name, { name, schema, required: required.includes(name), pointer: true, omit: 'empty' });
  };
  for (const [name, property] of Object.entries(properties)) {
    if (isJsonObject(property)) add(name, schemaOf(property, metadata));
  }
  if (isEmbedded === true) {
    for (const name of ['apiVersion', 'kind']) add(name, { type: 'string', goType: 'string' });
    add('metadata', metadata);
  }
  return fields;
}

const listTypes = ['atomic', 'set', 'map'] as const;

function arraySchema(definition: JsonSchema, metadata: Schema): Schema {
  const { 'x-kubernetes-list-type': given, 'x-kubernetes-list-map-keys': listMapKeys } = definition;
  const items = schemaIn(definition.items);
  const listType = listTypes.find((each) => each === given);
  return {
    type: 'array',
    goType: '[]interface {}',
    ...(items === undefined ? {} : { items: schemaOf(items, metadata) }),
    ...(listType === undefined ? {} : { listType }),
    ...(listMapKeys === undefined ? {} : { listMapKeys }),
  };
}
