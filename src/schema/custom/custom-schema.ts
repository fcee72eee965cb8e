import { isJsonObject, type JsonValue } from '../../api/json/json.ts';
import type { Field, Schema, SchemaFormat, Structure, ValueConstraints } from '../schema.ts';
import { decodedPart } from '../decode.ts';
import { type FreeParts, freeValue } from './free-value.ts';
import { type JsonSchema, propertyOf, schemaIn } from './json-schema.ts';
import { constraintsOf } from './constraints-of.ts';

/**
 * Compiles the schema of a custom kind from its definition's structural schema, adding the fields of every object.
 * Without a schema only those are known: everything else is preserved.
 */
export function customSchema(
  definition: JsonSchema | undefined,
  metadata: Schema,
  { keepsUnknown = false }: { readonly keepsUnknown?: boolean } = {},
): Schema {
  const structural = definition ?? { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const object = { ...structural, 'x-kubernetes-embedded-resource': true };
  const { embeddedResource: _, ...root } = schemaOf(object, {
    metadata,
    keepsUnknown,
    eitherTypes: ['integer', 'string'],
    keepsFormats: false,
  });
  const preserving = keepsUnknown ? { 'x-kubernetes-preserve-unknown-fields': true } : {};
  return { ...root, definition: { ...structural, ...preserving } };
}

/**
 * The schema of a part of a definition, for validating its defaults: metadata of embedded objects may be anything, and
 * so may int-or-string values; formats count that are ignored in objects.
 */
export function partSchema(definition: JsonSchema): Schema {
  return schemaOf(definition, {
    metadata: { type: 'any', format: 'json', goType: 'interface {}' },
    keepsUnknown: false,
    eitherTypes: [],
    keepsFormats: true,
  });
}

interface Compilation {
  /** Schema for the metadata of embedded objects. */
  readonly metadata: Schema;
  /** Whether nothing is dropped (`preserveUnknownFields` of definitions from before v1). */
  readonly keepsUnknown: boolean;
  /** Types of an int-or-string. */
  readonly eitherTypes: readonly string[];
  /** Whether numbers are compared with formats that their type does not have. */
  readonly keepsFormats: boolean;
}

/** Compiled lazily, level by level: definitions are large, and many are never used. */
function schemaOf(definition: JsonSchema, compilation: Compilation): Schema {
  const base = baseOf(definition, compilation);
  const compile = (below: JsonSchema): Schema => schemaOf(below, compilation);
  const items = schemaIn(base.type === 'map' ? definition.additionalProperties : definition.items);
  const hasItems = (base.type === 'map' || base.type === 'array') && items !== undefined;
  const { default: initial } = definition;
  return withParts(base, {
    ...(initial === undefined ? {} : { default: () => knownDefault(base, initial) }),
    ...(hasFields(base, definition) ? { structure: () => structureOf(definition, compilation) } : {}),
    ...(hasItems ? { items: () => compile(items) } : {}),
    constraints: () => constraintsOf(definition, { ...compilation, compile }),
  });
}

/** Parts computed on first use. */
function withParts(
  schema: Schema,
  parts: {
    default?: () => JsonValue;
    structure?: () => Structure;
    items?: () => Schema;
    constraints?: () => ValueConstraints;
  },
): Schema {
  for (const [name, make] of Object.entries(parts)) {
    let made: unknown;
    Object.defineProperty(schema, name, { enumerable: true, get: () => (made ??= make()) });
  }
  return schema;
}

/** What one node says of itself. */
function baseOf(definition: JsonSchema, { keepsUnknown }: Compilation): Schema {
  const keeps = keepsUnknown || definition['x-kubernetes-preserve-unknown-fields'] === true;
  return {
    ...typeOf(definition),
    definition,
    ...(definition.nullable === true ? { nullable: true } : {}),
    ...(keeps ? { preserveUnknownFields: true } : {}),
    ...(definition['x-kubernetes-embedded-resource'] === true ? { embeddedResource: true } : {}),
  };
}

function typeOf(definition: JsonSchema): Schema {
  switch (definition.type) {
    case 'object':
      return objectType(definition);
    case 'array':
      return arrayType(definition);
    case 'string':
      return { type: 'string', goType: 'string', ...formatOf(definition) };
    case 'integer':
      return { type: 'integer', format: definition.format === 'int32' ? 'int32' : 'int64', goType: 'int64' };
    case 'number':
      return { type: 'number', format: 'double', goType: 'float64' };
    case 'boolean':
      return { type: 'boolean', goType: 'bool' };
    default:
      return freeType(definition);
  }
}

/** No type: int-or-string, or anything. */
function freeType(definition: JsonSchema): Schema {
  const isEither = definition['x-kubernetes-int-or-string'] === true;
  return { type: 'any', format: isEither ? 'int-or-string' : 'json', goType: 'interface {}' };
}

/** A format only says that a string may stand for something else; which one does not matter here. */
function formatOf({ format = '' }: JsonSchema): { readonly format?: SchemaFormat } {
  if (format === '') return {};
  return { format: format === 'byte' ? 'byte' : 'text' };
}

const mapTypes = ['atomic', 'granular'] as const;

function objectType({ additionalProperties, 'x-kubernetes-map-type': given }: JsonSchema): Schema {
  const mapType = mapTypes.find((each) => each === given);
  const isMap = additionalProperties !== undefined && additionalProperties !== false;
  return {
    type: isMap ? 'map' : 'object',
    goType: 'map[string]interface {}',
    ...(mapType === undefined ? {} : { mapType }),
  };
}

const listTypes = ['atomic', 'set', 'map'] as const;

function arrayType(definition: JsonSchema): Schema {
  const { 'x-kubernetes-list-type': given, 'x-kubernetes-list-map-keys': listMapKeys } = definition;
  const listType = listTypes.find((each) => each === given);
  return {
    type: 'array',
    goType: '[]interface {}',
    ...(listType === undefined ? {} : { listType }),
    ...(listMapKeys === undefined ? {} : { listMapKeys }),
  };
}

/** Untyped nodes may have properties too. */
function hasFields({ type }: Schema, { properties }: JsonSchema): boolean {
  return type === 'object' || (type === 'any' && properties !== undefined);
}

/** Its schema is compiled on first use. */
class CustomField implements Field {
  readonly name: string;
  readonly required: boolean;
  // Zero and absent are distinct in every field.
  readonly pointer = true;
  readonly omit = 'empty';
  readonly #compile: () => Schema;
  #schema: Schema | undefined;

  constructor(name: string, required: boolean, compile: () => Schema) {
    this.name = name;
    this.required = required;
    this.#compile = compile;
  }

  get schema(): Schema {
    return (this.#schema ??= this.#compile());
  }
}

function structureOf(definition: JsonSchema, compilation: Compilation): Structure {
  const { properties = {}, required = [], 'x-kubernetes-embedded-resource': isEmbedded } = definition;
  const fields = new Map<string, Field>();
  const requiredNames = new Set(required);
  const add = (name: string, schema: Schema): void => {
    fields.set(name, new CustomField(name, requiredNames.has(name), () => schema));
  };
  for (const [name, property] of Object.entries(properties)) {
    if (!isJsonObject(property)) continue;
    fields.set(name, new CustomField(name, requiredNames.has(name), () => schemaOf(property, compilation)));
  }
  if (isEmbedded === true) {
    for (const name of ['apiVersion', 'kind']) {
      add(name, withDefault({ type: 'string', goType: 'string' }, propertyOf(definition, name)));
    }
    add('metadata', withDefaults(compilation.metadata, propertyOf(definition, 'metadata')));
  }
  return { goName: '', fields };
}

/** A schema of Go's with the default of a definition, as far as it is known. */
function withDefault(schema: Schema, definition: JsonSchema | undefined): Schema {
  const initial = definition?.default ?? null;
  const known = initial === null ? undefined : decodedPart(schema, initial);
  return known === undefined ? schema : { ...schema, default: known };
}

/** A schema of Go's with the defaults of a definition, for itself and for its fields. */
function withDefaults(schema: Schema, definition: JsonSchema | undefined): Schema {
  const { structure } = schema;
  if (definition === undefined || structure === undefined) return schema;
  const own = [...structure.fields.values()].filter(({ name }) => propertyOf(definition, name)?.default !== undefined);
  const defaulted = withDefault(schema, definition);
  if (own.length === 0) return defaulted;
  const fields = new Map(structure.fields);
  for (const field of own) {
    fields.set(field.name, { ...field, schema: withDefault(field.schema, propertyOf(definition, field.name)) });
  }
  return { ...defaulted, structure: { ...structure, fields } };
}

/** What nobody knows of a default, in metadata too, is not in it. */
function knownDefault(schema: Schema, value: JsonValue): JsonValue {
  const parts: FreeParts = {
    known: (part, inner) => (part.definition === undefined ? decodedPart(part, inner) : freeValue(part, inner, parts)),
    unknown: () => undefined,
  };
  return freeValue(schema, value, parts);
}
