import type { JsonValue } from '../../api/json/json.ts';
import type { Schema, ValueConstraints } from '../schema.ts';
import { type JsonSchema, schemaIn } from './json-schema.ts';
import { isKnownFormat } from './known-formats.ts';

interface CompileContext {
  readonly eitherTypes: readonly string[];
  /** Whether formats are kept that the type does not have. */
  readonly keepsFormats: boolean;
  /** Compiles subschemas. */
  readonly compile: (below: JsonSchema) => Schema;
}

/** Reads the constraints in a definition's schema. */
export function constraintsOf(
  definition: JsonSchema,
  { eitherTypes, keepsFormats, compile }: CompileContext,
): ValueConstraints {
  const { anyOf = [], oneOf = [], allOf = [], not, properties = {} } = definition;
  const items = schemaIn(definition.items);
  return {
    ...boundsOf(definition),
    types: definition['x-kubernetes-int-or-string'] === true ? eitherTypes : typesOf(definition),
    nullable: definition.nullable === true,
    format: keepsFormats ? (definition.format ?? '') : formatOf(definition),
    required: definition.required ?? [],
    // Values are free-form JSON.
    enum: (definition.enum ?? []) as readonly JsonValue[],
    anyOf: anyOf.map((part) => compile(part)),
    oneOf: oneOf.map((part) => compile(part)),
    allOf: allOf.map((part) => compile(part)),
    not: not === undefined ? undefined : compile(not),
    properties: new Map(Object.entries(properties).map(([name, property]) => [name, compile(property)])),
    items: items === undefined ? undefined : compile(items),
    others: othersOf(definition, compile),
  };
}

function typesOf({ type = '' }: JsonSchema): readonly string[] {
  return type === '' ? [] : [type];
}

function formatOf({ type = '', format = '' }: JsonSchema): string {
  return isKnownFormat(type, format) ? format : '';
}

function othersOf(
  { additionalProperties }: JsonSchema,
  compile: (below: JsonSchema) => Schema,
): ValueConstraints['others'] {
  if (additionalProperties === false) return 'forbidden';
  const values = schemaIn(additionalProperties);
  return values === undefined ? undefined : compile(values);
}

function boundsOf(definition: JsonSchema) {
  const { minimum, maximum, multipleOf, minLength, maxLength, minItems, maxItems, minProperties, maxProperties } =
    definition;
  return {
    minimum,
    maximum,
    multipleOf,
    exclusiveMinimum: definition.exclusiveMinimum === true,
    exclusiveMaximum: definition.exclusiveMaximum === true,
    minLength,
    maxLength,
    pattern: definition.pattern ?? '',
    minItems,
    maxItems,
    minProperties,
    maxProperties,
  };
}
