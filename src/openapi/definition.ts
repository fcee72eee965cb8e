import type { GroupVersionKind } from '../api/meta/group-version.ts';
import type { JsonObject, JsonValue } from '../api/json/json.ts';
import type { Field, Schema } from '../schema/schema.ts';
import type { OpenApiDefinition, Definitions } from './definitions.ts';
import { describeDefinition, describeField } from './descriptions.ts';
import type { Documentation } from './documentation.ts';
import { publishedSchema, sorted, withEmbedded } from './published-schema.ts';

/** The two versions differ in references, defaults, and types with two wire forms. */
export interface DefinitionForm {
  readonly version: 2 | 3;
  /** The GroupVersionKinds of a definition shared by many groups: `DeleteOptions`, `WatchEvent`. */
  readonly sharedKinds: (kind: string) => readonly GroupVersionKind[];
  readonly definitions: Definitions;
  readonly documentation: Documentation;
}

const sharedDefinitions = new Set([
  'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions',
  'io.k8s.apimachinery.pkg.apis.meta.v1.WatchEvent',
]);

/** The schema object of one definition. */
export function openApiDefinitionOf(definition: OpenApiDefinition, form: DefinitionForm): JsonObject {
  const { schema } = definition;
  const description = describeDefinition(definition, form.documentation);
  const kinds = kindsOf(definition, form);
  const own = schema.structure === undefined ? specialType(schema, form) : objectType(schema, form);
  const { selectableFields = [] } = definition;
  return {
    ...(description === undefined ? {} : { description }),
    ...(schema.definition === undefined ? own : customType(schema, form)),
    ...(kinds.length === 0 ? {} : { 'x-kubernetes-group-version-kind': kinds }),
    ...(schema.mapType === undefined ? {} : { 'x-kubernetes-map-type': schema.mapType }),
    ...unionsOf(schema),
    ...(selectableFields.length === 0
      ? {}
      : { 'x-kubernetes-selectable-fields': selectableFields.map((fieldPath) => ({ fieldPath })) }),
  };
}

/** The schema of a custom kind; in version 2, one without properties that preserves unknown fields is a bare object. */
function customType(schema: Schema, form: DefinitionForm): JsonObject {
  const { definition = {}, structure } = schema;
  const isOpen = definition['x-kubernetes-preserve-unknown-fields'] === true && definition.properties === undefined;
  if (form.version === 2 && isOpen) return { type: 'object' };
  const members = [...(structure?.fields.values() ?? [])]
    .filter(({ schema: { definition: own } }) => own === undefined)
    .map((field) => [field.name, property(schema, field, form)] as const);
  const typed = Object.fromEntries(members);
  const published = withEmbedded(publishedSchema(definition, form), typed, form) as JsonObject; // the schema is an object
  const { properties = {} } = published;
  return { ...published, properties: sorted({ ...(properties as JsonObject), ...typed }) }; // schemas by name
}

/** Definitions that a definition refers to, directly. */
export function referencesOf({ structure }: Schema): string[] {
  return [...(structure?.fields.values() ?? [])].flatMap(({ schema }) => referenceIn(schema));
}

function referenceIn(schema: Schema): string[] {
  if (isReference(schema)) return [schema.name];
  return schema.items === undefined ? referencesOf(schema) : referenceIn(schema.items);
}

/** Structs and types with a wire form of their own have definitions; named lists and maps do not. */
function isReference(schema: Schema): schema is Schema & { readonly name: string } {
  return schema.name !== undefined;
}

function objectType(schema: Schema, form: DefinitionForm): JsonObject {
  const fields = [...(schema.structure?.fields.values() ?? [])];
  const required = fields.filter((field) => field.required).map(({ name }) => name);
  const properties = fields
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((field) => [field.name, property(schema, field, form)] as const);
  return {
    type: 'object',
    ...(required.length === 0 ? {} : { required }),
    ...(properties.length === 0 ? {} : { properties: Object.fromEntries(properties) }),
  };
}

