// Compares the schemas of the table with published OpenAPI v3 schemas.
import { isDeepStrictEqual } from 'node:util';

import { schemaByName } from '../../src/schema/kubernetes/definitions.ts';
import type { Schema } from '../../src/schema/schema.ts';
import type { OpenApiSchema } from './openapi-source.ts';

/** Options of a comparison. */
export interface CheckOptions {
  /** The documents in the Kubernetes module lack enums; a server's have them. */
  readonly enums: boolean;
}

/** One line per difference; empty if the table matches the documents. */
export function openApiDifferences(
  published: Iterable<readonly [string, OpenApiSchema]>,
  options: CheckOptions,
): string[] {
  const differences: string[] = [];
  for (const [name, expected] of published) {
    const schema = schemaByName(name);
    if (schema === undefined) differences.push(`${name}: not in the table`);
    else differences.push(...compareDefinition(name, schema, expected, options));
  }
  return differences;
}

function compareDefinition(name: string, schema: Schema, published: OpenApiSchema, options: CheckOptions): string[] {
  const { properties: actual = {}, ...definition } = openApiSchema(schema, options);
  const { properties: expected = {}, ...publishedDefinition } = normalizePublished(published);
  const fields = new Set([...Object.keys(actual), ...Object.keys(expected)]);
  return [
    ...difference(name, definition, publishedDefinition),
    ...[...fields].flatMap((field) => difference(`${name}.${field}`, actual[field], expected[field])),
  ];
}

/** A published schema without its kinds, in the form of `openApiSchema`. */
export function normalizePublished(schema: OpenApiSchema): OpenApiSchema {
  const { properties, required, 'x-kubernetes-group-version-kind': _kinds, ...rest } = schema;
  return {
    ...rest,
    ...(Array.isArray(required) ? { required: required.toSorted() } : {}),
    ...(properties === undefined ? {} : { properties: mapValues(properties, plainReference) }),
  };
}

/** The OpenAPI schema of a definition, without descriptions and kinds. */
export function openApiSchema(schema: Schema, options: CheckOptions): OpenApiSchema {
  const fields = [...(schema.structure?.fields.values() ?? [])];
  const definition = definitionSchema(schema);
  if (fields.length === 0) return definition;
  return {
    ...definition,
    properties: Object.fromEntries(
      fields.map((field) => [field.name, plainReference(useSchema(field.schema, options))]),
    ),
  };
}

function mapValues<From, To>(
  object: { readonly [key: string]: From },
  change: (value: From) => To,
): { readonly [key: string]: To } {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}

function difference(path: string, actual: OpenApiSchema | undefined, expected: OpenApiSchema | undefined): string[] {
  if (isDeepStrictEqual(actual, expected)) return [];
  return [`${path}: ${JSON.stringify(actual) ?? 'nothing'} is not ${JSON.stringify(expected) ?? 'published'}`];
}

/** A reference with a description is wrapped in `allOf`: without descriptions both forms are equivalent. */
function plainReference(schema: OpenApiSchema): OpenApiSchema {
  const { allOf, ...rest } = schema;
  return Array.isArray(allOf) && Object.keys(rest).length === 0 ? allOf[0] : schema;
}

/** A definition without its properties. */
function definitionSchema(schema: Schema): OpenApiSchema {
  const special = schema.format === undefined ? undefined : specialDefinitions[schema.format];
  if (special !== undefined) return special;
  const required = [...(schema.structure?.fields.values() ?? [])]
    .filter((field) => field.required)
    .map(({ name }) => name);
  const { unions } = schema.structure ?? {};
  return {
    type: 'object',
    ...(required.length === 0 ? {} : { required: required.sort() }),
    ...(schema.mapType === undefined ? {} : { 'x-kubernetes-map-type': schema.mapType }),
    ...(unions === undefined ? {} : { 'x-kubernetes-unions': unions }),
  };
}

/** The schema of a property, item or map value. */
function useSchema(schema: Schema, options: CheckOptions): OpenApiSchema {
  const target = schema.name === undefined ? undefined : schemaByName(schema.name);
  const marks = {
    ...(schema.default === undefined ? {} : { default: schema.default }),
    ...(schema.listType === undefined ? {} : { 'x-kubernetes-list-type': schema.listType }),
    ...(schema.listMapKeys === undefined ? {} : { 'x-kubernetes-list-map-keys': schema.listMapKeys }),
    ...(schema.mapType === undefined || schema.mapType === target?.mapType
      ? {}
      : { 'x-kubernetes-map-type': schema.mapType }),
    ...(schema.patchStrategies === undefined
      ? {}
      : { 'x-kubernetes-patch-strategy': schema.patchStrategies.join(',') }),
    ...(schema.patchMergeKey === undefined ? {} : { 'x-kubernetes-patch-merge-key': schema.patchMergeKey }),
  };
  if (schema.name !== undefined && schema.format !== 'duration') {
    return { ...marks, allOf: [{ $ref: `#/components/schemas/${schema.name}` }] };
  }
  return { ...marks, ...typeSchema(schema, options) };
}

function typeSchema(schema: Schema, options: CheckOptions): OpenApiSchema {
  if (schema.type === 'array') return { type: 'array', items: elementSchema(schema.items, options) };
  if (schema.type === 'map') return { type: 'object', additionalProperties: elementSchema(schema.items, options) };
  if (schema.type === 'any') return { type: 'object' };
  return {
    type: schema.type,
    ...(schema.format === undefined ? {} : { format: schema.format }),
    ...(schema.enum === undefined || !options.enums ? {} : { enum: schema.enum }),
  };
}

function elementSchema(schema: Schema | undefined, options: CheckOptions): OpenApiSchema {
  if (schema === undefined) return {};
  return schema.name === undefined ? typeSchema(schema, options) : { $ref: `#/components/schemas/${schema.name}` };
}

const specialDefinitions: { readonly [format: string]: OpenApiSchema } = {
  'date-time': { type: 'string', format: 'date-time' },
  'micro-time': { type: 'string', format: 'date-time' },
  quantity: { oneOf: [{ type: 'string' }, { type: 'number' }] },
  'int-or-string': { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
  'raw-extension': { type: 'object' },
  'fields-v1': { type: 'object' },
  json: {},
  'schema-or-bool': {},
  'schema-or-array': {},
  'schema-or-strings': {},
};