function property(owner: Schema, field: Field, form: DefinitionForm): JsonObject {
  const { schema } = field;
  const description = describeField(owner, field, form.documentation);
  // Imported defaults are JSON.
  const given = schema.default as JsonValue | undefined;
  const initial = form.version === 3 && given !== undefined ? { default: given } : {};
  if (!isReference(schema))
    return { description, ...typeOf(schema, form, initial), ...markers(schema, schema.mapType) };
  const target = reference(schema.name, form);
  // The struct's own marker is on its definition.
  const mapType = schema.mapType === form.definitions(schema.name)?.schema.mapType ? undefined : schema.mapType;
  return {
    description,
    ...initial,
    ...(form.version === 3 ? { allOf: [target] } : target),
    ...markers(schema, mapType),
  };
}

/** The schema of an inline type. */
function typeOf(schema: Schema, form: DefinitionForm, initial: JsonObject = {}): JsonObject {
  if (isReference(schema)) return reference(schema.name, form);
  const values = schema.enum === undefined ? {} : { enum: [...schema.enum] };
  const items = schema.items === undefined ? undefined : typeOf(schema.items, form);
  switch (schema.type) {
    case 'array':
      return { type: 'array', ...initial, ...(items === undefined ? {} : { items }) };
    case 'map':
      return { type: 'object', ...initial, ...(items === undefined ? {} : { additionalProperties: items }) };
    case 'any':
      return { type: 'object', ...initial };
    case 'object':
      return { ...objectType(schema, form), ...initial };
    default:
      return {
        type: schema.type,
        ...(schema.format === undefined ? {} : { format: formats[schema.format] ?? schema.format }),
        ...initial,
        ...values,
      };
  }
}

/** OpenAPI has no unsigned integers. */
const formats: { readonly [format: string]: string } = {
  uint8: 'int32',
  uint16: 'int32',
  uint32: 'int64',
  uint64: 'int64',
};

const specialTypes: { readonly [format: string]: { readonly v2: JsonObject; readonly v3?: JsonObject } } = {
  'date-time': { v2: { type: 'string', format: 'date-time' } },
  'micro-time': { v2: { type: 'string', format: 'date-time' } },
  duration: { v2: { type: 'string' } },
  quantity: { v2: { type: 'string' }, v3: { oneOf: [{ type: 'string' }, { type: 'number' }] } },
  'int-or-string': {
    v2: { type: 'string', format: 'int-or-string' },
    v3: { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
  },
  'raw-extension': { v2: { type: 'object' } },
  'fields-v1': { v2: { type: 'object' } },
  json: { v2: {} },
  'schema-or-bool': { v2: {} },
  'schema-or-array': { v2: {} },
  'schema-or-strings': { v2: {} },
};

function specialType(schema: Schema, { version }: DefinitionForm): JsonObject {
  const special = specialTypes[schema.format ?? ''];
  if (special === undefined) return { type: 'object' };
  return version === 3 ? (special.v3 ?? special.v2) : special.v2;
}

export function reference(name: string, { version }: Pick<DefinitionForm, 'version'>): JsonObject {
  return { $ref: `${version === 3 ? '#/components/schemas/' : '#/definitions/'}${name}` };
}

/** Sorted by name. */
function markers(schema: Schema, mapType: Schema['mapType']): JsonObject {
  const { listMapKeys, listType, patchMergeKey, patchStrategies } = schema;
  return {
    ...(listMapKeys === undefined ? {} : { 'x-kubernetes-list-map-keys': [...listMapKeys] }),
    ...(listType === undefined ? {} : { 'x-kubernetes-list-type': listType }),
    ...(mapType === undefined ? {} : { 'x-kubernetes-map-type': mapType }),
    ...(patchMergeKey === undefined ? {} : { 'x-kubernetes-patch-merge-key': patchMergeKey }),
    ...(patchStrategies === undefined ? {} : { 'x-kubernetes-patch-strategy': patchStrategies.join(',') }),
  };
}

function unionsOf({ structure }: Schema): JsonObject {
  if (structure?.unions === undefined) return {};
  const unions = structure.unions.map((union) => ({
    ...(union.discriminator === undefined ? {} : { discriminator: union.discriminator }),
    'fields-to-discriminateBy': { ...union['fields-to-discriminateBy'] },
  }));
  return { 'x-kubernetes-unions': unions };
}

function kindsOf({ name, kind: own }: OpenApiDefinition, form: DefinitionForm): JsonObject[] {
  if (own === undefined) return [];
  const kinds = sharedDefinitions.has(name) ? form.sharedKinds(own.kind) : [own];
  return kinds.map(({ group, version, kind }) => ({ group, kind, version }));
}
